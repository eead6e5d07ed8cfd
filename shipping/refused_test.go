package shipping

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

const (
	oldToken  = client.Secret("old-token-0123456789")
	nextToken = client.Secret("next-token-0123456789")
)

// Each request that is refused is reported once, by both handlers, and names neither the token nor what was sent
// instead.
func TestRefusedRequests(t *testing.T) {
	var sources client.Sources
	sources.Set(netip.MustParsePrefix("192.0.2.7/32"))
	access := Access{PathTokens: []client.Secret{oldToken}, Sources: &sources}
	for _, tt := range []struct {
		name   string
		change func(*http.Request)
		want   string // status, reason and header
		says   string
	}{
		{"another method", func(r *http.Request) { r.Method = http.MethodPut }, "405 method ", "PUT must be POST"},
		{"another address", func(r *http.Request) { r.RemoteAddr = "198.51.100.1:5" }, "403 address ", "198.51.100.1 of the connection is not in Sources"},
		{"another token", func(r *http.Request) { r.URL.Path = "/a-guess-0123456789" }, "403 token ", "a valid token (1 in force)"},
		{"nonsense", func(r *http.Request) { r.Header.Set("Content-Type", ";;") }, "415 content_type Content-Type", "must be application/json"},
		{"a form", func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }, "415 content_type Content-Type", "must be application/json"},
		{"compressed", func(r *http.Request) { r.Header.Set("Content-Encoding", "br") }, "415 encoding Content-Encoding", "compressed"},
	} {
		var refused []client.Refused
		hook := func(_ context.Context, r client.Refused) { refused = append(refused, r) }
		for name, h := range map[string]http.Handler{
			"shipping rates": &Handler{Rates: always(ship(t, "a")), Access: access, OnRefused: hook},
			"shipping labels": &LabelHandler{Access: access, OnRefused: hook,
				Generate: func(context.Context, []Label) ([]LabelFailure, error) { return nil, nil }},
		} {
			refused = nil
			r := httptest.NewRequest(http.MethodPost, "/"+string(oldToken)+"/generate", strings.NewReader("{}"))
			r.RemoteAddr = "192.0.2.7:443"
			r.Header.Set("Content-Type", "application/json")
			tt.change(r)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if len(refused) != 1 {
				t.Errorf("%s, %s: %d refusals, want 1", name, tt.name, len(refused))
				continue
			}
			got := refused[0]
			if is := fmt.Sprint(got.Status, " ", got.Reason, " ", got.Header); is != tt.want || w.Code != got.Status || got.Handler != name ||
				!strings.Contains(got.Err.Error(), tt.says) {
				t.Errorf("%s, %s: got status %d and %s of %q: %v; want %s: %s", name, tt.name, w.Code, is, got.Handler, got.Err, tt.want, tt.says)
			}
			if text := fmt.Sprint(got, w.Body); strings.Contains(text, "0123456789") {
				t.Errorf("%s, %s: %s contains a token", name, tt.name, text)
			}
		}
	}
}

// JSON may be declared with parameters, or not at all. A failure names no token of the path.
func TestAcceptedRequests(t *testing.T) {
	p := newProbe(failing(errDown), func(h *Handler) { h.Access = Access{PathTokens: []client.Secret{oldToken}} })
	for _, kind := range []string{"application/json; charset=utf-8", "application/vnd.api+json", ""} {
		r := httptest.NewRequest(http.MethodPost, "/rates/"+string(oldToken), bytes.NewReader(document(t, "rate_request")))
		r.Header.Set("Content-Type", kind)
		w := serve(p, r)
		failed := p.failures()
		if w.Code != 503 || len(failed) == 0 || strings.Contains(fmt.Sprint(w.Body, failed), string(oldToken)) {
			t.Errorf("%q: got %d %s, reported %v", kind, w.Code, w.Body, failed)
		}
	}
}

// Tokens are changed while the handler serves.
func TestTokensAreRotated(t *testing.T) {
	var set PathTokenSet
	p := newProbe(always(ship(t, "a")), func(h *Handler) { h.Access = Access{PathTokenSet: &set} })
	p.OnAnswered = nil
	send := func(token client.Secret) int {
		r := httptest.NewRequest(http.MethodPost, "/rates/"+string(token), bytes.NewReader(document(t, "rate_request")))
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		return w.Code
	}
	if got := send(oldToken); got != http.StatusServiceUnavailable {
		t.Errorf("without a token: got status %d, want 503", got)
	}
	for _, step := range []struct {
		tokens    []client.Secret
		old, next int
	}{
		{[]client.Secret{oldToken}, 200, 403},
		{[]client.Secret{nextToken, oldToken}, 200, 200},
		{[]client.Secret{nextToken}, 403, 200},
	} {
		if err := set.Set(step.tokens...); err != nil {
			t.Fatal(err)
		}
		if old, next := send(oldToken), send(nextToken); old != step.old || next != step.next {
			t.Errorf("after Set of %d tokens: the old one gets %d, want %d; the next one %d, want %d", len(step.tokens), old, step.old, next, step.next)
		}
	}
	for _, wrong := range [][]client.Secret{nil, {"short"}, {oldToken, nextToken, oldToken}, {"a token with spaces 0123456789"}} {
		err := set.Set(wrong...)
		if err == nil || strings.Contains(err.Error(), "0123456789") || !slices.Equal(set.Current(), []client.Secret{nextToken}) {
			t.Errorf("Set of %d tokens that are wrong: got %v, and %d in force", len(wrong), err, len(set.Current()))
		}
	}
}
