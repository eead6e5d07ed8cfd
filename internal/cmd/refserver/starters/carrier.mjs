// A carrier that answers rates. Run: node carrier.mjs 3000
// The rates depend only on the parcel, its origin and its destination: for 15 minutes the platform uses the answer for
// all requests with the same three.
import { createServer } from "node:http";

const most = 1 << 20; // bytes of a body
const countries = ["AR", "BR", "MX", "CL", "CO"];

// A refusal is answered 4xx: the checkout then shows the fallback option of the merchant.
class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function rates(ask) {
  const grams = ask.items.reduce((sum, item) => sum + item.grams * item.quantity, 0);
  if (!countries.includes(ask.destination.country)) throw new Refusal(422, "we do not go there");
  if (grams > 30_000) throw new Refusal(422, "it is too heavy");
  const far = ask.origin.province !== ask.destination.province;
  const price = 1000 + 500 * Math.ceil(grams / 1000) + (far ? 700 : 0);
  return ask.carrier.options.map((option, i) => ({
    name: option.name,
    code: option.code, // of an option of the carrier; each code at most once
    type: "ship",
    price: price * (i + 1),
    price_merchant: price * (i + 1),
    currency: ask.currency,
    min_delivery_date: day(2),
    max_delivery_date: day(far ? 6 : 3),
    reference: `${option.code}-${grams}g`, // stored with the order
  }));
}

// The date in some days, at noon, with an offset.
function day(later) {
  return new Date(Date.now() + later * 86_400_000).toISOString().slice(0, 10) + "T12:00:00+00:00";
}

function answer(body) {
  try {
    return [200, { rates: rates(JSON.parse(body)) }];
  } catch (err) {
    if (err instanceof Refusal) return [err.status, { message: err.message }];
    console.error("not a request for rates:", err.message);
    return [400, { message: "not a request for rates" }];
  }
}

// Whoever knows the address can ask for rates. If they are secret, put a token into it.
createServer((req, res) => {
  const type = { "Content-Type": "application/json" };
  const send = (status, body) => res.writeHead(status, type).end(JSON.stringify(body));
  if (req.method !== "POST") return send(405, { message: "POST only" });
  const chunks = [];
  let size = 0;
  req.on("data", (chunk) => {
    if ((size += chunk.length) <= most) chunks.push(chunk);
  });
  req.on("end", () => send(...(size > most ? [413, { message: "too large" }] : answer(Buffer.concat(chunks)))));
}).listen(Number(process.argv[2] ?? 3000), "127.0.0.1");
