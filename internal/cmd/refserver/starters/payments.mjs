// A payment app: every payment is taken, and refunds are given. Run: node payments.mjs 3000
// It has the variables of "refserver env". ORIGIN is the https address that the platform calls. Register ORIGIN with
// /process, /cancel and /status. The payment provider of the store is made once, with POST /payment_providers.
import { createServer } from "node:http";
import { createHash, createPublicKey, verify } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const { COMMERCE_BASE_URL: base, COMMERCE_STORE_ID: store, COMMERCE_TOKEN: token } = process.env;
const key = createPublicKey(process.env.COMMERCE_PAYMENTS_KEY); // of the platform
const origin = process.env.ORIGIN ?? "https://app.example";
const refunds = { refund_url: `${origin}/refunds`, supports_partial_refund: true };
const json = { "Content-Type": "application/json" };
const [most, journal] = [1 << 20, "payments.ndjson"]; // bytes of a body; your database takes the place of the file
const taken = new Map(); // promises of transactions, by attempt
for (const line of existsSync(journal) ? readFileSync(journal, "utf8").trim().split("\n") : []) {
  taken.set(JSON.parse(line).attempt, Promise.resolve(JSON.parse(line)));
}

async function call(path, body) {
  const headers = { Authorization: `Bearer ${token}`, "User-Agent": "Payments (you@example.com)", ...json };
  const res = await fetch(`${base}/v1/${store}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await res.text();
  if (!res.ok) throw new Error(`POST ${path}: ${res.status} ${text}`);
  return JSON.parse(text);
}

// The platform signs URL|timestamp|hash of the body. The URL is the registered one, whatever the header Host says.
function signed(req, body) {
  const at = req.headers["x-timestamp"] ?? "";
  if (!/^\d{1,12}$/.test(at) || Math.abs(Date.now() / 1000 - Number(at)) > 300) return false;
  const text = `${origin}${req.url}|${at}|${createHash("sha256").update(body).digest("hex")}`;
  return verify("sha256", Buffer.from(text), key, Buffer.from(req.headers["x-signature"] ?? "", "base64"));
}

// Money moves here: the card is charged, with the id of the attempt as the key. Then the platform gets the transaction.
async function charge({ order_id: order, payment_provider_id, payment_attempt_id: attempt, payment_method, amount }) {
  const { id } = await call(`/orders/${order}/transactions`, {
    payment_provider_id,
    payment_method,
    first_event: { type: "sale", status: "success", authorization_code: "A1", amount },
    info: { external_id: attempt, installments: { quantity: 1 }, ...refunds },
  });
  const made = { attempt, order, id, amount };
  appendFileSync(journal, JSON.stringify(made) + "\n");
  return made;
}

// The platform waits 20 seconds. A call may come twice, also at once: an attempt is taken once.
async function answer(path, query, ask) {
  if (path === "/cancel") return [200, {}]; // a payment that was taken is given back by a refund
  if (path === "/process") {
    const attempt = ask.payment_attempt_id;
    if (!taken.has(attempt)) taken.set(attempt, charge(ask));
    await taken.get(attempt).catch((err) => (taken.delete(attempt), Promise.reject(err)));
    return [201, {}];
  }
  const all = await Promise.all(taken.values());
  const order = query.get("order_id");
  if (path === "/status") return [200, { transactions: all.filter((made) => String(made.order) === order) }];
  const made = all.find(({ id }) => id === ask.transaction_id);
  if (!made) return [422, { error_code: "refund_rejected" }];
  const event = { type: "refund", status: "success", authorization_code: "R1", amount: ask.amount };
  await call(`/orders/${made.order}/transactions/${made.id}/events`, event);
  return [202, {}];
}

createServer((req, res) => {
  const send = (status, body = {}) => res.writeHead(status, json).end(JSON.stringify(body));
  const { pathname: path, searchParams: query } = new URL(req.url, origin);
  if (!/^(POST .(process|cancel|refunds)|GET .status)$/.test(`${req.method} ${path}`)) return send(405);
  const chunks = [];
  let size = 0;
  req.on("data", (chunk) => (size += chunk.length) <= most && chunks.push(chunk));
  req.on("end", () => {
    const body = Buffer.concat(chunks);
    if (size > most || !signed(req, body)) return send(size > most ? 413 : 401);
    const failed = (err) => (console.error(err.message), send(503));
    answer(path, query, JSON.parse(body.length > 0 ? body : "{}")).then((out) => send(...out), failed);
  });
}).listen(Number(process.argv[2] ?? 3000), "127.0.0.1");
