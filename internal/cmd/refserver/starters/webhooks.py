"""A receiver of webhooks. Run: python3 webhooks.py 3000

The variable COMMERCE_APP_SECRET is the secret of the app; "refserver env" prints it for the reference server.
"""
import hashlib, hmac, json, os, queue, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("COMMERCE_APP_SECRET") or sys.exit("COMMERCE_APP_SECRET must be set: else anybody can sign")
MOST = 1 << 20  # bytes of a body
journal = open("webhooks.ndjson", "a")  # your database takes its place
writing = threading.Lock()
accepted = queue.Queue()


def store(body):
    """A webhook is stored before it is answered. After an error the platform sends it again, for 48 hours."""
    with writing:
        print(json.dumps(body.decode(errors="replace")), file=journal, flush=True)
        os.fsync(journal.fileno())


def work():
    """Your work is done here, after the answer, for which the platform waits 3 seconds. Read the record from the API:
    the webhook says only that it has changed. The same event may come twice, so remember in your database what must
    happen once, such as points for an order/paid, by event and id."""
    while True:
        try:
            event = json.loads(accepted.get())
            print("store", event["store_id"], event["event"], event.get("id", ""), flush=True)
        except (ValueError, TypeError, KeyError) as err:
            print("not readable, but stored:", err, file=sys.stderr)


class Hooks(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10  # seconds for a sender that stops

    def read(self, size):
        """Reads exactly size bytes, of at most MOST."""
        body = self.rfile.read(size) if 0 <= size <= MOST else b""
        if len(body) != size:
            raise ValueError("too large, or cut short")
        return body

    def body(self):
        """The body has a length, or it comes in chunks, each with its size in hexadecimal digits before it."""
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline(20).split(b";")[0], 16):
            body += self.read(size if len(body) + size <= MOST else -1)
            self.rfile.readline(3)
        self.rfile.readline(3)
        return body

    def do_POST(self):
        status = 200
        try:
            body = self.body()
            # The signature is an HMAC-SHA256, in hexadecimal digits, of exactly the bytes that arrived.
            expected = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
            if hmac.compare_digest(expected.encode(), self.headers.get("x-platform-hmac-sha256", "").encode()):
                store(body)
                accepted.put(body)
            else:
                status = 401
        except ValueError:
            status = 413
        except OSError as err:
            status = print("webhooks.ndjson:", err, file=sys.stderr) or 503
        self.send_response(status)
        self.send_header("Content-Length", "0")
        if status == 413:
            self.send_header("Connection", "close")  # a part of the body is unread
        self.end_headers()


threading.Thread(target=work, daemon=True).start()
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1] if len(sys.argv) > 1 else 3000)), Hooks).serve_forever()
