// Plays scenario.json on the control API whose address is the argument, and prints the digest of the state that it leaves.
// Then it writes through the API of the platform, with the token that info gives, and follows what comes of it.
import { readFile } from "node:fs/promises";

const control = process.argv[2];
const steps = JSON.parse(await readFile(new URL("scenario.json", import.meta.url), "utf8"));
const vars = {};

const text = (s) => s.replace(/\$\{(\w+)\}/g, (_, name) => vars[name]);
const value = (v) => {
  if (typeof v === "string") {
    const whole = v.match(/^\$\{(\w+)\}$/);
    return whole ? vars[whole[1]] : v;
  }
  if (Array.isArray(v)) return v.map(value);
  if (v && typeof v === "object") return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, value(x)]));
  return v;
};
const member = (v, path) => path.split(".").reduce((o, name) => o?.[name], v);

async function call(method, path, body, status = 200) {
  const sent = { method };
  if (body !== undefined) Object.assign(sent, { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  const answer = await fetch(control + path, sent);
  const got = await answer.text();
  if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${got}, want ${status}`);
  return JSON.parse(got);
}

// event returns the first event of a stream.
async function event(path, headers = {}) {
  const stop = new AbortController();
  const answer = await fetch(control + path, { signal: stop.signal, headers });
  let got = "";
  for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
    got += part;
    const data = got.match(/^data: (.*)\n\n/m);
    if (data) {
      stop.abort();
      return JSON.parse(data[1]);
    }
  }
  throw new Error(`${path}: the stream ended: ${got}`);
}

for (const step of steps) {
  const [method, ...rest] = step.call.split(" ");
  const path = text(rest.join(" "));
  const answer = step.stream ? await event(path) : await call(method, path, value(step.body), step.status);
  for (const [name, at] of Object.entries(step.save ?? {})) {
    vars[name] = member(answer, at);
    if (vars[name] === undefined) throw new Error(`${step.call}: no ${at} in ${JSON.stringify(answer)}`);
  }
}

const info = await call("GET", "info");
const made = await fetch(`${info.base_url}/v1/${info.store_id}/products`, {
  method: "POST",
  headers: { Authorization: `Bearer ${info.access_token}`, "Content-Type": "application/json", "User-Agent": "Control (dev@app.example)" },
  body: JSON.stringify({ name: { en: "From node" } }),
});
const product = await made.json();
if (made.status !== 201) throw new Error(`POST /products: ${made.status} ${JSON.stringify(product)}`);
const request = await event("requests/follow?after=0");
if (request.status !== 201 || request.answer?.id !== product.id) throw new Error(`requests/follow: ${JSON.stringify(request)}`);
const again = await call("GET", `requests/${request.seq}`);
if (again.operation !== "POST /products") throw new Error(`requests/${request.seq}: ${JSON.stringify(again)}`);
const entity = await call("GET", `stores/1001/entities/products/${product.id}`);
if (entity.name.en !== "From node") throw new Error(`entities: ${JSON.stringify(entity)}`);

console.log(vars.digest);
