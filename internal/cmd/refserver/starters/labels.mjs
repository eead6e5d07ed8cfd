// A carrier that makes labels. Run: node labels.mjs 3000
// It has the variables of "refserver env". The calls are not signed: put a random text into the registered address, for
// example https://HOST/6f1c8a, and start the program with LABELS=/6f1c8a.
import { createServer } from "node:http";
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const { COMMERCE_BASE_URL: base, COMMERCE_STORE_ID: store, COMMERCE_TOKEN: token, LABELS: below = "" } = process.env;
const json = { "Content-Type": "application/json" };
const [most, journal] = [1 << 20, "labels.ndjson"]; // bytes of a body; your database takes the place of the file
const labels = new Map(); // by id: { id, order, number, ready, cancelled }
for (const line of existsSync(journal) ? readFileSync(journal, "utf8").trim().split("\n") : []) {
  labels.set(JSON.parse(line).id, JSON.parse(line));
}

function note(label) {
  appendFileSync(journal, JSON.stringify(label) + "\n");
  labels.set(label.id, label);
}
async function report({ id, order }, status, more = {}) {
  const res = await fetch(`${base}/unstable/${store}/fulfillment-orders/labels/status`, {
    method: "PATCH",
    headers: { ...json, Authorization: `Bearer ${token}`, "User-Agent": "Labels (you@example.com)" },
    body: JSON.stringify([{ id: order, labels: [{ id, status, ...more }] }]),
    signal: AbortSignal.timeout(10000),
  });
  const text = await res.text();
  const final = [400, 404].includes(res.status); // another try would be refused too
  if (!res.ok) throw Object.assign(new Error(`${id} ${status}: ${res.status} ${text}`), { final });
}

// A label is bought here, once, with its id as the key. A first report that has arrived is refused.
async function make(label) {
  const [number, page] = [`TR${label.id.slice(-10)}`, `https://labels.example/${label.id}`];
  const documents = [{ type: "LABEL", format: "PDF", size: 1000, download_url_from_app: `${page}.pdf` }];
  await report(label, "IN_PROGRESS").catch((err) => console.error(err.message));
  await report(label, "READY_TO_DOWNLOAD", { documents, tracking_info: { code: number, url: page } });
  note({ ...labels.get(label.id), number, ready: true });
}

// What is neither ready nor cancelled is made, also after a restart and after a report that has failed.
async function makeAll() {
  let pause = 100; // milliseconds
  for (const label of [...labels.values()].filter(({ ready, cancelled }) => !ready && !cancelled)) {
    await make(label).catch((err) => {
      console.error(err.message);
      if (err.final) note({ ...label, ready: true });
      pause = 5000;
    });
  }
  setTimeout(makeAll, pause);
}

// The platform waits 5 seconds. A call may come again, so a label that is known is accepted and not made again.
function answer(act, body) {
  const asked = JSON.parse(body);
  if (act === "generate") {
    const made = asked.map(({ id, fulfillment_order_info: { id: order } }) => ({ id: id.trim(), order: order.trim() }));
    for (const label of made) if (!labels.has(label.id)) note(label);
    return [202, {}];
  }
  const ids = asked.labels.map(({ label_id }) => label_id.trim()); // an id that is missing is no text
  const parts = asked.labels.map((label) => ({ ...label, status: "OK" }));
  for (const id of ids) if (act === "cancel") note({ ...labels.get(id), id, cancelled: true });
  return [207, { labels: parts }];
}

createServer((req, res) => {
  const send = (status, body = {}) => res.writeHead(status, json).end(JSON.stringify(body));
  const act = ["generate", "cancel", "suspension", "reactivate"].find((act) => req.url === `${below}/${act}`);
  const [chunks, sizes] = [[], [0]];
  req.on("data", (chunk) => (sizes[0] += chunk.length) <= most && chunks.push(chunk));
  req.on("end", () => {
    if (!act || req.method !== "POST" || sizes[0] > most) return send(!act ? 404 : sizes[0] > most ? 413 : 405);
    try {
      send(...answer(act, Buffer.concat(chunks)));
    } catch (err) {
      console.error(err.message);
      send(400);
    }
  });
}).listen(Number(process.argv[2] ?? 3000), "127.0.0.1", makeAll);
