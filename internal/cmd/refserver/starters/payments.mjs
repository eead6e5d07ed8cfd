// A payment app: it accepts every payment and every refund. Run: node payments.mjs 3000
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
const taken = new Map(); // by attempt
let last = Promise.resolve(); // calls are answered one at a time; your database has a unique key
for (const line of existsSync(journal) ? readFileSync(journal, "utf8").trim().split("\n") : []) {
  taken.set(JSON.parse(line).attempt, JSON.parse(line));
}

// Written before and after money moves, so that a restarted program can look for an operation that it had begun.
function note(made) {
  appendFileSync(journal, JSON.stringify(made) + "\n");
  taken.set(made.attempt, made);
}

async function call(path, body) {
  const headers = { Authorization: `Bearer ${token}`, "User-Agent": "Payments (you@example.com)", ...json };
  const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
  const res = await fetch(`${base}/v1/${store}${path}`, { ...sent, headers, signal: AbortSignal.timeout(10000) });
  const text = await res.text();
  if (!res.ok && (body || res.status !== 404)) throw new Error(`${path}: ${res.status} ${text}`);
  return res.ok ? JSON.parse(text) : []; // an empty list may be answered 404
}

// The platform signs URL|timestamp|hash of the body. The URL is the registered one, whatever the header Host says.
function signed(req, body) {
  const at = req.headers["x-timestamp"] ?? "";
  if (!/^\d{1,12}$/.test(at) || Math.abs(Date.now() / 1000 - Number(at)) > 300) return false;
  const text = `${origin}${req.url}|${at}|${createHash("sha256").update(body).digest("hex")}`;
  return verify("sha256", Buffer.from(text), key, Buffer.from(req.headers["x-signature"] ?? "", "base64"));
}

// The transaction of an attempt, which an earlier call may have made whose answer was lost.
const find = async ({ order, attempt }) =>
  (await call(`/orders/${order}/transactions`)).find(({ info }) => info.external_id === attempt);

// Money moves here: the card is charged, with the id of the attempt as the key. Then the platform gets the transaction.
async function charge(made, { payment_provider_id, payment_method }) {
  const found = (await find(made)) ?? (await call(`/orders/${made.order}/transactions`, {
    payment_provider_id,
    payment_method,
    first_event: { type: "sale", status: "success", authorization_code: "A1", amount: made.amount },
    info: { external_id: made.attempt, installments: { quantity: 1 }, ...refunds },
  }));
  note({ ...made, id: found.id });
}

// Money moves back here, with the key: all that is left, or an amount. The message shows an earlier report of it.
async function giveBack({ order, id, amount: all }, amount, message) {
  const path = `/orders/${order}/transactions/${id}`;
  const { events, captured_amount: captured, refunded_amount: refunded } = await call(path);
  amount ??= { ...all, value: (captured.value - refunded.value).toFixed(2) };
  const event = { type: "refund", status: "success", authorization_code: "R1", amount, info: { message } };
  if (Number(amount.value) && events.every(({ info }) => info?.message !== message)) await call(`${path}/events`, event);
}

// The platform waits 20 seconds. A call may come twice: each moves money once.
async function answer(path, query, ask, signature) {
  const all = [...taken.values()];
  const of = all.filter(({ order }) => String(order) === query.get("order_id"));
  if (path === "/status") return [200, { transactions: of }];
  const attempt = ask.payment_attempt_id ?? query.get("payment_attempt_id");
  let made = taken.get(attempt) ?? { attempt };
  if (path === "/process" && made.cancelled && !made.id) return [409, {}]; // the cancellation came first
  if (path === "/process") {
    if (!made.id) note((made = { ...made, order: ask.order_id, amount: ask.amount }));
    if (!made.id) await charge(made, ask);
    return [201, {}];
  }
  if (path === "/cancel") {
    const id = made.id ?? (made.order && (await find(made))?.id);
    note({ ...made, id, cancelled: true });
    if (id) await giveBack({ ...made, id }, null, `cancel ${attempt}`);
    return [200, {}];
  }
  made = all.find(({ id }) => id && id === ask.transaction_id);
  if (!made) return [422, { error_code: "refund_rejected" }];
  const call = createHash("sha256").update(signature).digest("hex").slice(0, 32); // no id: equal calls of one second are one
  await giveBack(made, ask.amount, `refund ${call}`);
  return [202, {}];
}

createServer((req, res) => {
  const send = (status, body = {}) => res.writeHead(status, json).end(JSON.stringify(body));
  const [path, parameters] = req.url.split("?"); // any text, of any stranger
  const query = new URLSearchParams(parameters);
  if (!/^(POST .(process|cancel|refunds)|GET .status)$/.test(`${req.method} ${path}`)) return send(405);
  const chunks = [];
  let size = 0;
  req.on("data", (chunk) => (size += chunk.length) <= most && chunks.push(chunk));
  req.on("end", () => {
    const body = Buffer.concat(chunks);
    if (size > most || !signed(req, body)) return send(size > most ? 413 : 401);
    const failed = (err) => (console.error(err.message), send(503));
    const ask = () => JSON.parse(body.length > 0 ? body : "{}");
    last = last.then(() => answer(path, query, ask(), req.headers["x-signature"])).then((out) => send(...out), failed);
  });
}).listen(Number(process.argv[2] ?? 3000), "127.0.0.1");
