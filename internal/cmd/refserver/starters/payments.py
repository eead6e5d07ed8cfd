"""A payment app: every payment is taken, and refunds are given. Run: python3 payments.py 3000

It has the variables of "refserver env". ORIGIN is the https address that the platform calls. Register ORIGIN with
/process, /cancel and /status. The payment provider of the store is made once, with POST /payment_providers."""
import base64, hashlib, json, os, pathlib, sys, threading, time, urllib.parse, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
ORIGIN = os.environ.get("ORIGIN", "https://app.example")
API = os.environ["COMMERCE_BASE_URL"] + "/v1/" + os.environ["COMMERCE_STORE_ID"]
DER = base64.b64decode("".join(os.environ["COMMERCE_PAYMENTS_KEY"].strip().splitlines()[1:-1]))  # of the platform
KEY = DER[-261:-5]  # the modulus of 2048 bits; the exponent, 65537, is in the last 5 bytes
PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")  # of a SHA-256
MOST, CALLS = 1 << 20, ("POST /process", "POST /cancel", "POST /refunds", "GET /status")
REFUNDS = {"refund_url": ORIGIN + "/refunds", "supports_partial_refund": True}
JOURNAL = pathlib.Path("payments.ndjson")  # your database takes its place
taken = {m["attempt"]: m for m in map(json.loads, JOURNAL.read_text().splitlines() if JOURNAL.exists() else [])}
taking = threading.Lock()  # one at a time; your database has a unique key

def call(path, body):
    headers = {"Authorization": "Bearer " + os.environ["COMMERCE_TOKEN"], "User-Agent": "Payments (you@example.com)"}
    headers["Content-Type"] = "application/json"
    with urllib.request.urlopen(urllib.request.Request(API + path, json.dumps(body).encode(), headers)) as reply:
        return json.load(reply)

def signed(uri, headers, body):
    """The platform signs URL|timestamp|hash of the body. The URL is the registered one, whatever Host says."""
    at = headers.get("X-Timestamp", "")
    if not (at.isascii() and at.isdigit() and len(at) < 13 and abs(time.time() - int(at)) <= 300):
        return False
    digest = hashlib.sha256(f"{ORIGIN}{uri}|{at}|{hashlib.sha256(body).hexdigest()}".encode()).digest()
    padded = b"\0\1" + b"\xff" * (len(KEY) - 54) + b"\0" + PREFIX + digest
    try:
        signature = base64.b64decode(headers.get("X-Signature", ""), validate=True)
    except ValueError:
        return False
    opened = pow(int.from_bytes(signature, "big"), 65537, int.from_bytes(KEY, "big"))
    return len(signature) == len(KEY) and opened == int.from_bytes(padded, "big")

def charge(ask):
    """Money moves here: the card is charged, with the id of the attempt as the key. Then the platform is informed."""
    sale = {"type": "sale", "status": "success", "authorization_code": "A1", "amount": ask["amount"]}
    made = {"attempt": ask["payment_attempt_id"], "order": ask["order_id"]}
    info = {**REFUNDS, "external_id": made["attempt"], "installments": {"quantity": 1}}
    body = {"payment_provider_id": ask["payment_provider_id"], "payment_method": ask["payment_method"], "info": info}
    made["id"] = call(f"/orders/{made['order']}/transactions", {**body, "first_event": sale})["id"]
    JOURNAL.open("a").write(json.dumps(made) + "\n")
    return made

def answer(path, query, ask):
    """The platform waits 20 seconds. A call may come twice, also at once: an attempt is taken once."""
    if path == "/status":
        return 200, {"transactions": [m for m in taken.values() if str(m["order"]) == query.get("order_id")]}
    if path == "/process":
        taken[ask["payment_attempt_id"]] = taken.get(ask["payment_attempt_id"]) or charge(ask)
        return 201, {}
    for made in taken.values():
        if made["id"] == ask.get("transaction_id"):
            event = {"type": "refund", "status": "success", "authorization_code": "R1", "amount": ask["amount"]}
            call(f"/orders/{made['order']}/transactions/{made['id']}/events", event)
            return 202, {}
    return (200, {}) if path == "/cancel" else (422, {"error_code": "refund_rejected"})

class Payments(BaseHTTPRequestHandler):
    protocol_version, timeout = "HTTP/1.1", 10  # seconds for a sender that stops
    def serve(self):
        at, size = urllib.parse.urlsplit(self.path), int(self.headers.get("Content-Length", 0))
        body, out = self.rfile.read(size) if 0 <= size <= MOST else b"", {}
        status = 401 if f"{self.command} {at.path}" in CALLS else 405
        if "Transfer-Encoding" in self.headers or len(body) != size:
            status = 413 if size > MOST else 411  # the platform sends the length
        elif status == 401 and signed(self.path, self.headers, body):
            with taking:
                status, out = answer(at.path, dict(urllib.parse.parse_qsl(at.query)), json.loads(body or b"{}"))
        self.send_response(status)
        self.send_header("Content-Length", str(len(json.dumps(out))))  # ASCII
        self.send_header("Connection", "close" if status in (411, 413) else "keep-alive")  # a part may be unread
        self.end_headers()
        self.wfile.write(json.dumps(out).encode())
    do_POST = do_GET = serve

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1] if len(sys.argv) > 1 else 3000)), Payments).serve_forever()
