package oauth_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// What is printed of types that hold secrets is of use all the same.
func TestPrintedTypes(t *testing.T) {
	app := oauth.App{ID: 7, Secret: "cnry_7f3a"}
	for want, v := range map[string]any{
		"oauth.App{ID:7}":                    app,
		"oauth.Handler{App:oauth.App{ID:7}}": &oauth.Handler{App: app},
		"oauth.MemoryStore":                  &oauth.MemoryStore{},
		"[redacted]":                         app.Secret,
		`oauth.Install{StoreID:8 Token:[redacted] Scopes:"read_orders" InstalledAt:2025-01-02T03:04:05Z Generation:9}`: oauth.Install{
			StoreID: 8, Token: "cnry_7f3a", Scopes: oauth.ParseScopes("read_orders"), InstalledAt: time.Date(2025, 1, 2, 3, 4, 5, 6, time.UTC), Generation: 9,
		},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d"} {
			if got := fmt.Sprintf(verb, v); got != want {
				t.Errorf("%s: got %s, want %s", verb, got, want)
			}
		}
	}
	if got := slog.AnyValue(app.Secret).Resolve().String(); got != "[redacted]" {
		t.Errorf("logged as %s", got)
	}
	if got, err := json.Marshal(app.Secret); err != nil || string(got) != `"[redacted]"` {
		t.Errorf("got %s, %v", got, err)
	}
	if got, err := app.Secret.MarshalText(); err != nil || string(got) != "[redacted]" {
		t.Errorf("got %s, %v", got, err)
	}
}

// Nothing that the package makes shows a secret, however it is printed.
func TestSecretsStaySecret(t *testing.T) {
	const canary = "cnry_7f3a"
	s := newSite(t)
	s.App.Secret = canary + "-app"
	s.App.Transport = roundTrip(s.platform.RoundTrip) // printed, it does not show what it received

	var out bytes.Buffer
	logs := []*slog.Logger{slog.New(slog.NewTextHandler(&out, nil)), slog.New(slog.NewJSONHandler(&out, nil))}
	show := func(v any) {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			_, _ = fmt.Fprintf(&out, verb+"\n", v)
		}
		for _, log := range logs {
			log.Error("shown", "value", v)
		}
		if text, err := json.Marshal(v); err == nil {
			out.Write(text)
		}
		if text, err := xml.Marshal(v); err == nil {
			out.Write(text)
		}
	}

	echo := func(status int, body string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	const code = canary + "-code"
	errorsSeen := 0
	for i, answer := range []func(http.ResponseWriter, *http.Request){
		echo(400, `{"error":"`+canary+`-app","error_description":"client `+canary+`-app, code `+code+`0"}`),
		echo(500, canary),
		echo(200, `{"access_token":"`+canary+`-token","user_id":0}`),
		echo(200, `{"access_token":"`+canary+`-token","token_type":"`+canary+`","user_id":1}`),
		echo(200, `{"error":"`+canary+`-app"}`),
		echo(200, canary),
		echo(200, `{"access_token":"`+canary+`-token","scope":"read_orders","user_id":"817495"}`),
	} {
		s.platform.answer = answer
		state, cookie := s.begin(t)
		rec := s.get(fmt.Sprintf("state=%s&code=%s%d", state, code, i), cookie)
		out.Write(rec.Body.Bytes())
		show(rec.Header())
	}
	s.platform.problems = nil // the secret is not the usual one
	for _, err := range s.reported {
		errorsSeen++
		for ; err != nil; err = errors.Unwrap(err) {
			show(err)
		}
	}
	in := s.stored(t)
	for _, v := range []any{s.App, &s.App, s.Handler, in, &in, in.Token, &in.Token, []oauth.Install{in}, map[string]any{"a": in}, s.tokens,
		struct {
			App     *oauth.App
			Handler *oauth.Handler
			Install *oauth.Install
			Tokens  *oauth.MemoryStore
			Token   *client.Secret
		}{&s.App, s.Handler, &in, s.tokens, &in.Token}, oauth.TokenSource(t.Context(), s.tokens, storeA)} {
		show(v)
	}
	if errorsSeen != 6 || string(in.Token) != canary+"-token" {
		t.Fatalf("saw %d errors and stored %q, want 6 and the token", errorsSeen, string(in.Token))
	}
	hex := fmt.Sprintf("%x", canary)
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, canary) || strings.Contains(line, hex) {
			t.Errorf("a secret is in the open: %s", line)
		}
	}
	if !strings.Contains(out.String(), "[redacted]") {
		t.Error("nothing was shown at all")
	}
}
