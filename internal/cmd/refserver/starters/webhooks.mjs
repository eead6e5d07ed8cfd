// A receiver of webhooks. Run: node webhooks.mjs 3000
// The variable COMMERCE_APP_SECRET is the secret of the app; "refserver env" prints it for the reference server.
import { createServer } from "node:http";
import { createHmac, timingSafeEqual } from "node:crypto";
import { open } from "node:fs/promises";

const secret = process.env.COMMERCE_APP_SECRET;
if (!secret) throw new Error("COMMERCE_APP_SECRET must be set: with an empty secret anybody can sign");
const most = 1 << 20; // bytes of a body
const journal = await open("webhooks.ndjson", "a"); // your database takes its place

// The signature is an HMAC-SHA256, in hexadecimal digits, of exactly the bytes that arrived.
function genuine(body, signature) {
  const expected = Buffer.from(createHmac("sha256", secret).update(body).digest("hex"));
  const given = Buffer.from(signature ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

// A webhook is stored before it is answered. After an error the platform sends it again, for 48 hours.
async function accept(body) {
  try {
    await journal.appendFile(JSON.stringify(body.toString()) + "\n");
    await journal.sync();
  } catch (err) {
    console.error("webhooks.ndjson:", err.message);
    return 503;
  }
  setImmediate(work, body);
  return 200;
}

// Do your work here, after the answer, because the platform waits only 3 seconds. Read the record from the API: the
// webhook says only that it has changed. The same event may come twice, so remember in your database what must happen
// once, such as points for an order/paid, by event and id.
function work(body) {
  try {
    const { store_id: store, event, id } = JSON.parse(body);
    console.log("store", store, event, id ?? "");
  } catch (err) {
    console.error("not readable, but stored:", err.message);
  }
}

createServer((req, res) => {
  const answer = (status, headers) => res.writeHead(status, headers).end();
  if (req.method !== "POST") return answer(405, { Allow: "POST" });
  const chunks = [];
  let size = 0;
  req.on("data", (chunk) => {
    if ((size += chunk.length) <= most) chunks.push(chunk);
  });
  req.on("end", async () => {
    if (size > most) return answer(413);
    const body = Buffer.concat(chunks);
    if (!genuine(body, req.headers["x-platform-hmac-sha256"])) return answer(401);
    answer(await accept(body));
  });
}).listen(Number(process.argv[2] ?? 3000), "127.0.0.1");
