package doctor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
)

// signatureHeaders are the headers that sign calls of either kind.
var signatureHeaders = []string{delivery.DefaultHeader, "X-Signature", "X-Timestamp"}

// signatureChecks are those of calls that are signed with the app's secret.
func signatureChecks() []check {
	return append([]check{
		{
			name: "unsigned", sent: "a genuine body without a signature", rule: ruleTrust, run: signedAs(""),
			fix: "answer 401 if the header x-platform-hmac-sha256 is missing, before anything is done",
		},
		{
			name:  "wrong signature",
			sent:  "a genuine body with the signature of another",
			rule:  ruleTrust,
			after: []string{"unsigned"},
			run:   signedAs(strings.Repeat("5a", 32)),
			fix:   "compute HMAC-SHA256 of the body with the app's secret, compare, and answer 401",
		},
		{
			name:  "another body",
			sent:  "a changed body with the signature of the genuine one",
			rule:  ruleTrust,
			after: []string{"wrong signature"},
			run:   changedBody, fix: "compute the signature over the whole body that arrived, not over a part or a copy of it",
		},
		{
			name:  "whole signature",
			sent:  "signatures that are right in parts: a quarter, a half, all but one digit, shortened, or with more after it",
			after: []string{"wrong signature"},
			rule:  ruleTrust,
			run:   refuses(partlyRight),
			fix:   "compare all bytes, in constant time (hmac.Equal, timingSafeEqual, compare_digest)",
		},
		{
			name:  "empty secret",
			sent:  "a body signed with an empty secret, with other secrets that everybody knows, and hashed without one",
			rule:  ruleTrust,
			after: []string{"wrong signature"},
			run:   refuses(knownSecrets),
			fix:   "refuse to start without a secret: a variable that is not set becomes the key that everybody knows",
		},
		{
			name:  "odd signatures",
			sent:  "signatures that are empty, short, long, not hexadecimal, not ASCII, or sent twice",
			rule:  ruleTrust,
			after: []string{"wrong signature", "whole signature"},
			run:   refuses(oddSignatures),
			fix:   "compare lengths first: decoders and comparisons of many languages fail on characters that are no digits, or on shorter texts",
		},
		{
			name: "header names", sent: "a genuine call with its headers in lowercase, and in uppercase", run: otherCase,
			rule: "RFC 9110, Field Names: names of headers are the same in lowercase and in uppercase",
			fix:  "look for the header without regard to case: proxies write it in lowercase",
		},
	}, strangerChecks()...)
}

// signedAs sends a genuine body with a signature, or with none if it is empty.
func signedAs(signature string) func(ctx context.Context, e *exam) (outcome, error) {
	return refuses(func(*exam) []forgery {
		if signature == "" {
			return []forgery{{"no signature", strip}}
		}
		return []forgery{signature256("another signature", signature)}
	})
}

// signature256 is a genuine body with a signature.
func signature256(how, signature string) forgery { return with(how, delivery.DefaultHeader, signature) }

func changedBody(ctx context.Context, e *exam) (outcome, error) {
	x := e.posted()
	x.body = withMember(x.body, "forged", true)
	return refused(e.direct(ctx, x))
}

// partlyRight are signatures that are wrong in a part only.
func partlyRight(e *exam) []forgery {
	right := e.posted().header.Get(delivery.DefaultHeader)
	wrong := strings.Map(func(r rune) rune { return map[bool]rune{true: '1', false: '0'}[r == '0'] }, right)
	n := len(right)
	if n < 2 {
		return nil // the platform did not sign
	}
	return []forgery{
		signature256("the first quarter is right", right[:n/4]+wrong[n/4:]),
		signature256("the first half is right", right[:n/2]+wrong[n/2:]),
		signature256("all but the last digit is right", right[:n-1]+wrong[n-1:]),
		signature256("all but the first digit is right", wrong[:1]+right[1:]),
		signature256("the first byte is right", right[:2]+wrong[2:]),
		signature256("the last quarter is right", wrong[:n-n/4]+right[n-n/4:]),
		signature256("shortened to a half", right[:n/2]),
		signature256("shortened to one digit", right[:1]),
		signature256("shortened by one digit", right[:n-1]),
		signature256("with more digits after it", right+"00"),
	}
}

// knownSecrets are signatures that need no secret of the app.
func knownSecrets(e *exam) []forgery {
	body := e.posted().body
	plain := sha256.Sum256(body)
	out := []forgery{signature256("the SHA-256 of the body", hex.EncodeToString(plain[:]))}
	for _, key := range []string{
		"", "undefined", "null", "None", "nil", "false", "secret", "changeme", "test", "your-secret", "APP_SECRET", "CLIENT_SECRET",
		fmt.Sprint(e.platform.app), fmt.Sprint(e.platform.store),
	} {
		if key != e.platform.secret {
			out = append(out, signature256(fmt.Sprintf("signed with the secret %q", key), delivery.Sign(key, body)))
		}
	}
	return out
}

// oddSignatures are none that a platform writes.
func oddSignatures(*exam) []forgery {
	wrong := strings.Repeat("5a", 32)
	out := []forgery{{"two signatures", func(x *exchange) {
		x.header[http.CanonicalHeaderKey(delivery.DefaultHeader)] = []string{wrong, wrong}
	}}}
	for _, s := range []string{
		"", "0", "5a", wrong[1:], wrong + wrong, strings.Repeat("zz", 32), strings.Repeat("é", 32), "null", "undefined", "true", "[]",
		"{}", "sha256=", "sha256=" + wrong, "Bearer " + wrong, strings.Repeat("a", 4000), wrong + ", " + wrong,
	} {
		out = append(out, signature256(fmt.Sprintf("the signature %.80q", s), s))
	}
	return out
}

// otherCase sends genuine calls whose headers are written otherwise.
func otherCase(ctx context.Context, e *exam) (outcome, error) {
	usual := e.direct(ctx, e.posted())
	for _, written := range []func(string) string{strings.ToLower, strings.ToUpper} {
		x := e.posted()
		header := http.Header{}
		for name, values := range x.header {
			if name != "User-Agent" { // that net/http would add again
				name = written(name)
			}
			header[name] = values
		}
		x.header = header
		x = e.direct(ctx, x)
		if x.err != nil || x.status != usual.status {
			return fail("%s; the same call as the platform writes it got status %d", x, usual.status)
		}
	}
	return pass("status %d, as before", usual.status)
}

// resigned are the headers of a genuine call with the signature of another body.
func resigned(e *exam, like exchange, body []byte) http.Header {
	header := like.header.Clone()
	if header.Get(delivery.DefaultHeader) != "" {
		header.Set(delivery.DefaultHeader, delivery.Sign(e.platform.secret, body))
	}
	return header
}
