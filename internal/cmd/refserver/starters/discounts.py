"""A discount app: 10 % off each line of three pieces or more. Run: python3 discounts.py 3000

The variables COMMERCE_BASE_URL, COMMERCE_STORE_ID and COMMERCE_TOKEN are those of "refserver env". ORIGIN is the https
address at which the platform reaches this program.
"""
import json, os, sys, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASE, STORE, TOKEN = (os.environ["COMMERCE_" + name] for name in ("BASE_URL", "STORE_ID", "TOKEN"))
ORIGIN = os.environ.get("ORIGIN", "https://app.example")
ALLOWED = os.environ.get("ALLOWED", "127.0.0.1").split(",")  # carts are not signed: the platform's addresses
MOST = 1 << 20  # bytes of a body


def call(method, path, body=None):
    headers = {"Authentication": f"bearer {TOKEN}", "User-Agent": "App (me@a.example)", "Content-Type": "application/json"}
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(f"{BASE}/v1/{STORE}{path}", data, headers, method=method)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.loads(answer.read() or b'{"data": null}')["data"]


def install():
    """The promotion is created only once, however often the program starts."""
    found = [p for p in call("GET", "/promotions") if p["name"] == "Three or more"]
    call("PUT", "/discounts/callbacks", {"url": ORIGIN + "/carts"})
    return (found or [call("POST", "/promotions", {"name": "Three or more", "allocation_type": "line_item"})])[0]["id"]


def commands(cart):
    """Derives the discounts from the cart. Lines that no longer qualify lose theirs, which 204 would keep."""
    if cart["execution_tier"] != "line_item":
        return
    due = [str(line["id"]) for line in cart["products"] if line["quantity"] >= 3]
    had = [str(line) for p in cart["promotions"] if p["id"] == PROMOTION for line in p["line_items"]]
    if due:
        lines = [{"line_item": line, "discount_specs": {"type": "percentage", "amount": "10.00"}} for line in due]
        specs = {"promotion_id": PROMOTION, "currency": cart["currency"], "line_items": lines}
        yield {"command": "create_or_update_discount", "specs": specs}
    if lost := [line for line in had if line not in due]:
        scope = {"scope": "line_item", "promotion_id": PROMOTION, "line_items": lost}
        yield {"command": "remove_discount", "specs": scope}


class Carts(BaseHTTPRequestHandler):
    protocol_version, timeout = "HTTP/1.1", 10  # seconds for a sender that stops

    def body(self):
        """The body has a length, or it comes in chunks, each with its size in hexadecimal digits before it."""
        chunked = "chunked" in self.headers.get("Transfer-Encoding", "")
        size = lambda: int(self.rfile.readline(20).split(b";")[0], 16)
        body, sizes = b"", iter(size, 0) if chunked else [int(self.headers.get("Content-Length", 0))]
        for size in sizes:
            part = self.rfile.read(size) if 0 <= size <= MOST - len(body) else b""
            if len(part) != size or chunked and self.rfile.readline(3) != b"\r\n":
                raise ValueError("too large, or cut short")
            body += part
        return body if not chunked or self.rfile.readline(3) else b""

    def do_POST(self):
        """The answer must arrive within 800 ms: nothing here waits for another program."""
        if self.client_address[0] not in ALLOWED:
            return self.send_error(403)
        try:
            cart = json.loads(self.body())
            every = list(commands(cart))
        except (ValueError, TypeError, KeyError) as err:
            print("not a cart:", err, file=sys.stderr)
            return self.send_error(204)  # another status removes all discounts of the cart
        known = str(cart["store_id"]) == STORE
        body = json.dumps({"commands": every}).encode() if every and known else b""
        self.send_response(310 if not known else 200 if body else 204)  # 310: the app is not installed there
        if body or not known:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


PROMOTION = install()
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1] if len(sys.argv) > 1 else 3000)), Carts).serve_forever()
