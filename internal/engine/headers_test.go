package engine

import (
	"context"
	"net/http"
	"testing"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// TestHeadersOfEachAttempt: a transport may read the headers of an attempt after it has ended. They do not change when
// the next attempt has another token, and what a transport appends to one of them shows in no other.
func TestHeadersOfEachAttempt(t *testing.T) {
	tokens := []string{"old", "new"}
	source := func(context.Context) (*oauth2.Token, error) {
		token := tokens[0]
		tokens = tokens[len(tokens)-1:]
		return &oauth2.Token{AccessToken: token}, nil
	}
	var seen []http.Header
	c := newTest(t, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
		seen = append(seen, r.Header)
		for _, values := range r.Header {
			_ = append(values, "appended")
		}
		if len(seen) == 1 {
			return hostile.Refuses(401)(r)
		}
		return hostile.Status(200, `{}`)(r)
	}), func(c *Config) { c.Token = source })
	err := c.Do(t.Context(), Request{Method: http.MethodPost, Path: "/products", Body: 1}, nil)
	if err != nil || len(seen) != 2 {
		t.Fatalf("%d attempts, %v; want 2", len(seen), err)
	}
	for i, token := range []string{"Bearer old", "Bearer new"} {
		for name, want := range map[string]string{
			"Authorization": token, "Accept": "application/json", "Content-Type": "application/json; charset=utf-8",
			"User-Agent": c.config.UserAgent,
		} {
			if got := seen[i][name][0]; got != want {
				t.Errorf("attempt %d: %s is %q after the call, want %q", i+1, name, got, want)
			}
		}
	}
}
