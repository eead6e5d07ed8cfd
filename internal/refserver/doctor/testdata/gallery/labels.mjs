// An app that makes labels, with at most one bug. Run: node labels.mjs PORT [BUG]
// It has the variables of "refserver env". Its addresses are below /labels/TOKEN.
import { createServer } from "node:http";
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const [, , port, bug = ""] = process.argv;
const { COMMERCE_BASE_URL: base, COMMERCE_STORE_ID: store, COMMERCE_TOKEN: token } = process.env;
const most = 1 << 20;
const journal = process.env.JOURNAL ?? "labels.ndjson"; // a database takes its place
const made = new Map(); // labels by id
const canceled = new Set();
const before = new Set(); // ids from before the start
let count = 0;
let last;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const json = { "Content-Type": "application/json" };

function note(label) {
  if (!made.has(label.id)) count++;
  appendFileSync(journal, JSON.stringify(label) + "\n");
  made.set(label.id, label);
}

async function report(label, status, more = {}) {
  const one = { id: bug === "reports another label" ? label.id.slice(0, -4) + "0000" : label.id, status, ...more };
  const sent = await fetch(`${base}/unstable/${store}/fulfillment-orders/labels/status`, {
    method: "PATCH",
    headers: { ...json, Authorization: `Bearer ${token}`, "User-Agent": "Labels (labels@app.example)" },
    body: JSON.stringify([{ id: label.order, labels: [one] }]),
  });
  await sent.text();
  return sent.ok;
}

// A number is bought for each label. What the platform has not accepted is reported again after a start.
async function print(label, number = `TR${process.pid}-${count}`) {
  if (bug !== "forgets") note({ ...label, number });
  const scheme = bug === "documents of an empty type" ? "" : "LABEL";
  const document = { type: scheme, format: "PDF", size: 1000, download_url_from_app: `https://post.example/${label.id}.pdf` };
  const documents = bug === "ready without documents" ? [] : [document];
  if (bug !== "ready before it begins") await report(label, "IN_PROGRESS");
  const ready = bug === "ready with a status of its own" ? "READY" : "READY_TO_DOWNLOAD";
  const tracking = { code: number, url: `https://post.example/${number}` };
  if (await report(label, ready, { documents, tracking_info: tracking })) note({ ...label, number, ready: true });
}

for (const line of existsSync(journal) && bug !== "forgets" ? readFileSync(journal, "utf8").trim().split("\n") : []) {
  made.set(JSON.parse(line).id, JSON.parse(line));
  before.add(JSON.parse(line).id);
}
for (const label of made.values()) {
  if (!label.ready) print(label, label.number);
}

// What a label says: who gets it, and how heavy it is.
function read(label) {
  const { recipient, line_items: items, destination } = label.fulfillment_order_info;
  if (bug === "500 without a phone" && recipient.phone.length < 1) return 0;
  if (bug === "500 without an email" && !recipient.email.includes("@")) return 0;
  if (bug === "500 without a street number" && destination.number.trim() === "") return 0;
  if (bug === "500 for letters") Buffer.from(btoa(recipient.name), "base64");
  let grams = 0;
  for (const item of items) {
    const size = item.unit_dimension;
    if (bug === "500 without a size" && size.width.toFixed(1) === "0.0") return 0;
    if (bug === "500 without a weight" && !(size.weight > 0)) throw new RangeError("nothing weighs nothing");
    grams += (size?.weight ?? 0) * 1000 * item.quantity;
  }
  return Math.round(grams);
}

async function generate(labels) {
  if (bug === "500 for several" && labels.length > 1) throw new Error("one label at a time");
  if (bug === "makes the first label alone") labels = labels.slice(0, 1);
  const parts = [];
  for (const label of labels) {
    read(label);
    if (bug === "one after the other") await pause(120);
    const known = made.has(label.id);
    if (bug === "409 for a repeated call" && known) return [409, { message: "it is there" }];
    const { id, fulfillment_order_info: { id: order } } = label;
    if (bug === "refuses labels of before" && before.has(id)) return [409, { message: "it is ready" }];
    if (!known) note({ id, order });
    if (!known || bug === "makes a label for each call") setTimeout(() => print({ id, order }), 5);
    const refused = bug === "refuses a repeated call" && known;
    parts.push({ id: label.id, status: refused ? "FAILED" : "OK", ...(refused && { reason: { type: "TWICE", message: "twice" } }) });
  }
  if (bug === "shares a variable") {
    last = parts;
    await pause(3);
    return [207, last];
  }
  if (bug === "207 as an object") return [207, { labels: parts }];
  if (bug === "207 with label_id") return [207, parts.map((part) => ({ label_id: part.id, status: part.status }))];
  if (bug === "207 in small letters") return [207, parts.map((part) => ({ ...part, status: "ok" }))];
  if (bug === "302 to a queue") return [302, null];
  if (bug === "refuses a repeated call") return [207, parts];
  return [202, null];
}

function undo(labels, act) {
  if (bug === "reads the list of generate") labels = labels.map((label) => ({ label_id: label.id.toUpperCase() }));
  if (bug === "500 for suspensions" && act === "suspension") throw new Error("not implemented");
  if (bug === "404 for cancellations" && act === "cancel") return [404, null];
  let parts = labels.map(({ fulfillment_order_id, label_id }) => {
    const part = { fulfillment_order_id, label_id, status: "OK" };
    if (bug === "500 for an unknown label" && !made.has(label_id)) throw new TypeError("undefined label");
    if (act !== "cancel") return part;
    const unknown = !made.has(label_id);
    const twice = bug === "cancels once" && canceled.has(label_id);
    canceled.add(label_id);
    if (unknown || twice) return { ...part, status: "FAILED", reason: { code: "CARRIER_CANCELLATION_REJECTED", message: "no" } };
    if (bug === "a code of its own") return { ...part, status: "FAILED", reason: { code: "GONE", message: "It has left." } };
    if (bug === "a reason as a text") return { ...part, status: "FAILED", reason: "It has left." };
    return part;
  });
  if (bug === "cancels the first label alone" && act === "cancel") parts = parts.slice(0, 1);
  if (bug === "cancellations as a list") return [207, parts];
  return [207, { labels: parts }];
}

async function answer(req, body, size) {
  if (bug === "ends at an odd address") new URL(req.url, "https://post.example");
  const act = /^\/labels\/6f1c8a\/(generate|cancel|suspension|reactivate)$/.exec(req.url)?.[1];
  const open = /\/(generate|cancel|suspension|reactivate)$/.exec(req.url.split("?")[0])?.[1];
  if (!act && !(open && bug === "any token")) return [bug === "generates at any path" ? 202 : 404, null];
  if (req.method !== "POST") return [405, null];
  if (bug === "always 500") return [500, null];
  if (bug === "slow" && act === "generate") await pause(5100);
  if (size > most) return [413, null];
  let asked;
  try {
    asked = JSON.parse(body);
    if (bug === "500 for another form" && asked !== null) asked.length ?? asked.labels.length;
    else if ((act ?? open) === "generate" ? !Array.isArray(asked) || !asked.every((l) => l?.id && l.fulfillment_order_info)
      : !Array.isArray(asked?.labels) || !asked.labels.every((l) => l?.label_id)) throw new SyntaxError("another form");
  } catch (err) {
    if (bug === "500 for another form" && err instanceof TypeError) return [500, null];
    return [bug === "202 for malformed" ? 202 : 400, bug === "shows its stack" ? { error: err.stack } : null];
  }
  try {
    return (act ?? open) === "generate" ? await generate(asked) : undo(asked.labels, act ?? open);
  } catch (err) {
    return [500, { error: "internal error" }];
  }
}

createServer((req, res) => {
  const chunks = [];
  let size = 0;
  req.on("data", (chunk) => (size += chunk.length) <= most && chunks.push(chunk));
  req.on("end", async () => {
    const [status, out] = await answer(req, Buffer.concat(chunks), size);
    if (status === 302) res.setHeader("Location", "/queue");
    res.writeHead(status, out === null ? {} : json).end(out === null ? "" : JSON.stringify(out));
  });
}).listen(Number(port), "127.0.0.1");
