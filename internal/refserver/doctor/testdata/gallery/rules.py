"""Business rules, with at most one bug. Run: python3 rules.py PORT [BUG]

It hides the second way to pay and the second way of delivery from large purchases, prefers the location in the province
of the buyer, and blocks purchases without a document of identity above a limit.
"""
import json, sys, time
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, BUG = int(sys.argv[1]), (sys.argv[2] if len(sys.argv) > 2 else "")
COMMANDS = {"payments": "filter_payments_options", "shipping": "filter_shipping_options",
            "location": "location_prioritization", "cart": "block_checkout"}
OPTIONS = {"payments": json.loads(sys.argv[3])} if len(sys.argv) > 3 else {}
LARGE = Decimal("1000")
state = {"calls": 0, "total": None, "places": None}


def locations(ask):
    places = ask["locations"]
    if BUG == "remembers the places":
        state["places"] = places = state["places"] or places
    near = lambda place: (place["address"]["province"] or "") != (ask["shipping"].get("province") or "")
    ordered = sorted(places, key=lambda place: (near(place), place["priority"], place["id"]))
    out = [{"id": place["id"], "priority": n} for n, place in enumerate(ordered)]
    if BUG == "priorities as texts":
        out = [{"id": one["id"], "priority": str(one["priority"])} for one in out]
    if BUG == "a place twice":
        out += out[:1]
    if BUG == "a place of its own":
        out.append({"id": "01GQ2ZHK064BQRHGDB7CCV0Y6N", "priority": 9})
    if BUG == "places without an order":
        out = [{"id": one["id"]} for one in out]
    if BUG == "no place at all":
        out = []
    return {"location_prioritization": out}


def options(ask, domain, total):
    if total < LARGE and BUG not in ("hides every way to pay", "ids as numbers", "an option by its name", "no code"):
        return None
    if domain == "shipping":
        if BUG not in ("an option that has gone", "ids as numbers", "no code"):
            return None
        hidden = {"id": "77", "option_id": "78", "code": "express"}
        if BUG == "no code":
            del hidden["code"]
        if BUG == "ids as numbers":
            hidden["id"] = 77
        return {"filtered_options": [hidden]}
    hidden = OPTIONS.get("payments", [])[:1]
    if BUG == "an option by its name":
        return {"filtered_options": [{"id": hidden[0]["id"], "option_id": "Cash on delivery"}]}
    if BUG == "hides every way to pay":
        hidden = OPTIONS.get("payments", [])
    return {"options": hidden} if BUG == "another list" else {"filtered_options": hidden}


def rule(ask):
    domain = ask["details"]["domain"]
    if BUG == "knows one currency" and ask["currency"] != "ARS":
        raise KeyError(ask["currency"])
    if BUG == "counts stock" and any(line["stock"] + 0 < 0 for line in ask["products"]):
        return None
    if BUG == "the first product" and not ask["products"][0]:
        return None
    if BUG == "guests alone" and ask["customer"]["id"] is not None:
        raise ValueError("a buyer")
    if BUG == "an address is there" and domain != "payments" and not ask["shipping"]["city"].strip():
        return None
    if BUG == "a call for each product":
        time.sleep(0.01 * len(ask["products"]))
    if BUG == "categories have parents" and [c["parent"] + 1 for line in ask["products"] for c in line["categories"]] == 0:
        return None
    if BUG == "prices without cents":
        sum(int(line["price"].removesuffix(".00")) for line in ask["products"])
    if BUG == "writes ASCII":
        json.dumps(ask["shipping"]["city"] if "shipping" in ask else "", ensure_ascii=False).encode("ascii")
    total = Decimal(ask["totals"]["total"])
    if BUG == "shares a variable":
        state["total"] = total
        time.sleep(0.004)
        total = state["total"]
    if domain == "location":
        return {"command": COMMANDS[domain], "detail": locations(ask)}
    if domain == "cart":
        state["calls"] += 1
        if BUG == "blocks each third" and state["calls"] % 3 == 0:
            return {"command": COMMANDS[domain], "detail": {}}
        if total < LARGE * 100:
            return None
        return {"command": COMMANDS[domain], "detail": {}}
    detail = options(ask, domain, total)
    if detail is None:
        return None
    command = "hide_options" if BUG == "a command of its own" else COMMANDS[domain]
    return {"command": command, "detail": [detail] if BUG == "details as a list" else detail}


class Rules(BaseHTTPRequestHandler):
    protocol_version, timeout = "HTTP/1.1", 10

    def log_message(self, *args):
        pass

    def body(self):
        chunked = "chunked" in self.headers.get("Transfer-Encoding", "")
        if not chunked:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if len(body) != int(self.headers.get("Content-Length", 0)):
                raise ConnectionError("cut short")
            return body
        body = b""
        while size := int(self.rfile.readline(20).split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline(3)
        self.rfile.readline(3)
        return body

    def do_POST(self):
        status, out = 204, None
        try:
            body = self.body()
            if BUG == "slow":
                time.sleep(0.9)
            if len(body) > 1 << 20:
                status = 413
            else:
                out = self.decide(json.loads(body))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as err:
            status = 500 if BUG and not isinstance(err, json.JSONDecodeError) else 400
            if BUG == "blocks if it fails":
                out = {"command": "block_checkout", "detail": {}}
        if BUG == "always 500":
            status, out = 500, None
        if BUG == "no rule is null" and status == 204 and out is None:
            status, raw = 200, b"null"
        else:
            raw = b"" if out is None else json.dumps(out).encode()
        self.send_response(200 if out is not None else status)
        if status != 204 or out is not None:
            self.send_header("Content-Length", str(len(raw)))
            self.send_header("Content-Type", "application/json")
        if status == 413:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(raw if status != 204 or out is not None else b"")

    def decide(self, ask):
        if not isinstance(ask, dict) or not isinstance(ask.get("details"), dict):
            raise json.JSONDecodeError("another form", "", 0)
        domain = ask["details"]["domain"]
        if domain not in COMMANDS:
            return {"command": "block_checkout", "detail": {}} if BUG == "blocks what it does not know" else None
        return rule(ask)


class Server(ThreadingHTTPServer):
    request_queue_size, daemon_threads = 100, True


Server(("127.0.0.1", PORT), Rules).serve_forever()
