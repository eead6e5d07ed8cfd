"""Verifies the vectors with the standard library of Python: python3 verify.py

Copy the functions into a program that receives calls of the platform.
"""
import base64
import hashlib
import hmac
import json
import pathlib
import re
import sys


def webhook(secret, body, signature):
    """Reports whether a delivery comes from the platform.

    body has the bytes of the request. signature is the header, None or empty if it is missing.
    """
    want = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return secret != "" and hmac.compare_digest(want.encode(), (signature or "").encode(errors="replace"))


def read(der, at):
    """Returns the value of a DER element and the place after it."""
    length, at = der[at + 1], at + 2
    if length & 0x80:
        size = length & 0x7F
        length, at = int.from_bytes(der[at:at + size], "big"), at + size
    return der[at:at + length], at + length


def public_numbers(pem):
    """Returns the modulus and the exponent of an RSA key."""
    lines = [line for line in pem.strip().splitlines() if not line.startswith("-----")]
    outer, _ = read(base64.b64decode("".join(lines)), 0)
    _, at = read(outer, 0)  # the algorithm
    bits, _ = read(outer, at)
    key, _ = read(bits[1:], 0)
    n, at = read(key, 0)
    e, _ = read(key, at)
    return int.from_bytes(n, "big"), int.from_bytes(e, "big")


def payment(public_key, url, timestamp, body, signature, now):
    """Reports whether a call comes from the platform.

    url is the registered address with the query of the call, and now is in seconds. timestamp and signature are the
    headers, None or empty if they are missing.
    """
    if not re.fullmatch("[0-9]{1,12}", timestamp or "") or abs(now - int(timestamp)) > 300:
        return False
    digest = hashlib.sha256("|".join([url, timestamp, hashlib.sha256(body).hexdigest()]).encode()).digest()
    n, e = public_numbers(public_key)
    size = (n.bit_length() + 7) // 8
    try:
        raw = base64.b64decode(signature or "", validate=True)
    except ValueError:
        return False
    # PKCS #1 v1.5: the whole block is compared, so that nothing in it is parsed.
    prefix = bytes.fromhex("3031300d060960864801650304020105000420")
    block = b"\x00\x01" + b"\xff" * (size - len(prefix) - len(digest) - 3) + b"\x00" + prefix + digest
    if len(raw) != size:
        return False
    return hmac.compare_digest(pow(int.from_bytes(raw, "big"), e, n).to_bytes(size, "big"), block)


def odd(signature):
    """Headers that no platform writes: missing, empty, twice, garbage, or with letters beyond ASCII."""
    twice = signature + ", " + signature
    return [None, "", " ", "0", "null", "!!!!", "\u00e9", "\udcff", twice, signature[:-1], "A" * 5000]


def md5(text):
    return hashlib.md5(text.encode()).hexdigest()


def main():
    vectors = json.loads(pathlib.Path(__file__).with_name("vectors.json").read_text(encoding="utf-8"))
    key = vectors["payments"]["public_key"]
    results = [("webhook", v, v["valid"], webhook(v["secret"], v["body"].encode(), v["signature"]))
               for v in vectors["webhooks"]]
    results += [("payment", v, v["valid"],
                 payment(key, v["url"], v["timestamp"], v["body"].encode(), v["signature"], v["now"]))
                for v in vectors["payments"]["calls"]]
    results += [("rates", v, True, md5(v["input"]) == v["key"] and all(md5(i) in v["input"] for i in v["items"]))
                for v in vectors["rates"]]
    count = len(results)
    genuine = next(v for v in vectors["webhooks"] if v["valid"])
    results += [("webhook", {"odd": s}, False, webhook(genuine["secret"], genuine["body"].encode(), s))
                for s in odd(genuine["signature"])]
    genuine = next(v for v in vectors["payments"]["calls"] if v["valid"])
    for at, odds in ((0, odd(genuine["timestamp"]) + ["9" * 5000, "\u0663"]), (1, odd(genuine["signature"]))):
        for value in odds:
            headers = [genuine["timestamp"], genuine["signature"]]
            headers[at] = value
            got = payment(key, genuine["url"], headers[0], genuine["body"].encode(), headers[1], genuine["now"])
            results.append(("payment", {"odd": value}, False, got))
    wrong = [r for r in results if r[2] != r[3]]
    for kind, vector, _, got in wrong:
        print(kind, json.dumps(vector), "got", got, file=sys.stderr)
    print(count, "vectors")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
