"""A carrier that makes labels. Run: python3 labels.py 3000

It has the variables of "refserver env". The calls are not signed: put a random text into the registered address, for
example https://HOST/6f1c8a, and start the program with LABELS=/6f1c8a."""
import contextlib, json, os, pathlib, sys, threading, time, urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
URL = f"{os.environ['COMMERCE_BASE_URL']}/unstable/{os.environ['COMMERCE_STORE_ID']}/fulfillment-orders/labels/status"
CALLS = {os.environ.get("LABELS", "") + f"/{act}": act for act in ("generate", "cancel", "suspension", "reactivate")}
MOST, JOURNAL = 1 << 20, pathlib.Path("labels.ndjson")  # bytes of a body; your database takes the place of the file
labels, writing = {}, threading.Lock()  # by id: {id, order, number, ready, cancelled}

def note(id, **changed):
    changed = {"id": id, **labels.get(id, {}), **changed}
    with JOURNAL.open("a") as journal:
        journal.write(json.dumps(changed) + "\n")
    labels[id] = changed

for line in JOURNAL.read_text().splitlines() if JOURNAL.exists() else []:
    labels[json.loads(line)["id"]] = json.loads(line)

def report(label, status, **more):
    headers = {"Authorization": "Bearer " + os.environ["COMMERCE_TOKEN"], "User-Agent": "Labels (you@example.com)"}
    body = json.dumps([{"id": label["order"], "labels": [{"id": label["id"], "status": status, **more}]}]).encode()
    asked = urllib.request.Request(URL, body, {"Content-Type": "application/json", **headers}, method="PATCH")
    urllib.request.urlopen(asked, timeout=10).close()

def make(label):
    """A label is bought here, once, with its id as the key. A first report that has arrived already is refused."""
    number, page = "TR" + label["id"][-10:], "https://labels.example/" + label["id"]
    document = {"type": "LABEL", "format": "PDF", "size": 1000, "download_url_from_app": page + ".pdf"}
    with contextlib.suppress(urllib.error.HTTPError):
        report(label, "IN_PROGRESS")
    report(label, "READY_TO_DOWNLOAD", documents=[document], tracking_info={"code": number, "url": page})
    return number

def make_all():
    """What is neither ready nor cancelled is made, also after a restart and after a report that has failed."""
    while True:
        time.sleep(0.1)
        for label in [one for one in list(labels.values()) if not one.get("ready") and not one.get("cancelled")]:
            try:
                changed = {"number": make(label), "ready": True}
            except OSError as err:
                print(label["id"], err, file=sys.stderr)
                changed = {"ready": getattr(err, "code", 0) in (400, 404)}  # it is too late
                time.sleep(5)
            with writing:
                note(label["id"], **changed)

def answer(act, asked):
    """The platform waits 5 seconds. A call may come again, so a label that is known is not made again."""
    with writing:
        if act == "generate":
            new = [{"id": label["id"], "order": label["fulfillment_order_info"]["id"]} for label in asked]
            for one in new:
                one["id"] in labels or note(**one)
            return 202, {}
        parts = [{**label, "status": "OK"} for label in asked["labels"]]
        ids = [part["label_id"] for part in parts]
        for label_id in ids if act == "cancel" else []:
            note(label_id, cancelled=True)
        return 207, {"labels": parts}

class Labels(BaseHTTPRequestHandler):
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
        status, out = 404, {}
        try:
            asked = json.loads(self.body())
            if self.path in CALLS:
                status, out = answer(CALLS[self.path], asked)
        except (ValueError, TypeError, KeyError) as err:
            status = print("not a call for labels:", repr(err), file=sys.stderr) or 400
        self.send_response(status)
        self.send_header("Content-Length", str(len(json.dumps(out))))  # ASCII
        self.send_header("Connection", "close" if status == 400 else "keep-alive")  # a part may be unread
        self.end_headers()
        self.wfile.write(json.dumps(out).encode())

threading.Thread(target=make_all, daemon=True).start()
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1] if len(sys.argv) > 1 else 3000)), Labels).serve_forever()
