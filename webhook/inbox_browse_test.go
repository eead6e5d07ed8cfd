package webhook_test

import (
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/webhook"
)

func TestCauseGroup(t *testing.T) {
	for cause, want := range map[string]string{
		"": "",
		"GET /v1/1234567/orders/99887766?page=2: 503 Unavailable": "GET /v1/…/orders/…?page=2: 503 Unavailable",
		"request 01K9Z3N7Q2XW failed":                             "request … failed",
		"f81d4fae-7dec-11d0-a765-00a0c91e6bf6: 404":               "…: 404",
		"dial tcp 10.0.0.1:5432: refused":                         "dial tcp 10.0.0.1:…: refused",
		"not \xff UTF-8":                                          "not \uFFFD UTF-8",
		"naïve “404”":                                             "naïve “404”",
		strings.Repeat("ab ", 100):                                strings.Repeat("ab ", 65) + "ab…",
	} {
		if got := webhook.CauseGroup(cause); got != want {
			t.Errorf("CauseGroup(%q): got %q, want %q", cause, got, want)
		}
	}
	stable := func(cause string) bool {
		once := webhook.CauseGroup(cause)
		return webhook.CauseGroup(once) == once && utf8.ValidString(once) && len(once) <= webhook.MostCause
	}
	if err := quick.Check(stable, nil); err != nil {
		t.Error(err)
	}
	for _, long := range []string{strings.Repeat("é", 300), strings.Repeat("1", 300), strings.Repeat("a1b2-", 99),
		strings.Repeat("x", 199) + "éé"} {
		if !stable(long) {
			t.Errorf("CauseGroup(%q) is %q, and then changes", long, webhook.CauseGroup(long))
		}
	}
}
