package doctor

import (
	"context"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
)

// signatureChecks are those of calls that are signed with the app's secret.
func signatureChecks() []check {
	return []check{
		{
			name: "unsigned", sent: "a genuine body without a signature", rule: ruleTrust, run: signedAs(""),
			fix: "answer 401 if the header x-platform-hmac-sha256 is missing, before anything is done",
		},
		{
			name:  "wrong signature",
			sent:  "a genuine body with a signature that is none of its",
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
			sent:  "the first quarter of the right signature, then something else",
			after: []string{"wrong signature"},
			rule:  ruleTrust,
			run:   beganRight,
			fix:   "compare all bytes, in constant time (hmac.Equal, timingSafeEqual, compare_digest)",
		},
		{
			name:  "empty secret",
			sent:  "a body signed with an empty secret",
			rule:  ruleTrust,
			after: []string{"wrong signature"},
			run:   emptySecret,
			fix:   "refuse to start without a secret: a variable that is not set becomes the key that everybody knows",
		},
	}
}

// signedAs sends a genuine body with a signature, or with none if it is empty.
func signedAs(signature string) func(ctx context.Context, e *exam) (outcome, error) {
	return func(ctx context.Context, e *exam) (outcome, error) {
		if !e.kind.signs(e) {
			return skip("carts are signed if the secret is given; else the app must allow the platform's addresses alone")
		}
		x := e.posted()
		x.header = x.header.Clone()
		x.header.Del(delivery.DefaultHeader)
		if signature != "" {
			x.header.Set(delivery.DefaultHeader, signature)
		}
		return refused(e.direct(ctx, x))
	}
}

func changedBody(ctx context.Context, e *exam) (outcome, error) {
	x := e.posted()
	x.body = withMember(x.body, "forged", true)
	return refused(e.direct(ctx, x))
}

func beganRight(ctx context.Context, e *exam) (outcome, error) {
	right := e.posted().header.Get(delivery.DefaultHeader)
	quarter := len(right) / 4
	rest := strings.Map(func(r rune) rune { return map[bool]rune{true: '1', false: '0'}[r == '0'] }, right[quarter:])
	return signedAs(right[:quarter]+rest)(ctx, e)
}

func emptySecret(ctx context.Context, e *exam) (outcome, error) {
	return signedAs(delivery.Sign("", e.posted().body))(ctx, e)
}

// resigned are the headers of a genuine call with the signature of another body.
func resigned(e *exam, like exchange, body []byte) http.Header {
	header := like.header.Clone()
	if header.Get(delivery.DefaultHeader) != "" {
		header.Set(delivery.DefaultHeader, delivery.Sign(e.platform.secret, body))
	}
	return header
}
