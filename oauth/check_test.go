package oauth_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// Check names each field that is wrong.
func TestCheck(t *testing.T) {
	good := func() *oauth.Handler {
		return &oauth.Handler{App: oauth.App{ID: appID, Secret: appSecret, AuthURL: "https://auth.example"}, Tokens: &oauth.MemoryStore{}}
	}
	if err := good().Check(); err != nil {
		t.Errorf("Check: %v", err)
	}
	for want, change := range map[string]func(h *oauth.Handler){
		"App.ID":         func(h *oauth.Handler) { h.App.ID = 0 },
		"App.Secret":     func(h *oauth.Handler) { h.App.Secret = "" },
		"App.AuthURL":    func(h *oauth.Handler) { h.App.AuthURL = "auth.example" },
		"Handler.Tokens": func(h *oauth.Handler) { h.Tokens = nil },
		"PublicURL":      func(h *oauth.Handler) { h.PublicURL = "http://app.example" },
		"ReturnTo":       func(h *oauth.Handler) { h.ReturnTo = "https://elsewhere.example/" },
		"Verify":         func(h *oauth.Handler) { h.States = &oauth.MemoryStates{} },
	} {
		h := good()
		change(h)
		err := h.Check()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), appSecret) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	h := good()
	h.Tokens, h.PublicURL = nil, "ftp://x"
	if err := h.Check(); err == nil || !strings.Contains(err.Error(), "Tokens") || !strings.Contains(err.Error(), "PublicURL") {
		t.Errorf("%v, want both", err)
	}
}

// Without a hook failures are in the log, of each kind one a minute: strangers can cause them.
func TestFailuresAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lines bytes.Buffer
		was := slog.Default()
		slog.SetDefault(slog.New(slog.NewTextHandler(&lines, nil)))
		defer slog.SetDefault(was)
		s := newSite(t)
		s.OnError = nil
		for range 3 {
			s.get("state=x&code=y")
		}
		s.get("error=access_denied")
		time.Sleep(time.Minute)
		s.get("state=x&code=y")
		got := strings.Split(strings.TrimSpace(lines.String()), "\n")
		if len(got) != 3 || !strings.Contains(got[0], "malformed state") || !strings.Contains(got[1], "access_denied") || !strings.Contains(got[2], "not_logged=2") {
			t.Errorf("logged %q", got)
		}
	})
}

// held is a store whose loads end with their context.
type held struct{ *oauth.MemoryStore }

func (h held) Load(ctx context.Context, _ client.ID) (oauth.Install, error) {
	<-ctx.Done()
	return oauth.Install{}, context.Cause(ctx)
}

// A source that is not bound to a context loads with that of the call.
func TestSources(t *testing.T) {
	var tokens oauth.MemoryStore
	if _, err := tokens.Swap(t.Context(), storeA, 0, &oauth.Install{StoreID: storeA, Token: "one", Generation: 1}); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	src, err := oauth.Sources(&tokens)(ended, storeA)
	if err != nil {
		t.Fatal(err)
	}
	token, err := src.(client.ContextTokenSource).TokenContext(t.Context())
	if err != nil || token.AccessToken != "one" {
		t.Errorf("TokenContext: %v, %v", token, err)
	}
	if token, err := src.Token(); err != nil || token.AccessToken != "one" {
		t.Errorf("Token: %v, %v", token, err)
	}
	slow, err := oauth.Sources(held{})(t.Context(), storeA)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := slow.(client.ContextTokenSource).TokenContext(ended); err == nil {
		t.Error("a load went on after the call had ended")
	}
	old := oauth.TokenSource(ended, held{}, storeA)
	if _, err := old.(client.ContextTokenSource).TokenContext(t.Context()); err == nil {
		t.Error("a load went on after the context of its source had ended")
	}
}
