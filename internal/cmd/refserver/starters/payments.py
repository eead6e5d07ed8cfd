"""A payment app: it accepts every payment and every refund. Run: python3 payments.py 3000

It has the variables of "refserver env". ORIGIN is the https address that the platform calls. Register ORIGIN with
/process, /cancel and /status. The payment provider of the store is made once, with POST /payment_providers."""
import base64, decimal, hashlib, json, os, pathlib, sys, threading, time, urllib.error, urllib.parse, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
ORIGIN = os.environ.get("ORIGIN", "https://app.example")
API = os.environ["COMMERCE_BASE_URL"] + "/v1/" + os.environ["COMMERCE_STORE_ID"]
DER = base64.b64decode("".join(os.environ["COMMERCE_PAYMENTS_KEY"].strip().splitlines()[1:-1]))  # of the platform
KEY = DER[-261:-5]  # the modulus of 2048 bits; the exponent, 65537, is in the last 5 bytes
PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")  # of a SHA-256
MOST, CALLS = 1 << 20, ("POST /process", "POST /cancel", "POST /refunds", "GET /status")
REFUNDS = {"refund_url": ORIGIN + "/refunds", "supports_partial_refund": True}
JOURNAL = pathlib.Path("payments.ndjson")  # your database takes its place
taken, taking = {}, threading.Lock()  # by attempt; one at a time; your database has a unique key

def note(made):
    """Written before and after money moves, so that a restarted program can look for an operation that it had begun."""
    with JOURNAL.open("a") as journal:
        journal.write(json.dumps(made) + "\n")
    taken[made["attempt"]] = dict(made)

for line in JOURNAL.read_text().splitlines() if JOURNAL.exists() else []:
    taken[json.loads(line)["attempt"]] = json.loads(line)

def call(path, body=None):
    headers = {"Authorization": "Bearer " + os.environ["COMMERCE_TOKEN"], "User-Agent": "Payments (you@example.com)"}
    headers["Content-Type"] = "application/json"
    sent = json.dumps(body).encode() if body else None
    with urllib.request.urlopen(urllib.request.Request(API + path, sent, headers), timeout=10) as reply:
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

def find(made):
    """The transaction of an attempt, which an earlier call may have made whose answer was lost."""
    try:
        listed = call(f"/orders/{made['order']}/transactions")
    except urllib.error.HTTPError as err:
        if err.code != 404:
            raise
        listed = []
    return next((t for t in listed if t["info"].get("external_id") == made["attempt"]), None)

def charge(made, ask):
    """Money moves here: the card is charged, with the id of the attempt as the key. Then the platform is informed."""
    sale = {"type": "sale", "status": "success", "authorization_code": "A1", "amount": made["amount"]}
    info = {**REFUNDS, "external_id": made["attempt"], "installments": {"quantity": 1}}
    body = {"payment_provider_id": ask["payment_provider_id"], "payment_method": ask["payment_method"], "info": info}
    found = find(made) or call(f"/orders/{made['order']}/transactions", {**body, "first_event": sale})
    note({**made, "id": found["id"]})

def give_back(made, amount, key):
    """Money moves back here, with the key: all that is left, or an amount. The message shows an earlier report of it."""
    path = f"/orders/{made['order']}/transactions/{made['id']}"
    seen = call(path)
    captured, refunded = (decimal.Decimal(seen[name]["value"]) for name in ("captured_amount", "refunded_amount"))
    amount = amount or {**made["amount"], "value": str(captured - refunded)}
    event = {"type": "refund", "status": "success", "authorization_code": "R1", "amount": amount}
    if float(amount["value"]) and all((e.get("info") or {}).get("message") != key for e in seen["events"]):
        call(path + "/events", {**event, "info": {"message": key}})

def answer(path, query, ask, signature):
    """The platform waits 20 seconds. A call may come twice, also at once: each moves money once."""
    if path == "/status":
        return 200, {"transactions": [m for m in taken.values() if str(m.get("order")) == query.get("order_id")]}
    attempt = ask.get("payment_attempt_id") or query.get("payment_attempt_id")
    made = taken.get(attempt, {"attempt": attempt})
    if path == "/process":
        if "id" not in made:
            if made.get("cancelled"):
                return 409, {}  # the cancellation came first
            made |= {"order": ask["order_id"], "amount": ask["amount"]}
            note(made)
            charge(made, ask)
        return 201, {}
    if path == "/cancel":
        found = made.get("id") or "order" in made and (find(made) or {}).get("id")
        note({**made, "cancelled": True, **({"id": found} if found else {})})
        if found:
            give_back(taken[attempt], None, "cancel " + attempt)
        return 200, {}
    for made in taken.values():
        if made.get("id") == ask.get("transaction_id"):  # no id: equal calls of one second are one refund
            give_back(made, ask["amount"], "refund " + hashlib.sha256(signature.encode()).hexdigest()[:32])
            return 202, {}
    return 422, {"error_code": "refund_rejected"}

class Payments(BaseHTTPRequestHandler):
    protocol_version, timeout = "HTTP/1.1", 10  # seconds for a sender that stops
    def serve(self):
        path, _, parameters = self.path.partition("?")  # any text, of any stranger
        length = self.headers.get("Content-Length", "0")
        size = int(length) if length.isascii() and length.isdigit() and len(length) < 13 else -1
        body, out = self.rfile.read(size) if 0 <= size <= MOST else b"", {}
        status = 401 if f"{self.command} {path}" in CALLS else 405
        if "Transfer-Encoding" in self.headers or len(body) != size:
            status = 413 if size > MOST else 411  # the platform sends the length
        elif status == 401 and signed(self.path, self.headers, body):
            ask, query = json.loads(body or b"{}"), dict(urllib.parse.parse_qsl(parameters))
            try:
                with taking:
                    status, out = answer(path, query, ask, self.headers["X-Signature"])
            except OSError as err:  # the platform calls again
                status = print(err, file=sys.stderr) or 503
        self.send_response(status)
        self.send_header("Content-Length", str(len(json.dumps(out))))  # ASCII
        self.send_header("Connection", "close" if status in (411, 413) else "keep-alive")  # a part may be unread
        self.end_headers()
        self.wfile.write(json.dumps(out).encode())
    do_POST = do_GET = serve

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1] if len(sys.argv) > 1 else 3000)), Payments).serve_forever()
