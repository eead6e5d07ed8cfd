// Verifies the vectors with the standard library of Node: node verify.mjs
// Copy the functions into a program that receives calls of the platform.
import { createHash, createHmac, timingSafeEqual, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

// webhook reports whether a delivery comes from the platform. body is a Buffer with the bytes of the request, and
// signature is the header, undefined or empty if it is missing.
export function webhook(secret, body, signature) {
  const want = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  const got = Buffer.from(signature ?? '')
  return secret !== '' && got.length === want.length && timingSafeEqual(got, want)
}

// payment reports whether a call comes from the platform. url is the registered address with the query of the call,
// and now is in seconds. timestamp and signature are the headers, undefined or empty if they are missing.
export function payment(publicKey, url, timestamp, body, signature, now) {
  if (!/^[0-9]{1,12}$/.test(timestamp ?? '') || Math.abs(now - Number(timestamp)) > 300) return false
  const raw = Buffer.from(signature ?? '', 'base64')
  if (raw.toString('base64') !== signature) return false // Buffer skips what is no Base64
  const hash = createHash('sha256').update(body).digest('hex')
  return verify('sha256', Buffer.from(`${url}|${timestamp}|${hash}`), publicKey, raw)
}

const md5 = text => createHash('md5').update(text).digest('hex')

const vectors = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8'))
const checked = vectors.webhooks.length + vectors.payments.calls.length + vectors.rates.length
function check(kind, vector, got) {
  if (got !== vector.valid) {
    console.error(`${kind} ${JSON.stringify(vector)}: got ${got}`)
    process.exitCode = 1
  }
}
for (const v of vectors.webhooks) check('webhook', v, webhook(v.secret, Buffer.from(v.body), v.signature))
for (const v of vectors.payments.calls) {
  check('payment', v, payment(vectors.payments.public_key, v.url, v.timestamp, Buffer.from(v.body), v.signature, v.now))
}

// Headers that no platform writes: missing, empty, twice, garbage, or with letters beyond ASCII.
const odd = signature => [undefined, null, '', ' ', '0', 'null', '!!!!', 'é', '\udcff', `${signature}, ${signature}`,
  signature.slice(0, -1), 'A'.repeat(5000)]
const hook = vectors.webhooks.find(v => v.valid)
for (const s of odd(hook.signature)) {
  check('webhook', { odd: s, valid: false }, webhook(hook.secret, Buffer.from(hook.body), s))
}
const call = vectors.payments.calls.find(v => v.valid)
const verified = (timestamp, signature) =>
  payment(vectors.payments.public_key, call.url, timestamp, Buffer.from(call.body), signature, call.now)
for (const s of [...odd(call.timestamp), '9'.repeat(5000), '٣']) {
  check('payment', { odd: s, valid: false }, verified(s, call.signature))
}
for (const s of odd(call.signature)) check('payment', { odd: s, valid: false }, verified(call.timestamp, s))
for (const v of vectors.rates) {
  const ends = v.items.every(item => v.input.includes(md5(item)))
  check('rates', { ...v, valid: true }, ends && md5(v.input) === v.key)
}
console.log(`${checked} vectors`)
