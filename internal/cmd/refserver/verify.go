package main

import (
	"bytes"
	"context"
	"crypto/sha1" // tried because other platforms use it
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"hash"
	"io"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
)

func verifyCommand() command {
	return command{
		name: "verify", args: "FILE SIGNATURE", least: 2, most: 2, does: "checks the signature of a webhook, and reports why it does not match",
		lesson: `FILE has the body as your program received it, and SIGNATURE is the value of the header x-platform-hmac-sha256. If they
do not match, the command looks for the cause. It tries other forms of the body, such as a missing trailing newline or
JSON that was decoded and encoded again. It also tries other forms of the signature and of the secret, and other
algorithms. The exit status is 0 if they match and 1 if not.

    printf '{"store_id":1001,"event":"order/paid","id":5}' > body.json
    refserver verify body.json "$(refserver sign body.json)"
    printf '{"store_id": 1001, "event": "order/paid", "id": 5}\n' > parsed.json
    refserver verify parsed.json "$(refserver sign body.json)" || echo "status $?"`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var in secretFlags
			in.bind(f)
			return func(ctx context.Context, e *env) error {
				body, err := readFile(e.args[0])
				if err != nil {
					return err
				}
				secret, err := in.read(ctx, e)
				if err != nil {
					return err
				}
				found := compareSignature(secret, body, e.args[1])
				err = showValue(e, found, func(w io.Writer) {
					fmt.Fprintln(w, found.Says)
					if found.Fix != "" {
						fmt.Fprintln(w, "fix:", found.Fix)
					}
				})
				if err == nil && !found.OK {
					err = errFound
				}
				return err
			}
		},
	}
}

// compared is the result of comparing a signature.
type compared struct {
	OK   bool   `json:"ok"`
	Part string `json:"part"` // signature, body, secret or algorithm; "" if nothing differs or nothing was found
	Says string `json:"says"`
	Fix  string `json:"fix,omitempty"`
}

// variant is another form of a body, a secret or a signature.
type variant[T any] struct {
	of   T
	says string
	fix  string
}

// compareSignature reports whether a signature is that of a body, and otherwise which part differs.
func compareSignature(secret string, body []byte, signature string) compared {
	if signature == delivery.Sign(secret, body) {
		return compared{OK: true, Says: "the signature matches the body"}
	}
	for _, s := range formsOfSignature(signature) {
		given, err := hex.DecodeString(s.of)
		if err == nil && bytes.Equal(given, hmacOf(secret, body)) {
			return compared{Part: "signature", Says: "the signature matches the body, but " + s.says, Fix: s.fix}
		}
		for _, b := range formsOfBody(body) {
			if err == nil && bytes.Equal(given, hmacOf(secret, b.of)) {
				return compared{Part: "body", Says: "the signature matches the body " + b.says, Fix: b.fix}
			}
		}
		for _, k := range formsOfSecret(secret) {
			if err == nil && bytes.Equal(given, hmacOf(k.of, body)) {
				return compared{Part: "secret", Says: "the signature was made with another form of the secret: " + k.says, Fix: k.fix}
			}
		}
		for name, sum := range algorithms(secret, body) {
			if err == nil && bytes.Equal(given, sum) {
				return compared{
					Part: "algorithm", Says: "the signature is " + name, Fix: "use HMAC-SHA256, keyed with the app's secret",
				}
			}
		}
	}
	return compared{
		Says: fmt.Sprintf("the signature is not that of these %d bytes with this secret, nor of a known variation of them", len(body)),
		Fix:  "compare the bytes before anything parses them, and use the secret of the app that the webhook is for",
	}
}

// formsOfSignature are possible meanings of a header, as hexadecimal text, the text itself first.
func formsOfSignature(s string) []variant[string] {
	out := []variant[string]{{s, "it is not written as the platform writes it", "compare with the header unchanged: 64 lowercase hexadecimal digits"}}
	add := func(of, says, fix string) { out = append(out, variant[string]{of, says, fix}) }
	trimmed := strings.TrimSpace(s)
	add(trimmed, "it has spaces or newlines around it", "trim the header")
	add(strings.ToLower(trimmed), "it has uppercase letters", "use lowercase letters, or compare the decoded bytes")
	if name, rest, ok := strings.Cut(trimmed, "="); ok && rest != "" {
		add(rest, fmt.Sprintf("it begins with %q", name+"="), "the header has only the hexadecimal text")
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if raw, err := encoding.DecodeString(trimmed); err == nil && len(raw) != sha256.Size*2 {
			add(hex.EncodeToString(raw), "it is base64", "the header is hexadecimal")
		}
	}
	return out
}

// formsOfBody are changes that programs make to a body before they verify it.
func formsOfBody(body []byte) []variant[[]byte] {
	var out []variant[[]byte]
	add := func(of []byte, says, fix string) {
		if !bytes.Equal(of, body) {
			out = append(out, variant[[]byte]{of, says, fix})
		}
	}
	const raw = "verify the bytes as they arrive, before they are parsed"
	add(bytes.TrimRight(body, "\r\n"), "without the trailing newline", "remove the trailing newline that a tool or an editor added")
	add(append(bytes.Clone(body), '\n'), "with a trailing newline", "keep the trailing newline that was sent")
	add(bytes.TrimSpace(body), "without spaces around it", raw)
	add(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n")), "with lines that end with LF, not CRLF", "read it as bytes, not as text")
	add(bytes.ReplaceAll(body, []byte("\n"), []byte("\r\n")), "with lines that end with CRLF, not LF", "read it as bytes, not as text")
	add(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), "without the byte order mark", "read it as bytes, not as text")
	const decoded = "yours was decoded and encoded again"
	var compact bytes.Buffer
	if json.Compact(&compact, body) == nil {
		add(compact.Bytes(), "without spaces between members: "+decoded, raw)
		add(bytes.ReplaceAll(compact.Bytes(), []byte("/"), []byte(`\/`)), "with escaped slashes: "+decoded, raw)
		add(bytes.ReplaceAll(compact.Bytes(), []byte(`\/`), []byte("/")), "with unescaped slashes: "+decoded, raw)
		add(unescaped(compact.Bytes()), "with unescaped letters: "+decoded, raw)
		add(escaped(compact.Bytes()), "with escaped letters: "+decoded, raw)
	}
	return out
}

// unescaped is JSON without escaped letters, and escaped is JSON of ASCII only.
func unescaped(raw []byte) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return raw
	}
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	if to.Encode(v) != nil {
		return raw
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

func escaped(raw []byte) []byte {
	var out strings.Builder
	for _, r := range string(raw) {
		switch {
		case r < 0x80:
			out.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return []byte(out.String())
}

// formsOfSecret are changes of a secret in files and variables.
func formsOfSecret(secret string) []variant[string] {
	var out []variant[string]
	add := func(of, says string) {
		if of != secret {
			out = append(out, variant[string]{of, says, "set the secret exactly as the platform shows it"})
		}
	}
	add(strings.TrimSpace(secret), "yours has spaces or newlines around it")
	add(strings.Trim(secret, `"'`), "yours has quotation marks around it")
	add(secret+"\n", "it had a trailing newline")
	add("", "it was empty")
	if raw, err := hex.DecodeString(secret); err == nil {
		add(string(raw), "it was decoded as hexadecimal")
	}
	if raw, err := base64.StdEncoding.DecodeString(secret); err == nil {
		add(string(raw), "it was decoded as base64")
	}
	return out
}

// algorithms are sums that other platforms use.
func algorithms(secret string, body []byte) map[string][]byte {
	plainSum := sha256.Sum256(body)
	before := sha256.Sum256(append([]byte(secret), body...))
	after := sha256.Sum256(append(bytes.Clone(body), secret...))
	keyed := func(h func() hash.Hash) []byte {
		mac := hmacWith(h, secret)
		mac.Write(body)
		return mac.Sum(nil)
	}
	return map[string][]byte{
		"SHA-256 of the body, without a key":             plainSum[:],
		"SHA-256 of the secret followed by the body":     before[:],
		"SHA-256 of the body followed by the secret":     after[:],
		"HMAC-SHA1 of the body, keyed with the secret":   keyed(sha1.New),
		"HMAC-SHA512 of the body, keyed with the secret": keyed(sha512.New),
	}
}
