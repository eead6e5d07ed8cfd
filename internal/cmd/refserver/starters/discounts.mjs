// A discount app: 10 % off each line of three pieces or more. Run: node discounts.mjs 3000
// The variables COMMERCE_BASE_URL, COMMERCE_STORE_ID and COMMERCE_TOKEN are those of "refserver env". ORIGIN is the
// https address at which the platform reaches this program.
import { createServer } from "node:http";

const { COMMERCE_BASE_URL: base, COMMERCE_STORE_ID: store, COMMERCE_TOKEN: token } = process.env;
const origin = process.env.ORIGIN ?? "https://app.example";
const allowed = (process.env.ALLOWED ?? "127.0.0.1").split(","); // carts are not signed: the platform's addresses
const most = 1 << 20; // bytes of a body

async function call(method, path, body) {
  const res = await fetch(`${base}/v1/${store}${path}`, {
    method,
    headers: {
      Authentication: `bearer ${token}`,
      "User-Agent": "Discounts (you@example.com)",
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
  });
  const text = await res.text();
  if (!res.ok) throw new Error(`${method} ${path}: ${res.status} ${text}`);
  return text && JSON.parse(text).data;
}

// The promotion is created only once, however often the program starts.
async function install() {
  const name = "Three or more";
  const found = (await call("GET", "/promotions")).find((p) => p.name === name);
  const { id } = found ?? (await call("POST", "/promotions", { name, allocation_type: "line_item" }));
  await call("PUT", "/discounts/callbacks", { url: `${origin}/carts` });
  return id;
}

// Each discount is derived from the cart. It is removed from lines that no longer qualify; 204 would leave it there.
function commands(cart) {
  if (cart.execution_tier !== "line_item") return [];
  const due = cart.products.filter((line) => line.quantity >= 3).map((line) => String(line.id));
  const had = cart.promotions.filter((p) => p.id === promotion).flatMap((p) => p.line_items).map(String);
  const lost = had.filter((id) => !due.includes(id));
  const off = (id) => ({ line_item: id, discount_specs: { type: "percentage", amount: "10.00" } });
  const all = [];
  if (due.length > 0) {
    const specs = { promotion_id: promotion, currency: cart.currency, line_items: due.map(off) };
    all.push({ command: "create_or_update_discount", specs });
  }
  if (lost.length > 0) {
    const specs = { scope: "line_item", promotion_id: promotion, line_items: lost };
    all.push({ command: "remove_discount", specs });
  }
  return all;
}

// The answer must arrive within 800 ms: nothing here waits for another program.
function answer(body) {
  let cart;
  try {
    cart = JSON.parse(body);
    if (String(cart.store_id) !== store) return [310]; // the app is not installed there
    const list = commands(cart);
    return list.length > 0 ? [200, JSON.stringify({ commands: list })] : [204];
  } catch (err) {
    console.error("not a cart:", err.message);
    return [204]; // another status removes all discounts of the cart
  }
}

const promotion = await install();
createServer((req, res) => {
  const send = (status, body) => res.writeHead(status, body && { "Content-Type": "application/json" }).end(body);
  if (!allowed.includes(req.socket.remoteAddress)) return send(403);
  if (req.method !== "POST") return send(405);
  const chunks = [];
  let size = 0;
  req.on("data", (chunk) => {
    if ((size += chunk.length) <= most) chunks.push(chunk);
  });
  req.on("end", () => send(...(size > most ? [413] : answer(Buffer.concat(chunks)))));
}).listen(Number(process.argv[2] ?? 3000), "127.0.0.1");
