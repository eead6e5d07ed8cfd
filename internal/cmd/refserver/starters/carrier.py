"""A carrier that answers rates. Run: python3 carrier.py 3000

The rates depend only on the parcel, its origin and its destination: for 15 minutes the platform uses the answer for
all requests with the same three.
"""
import datetime, json, math, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MOST = 1 << 20  # bytes of a body
COUNTRIES = ["AR", "BR", "MX", "CL", "CO"]


class Refusal(Exception):
    """A refusal is answered 4xx: the checkout then shows the fallback option of the merchant."""


def rates(ask):
    grams = sum(item["grams"] * item["quantity"] for item in ask["items"])
    if ask["destination"]["country"] not in COUNTRIES:
        raise Refusal(422, "we do not go there")
    if grams > 30_000:
        raise Refusal(422, "it is too heavy")
    far = ask["origin"]["province"] != ask["destination"]["province"]
    price = 1000 + 500 * math.ceil(grams / 1000) + (700 if far else 0)
    return [{
        "name": option["name"],
        "code": option["code"],  # of an option of the carrier; each code at most once
        "type": "ship",
        "price": price * (i + 1),
        "currency": ask["currency"],
        "min_delivery_date": day(2),
        "max_delivery_date": day(6 if far else 3),
        "reference": f"{option['code']}-{grams}g",  # stored with the order
    } for i, option in enumerate(ask["carrier"]["options"])]


def day(later):
    """The date in some days, at noon, with an offset."""
    return f"{datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=later):%Y-%m-%dT12:00:00+00:00}"


class Rates(BaseHTTPRequestHandler):
    """Whoever knows the address can ask for rates. If they are secret, put a token into it."""
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
        try:
            status, answer = 200, {"rates": rates(json.loads(self.body()))}
        except Refusal as err:
            status, answer = err.args[0], {"message": err.args[1]}
        except (ValueError, TypeError, KeyError) as err:
            print("not a request for rates:", err, file=sys.stderr)
            status, answer = 400, {"message": "not a request for rates"}
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if status == 400:
            self.send_header("Connection", "close")  # a part of the body may be unread
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1] if len(sys.argv) > 1 else 3000)), Rates).serve_forever()
