package payments

import (
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// canaries are in every secret of these tests.
const canaries = "canary-"

// everyForm fails if a secret is in v, in any of the ways in which a program would print it.
func everyForm(t *testing.T, what string, v any) {
	t.Helper()
	for form, printed := range hostile.Printed(v) {
		if strings.Contains(printed, canaries) || strings.Contains(printed, "63616e6172792d") {
			t.Errorf("%s as %s shows a secret: %s", what, form, printed)
		}
	}
}

func TestSecretsOfCallsAreNeverPrinted(t *testing.T) {
	refresh := RefreshRequest{"refresh_token", "c", canaries + "s", canaries + "r"}
	tokens := Tokens{AccessToken: canaries + "a", RefreshToken: canaries + "r"}
	for what, v := range map[string]any{
		"a refresh": refresh, "refreshes": []*RefreshRequest{&refresh}, "tokens": tokens, "pointers to tokens": []*Tokens{&tokens},
	} {
		everyForm(t, what, v)
	}
	for _, address := range []string{
		"http://canary-user@app.example?key=canary-key", "https://me:canary-pass?word@app.example", "https://canary-user:1?2@app.example",
	} {
		h := &RefundHandler{Callback: Callback{Origin: address}}
		everyForm(t, "a refused origin", h.Check())
	}
}
