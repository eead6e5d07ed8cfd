// Verifies the vectors with the standard library of Node: node verify.mjs
// Copy the functions into a program that receives calls of the platform.
import { createHash, createHmac, timingSafeEqual, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

// webhook reports whether a delivery comes from the platform. body is a Buffer with the bytes of the request.
export function webhook(secret, body, signature) {
  const want = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  const got = Buffer.from(signature ?? '')
  return secret !== '' && got.length === want.length && timingSafeEqual(got, want)
}

// payment reports whether a call comes from the platform. url is the registered address with the query of the call,
// and now is in seconds.
export function payment(publicKey, url, timestamp, body, signature, now) {
  if (!/^[0-9]+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > 300) return false
  const hash = createHash('sha256').update(body).digest('hex')
  return verify('sha256', Buffer.from(`${url}|${timestamp}|${hash}`), publicKey, Buffer.from(signature, 'base64'))
}

const md5 = text => createHash('md5').update(text).digest('hex')

const vectors = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8'))
let checked = 0
function check(kind, vector, got) {
  checked++
  if (got !== vector.valid) {
    console.error(`${kind} ${JSON.stringify(vector)}: got ${got}`)
    process.exitCode = 1
  }
}
for (const v of vectors.webhooks) check('webhook', v, webhook(v.secret, Buffer.from(v.body), v.signature))
for (const v of vectors.payments.calls) {
  check('payment', v, payment(vectors.payments.public_key, v.url, v.timestamp, Buffer.from(v.body), v.signature, v.now))
}
for (const v of vectors.rates) {
  const ends = v.items.every(item => v.input.includes(md5(item)))
  check('rates', { ...v, valid: true }, ends && md5(v.input) === v.key)
}
console.log(`${checked} vectors`)
