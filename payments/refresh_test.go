package payments

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestRefreshHandler(t *testing.T) {
	const good = `{"grant_type":"refresh_token","client_id":"c","client_secret":"canary-secret","refresh_token":"canary-token"}`
	var seen failures
	h := &RefreshHandler{OnFailure: seen.report, Refresh: func(_ context.Context, r RefreshRequest) (Tokens, error) {
		switch {
		case r.ClientID != "c" || !r.Proves("canary-secret"):
			return Tokens{}, fmt.Errorf("client %s: %w", r.ClientID, ErrInvalidClient)
		case r.RefreshToken == "canary-used":
			return Tokens{}, ErrInvalidGrant
		case r.RefreshToken == "canary-fails":
			return Tokens{}, fmt.Errorf("%+v: %w", r, io.EOF)
		case r.RefreshToken == "canary-panics":
			panic(r)
		case r.RefreshToken == "canary-empty":
			return Tokens{AccessToken: "canary-a", ExpiresIn: time.Hour}, nil
		case r.RefreshToken == "canary-none":
			return Tokens{RefreshToken: "canary-r", ExpiresIn: time.Hour}, nil
		case r.RefreshToken == "canary-brief":
			return Tokens{"canary-a", "canary-r", time.Second}, nil
		case r.RefreshToken == "canary-short":
			return Tokens{"canary-a", "canary-r", time.Second - 1}, nil
		}
		return Tokens{"canary-a", "canary-r", 90*time.Minute + time.Second/2}, nil
	}}
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
	token := func(t string) string { return strings.Replace(good, "canary-token", t, 1) }
	for _, test := range []struct {
		body     string
		status   int
		answer   string
		reported string
	}{
		{good, 200, `{"access_token":"canary-a","refresh_token":"canary-r","expires_in":5400}`, ""},
		{strings.Replace(good, "canary-secret", "other", 1), 401, `{"error":"invalid_client"}`, ""},
		{strings.Replace(good, "canary-secret", "", 1), 401, `{"error":"invalid_client"}`, ""},
		{token("canary-used"), 400, `{"error":"invalid_grant"}`, ""},
		{token("canary-fails"), 503, "Service Unavailable", `payments: refresh call, client c: payments.RefreshRequest{ClientID: "c"}: EOF`},
		{token("canary-panics"), 503, "Service Unavailable", `payments: refresh call, client c: panic: payments.RefreshRequest{ClientID: "c"}`},
		{token("canary-empty"), 503, "Service Unavailable", "payments: refresh call, client c: the function returned no tokens that are valid for at least a second"},
		{token("canary-none"), 503, "Service Unavailable", "payments: refresh call, client c: the function returned no tokens that are valid for at least a second"},
		{token("canary-brief"), 200, `{"access_token":"canary-a","refresh_token":"canary-r","expires_in":1}`, ""},
		{token("canary-short"), 503, "Service Unavailable", "payments: refresh call, client c: the function returned no tokens that are valid for at least a second"},
		{token(""), 400, "Bad Request", ""},
		{strings.Replace(good, `"refresh_token"`, `"password"`, 1), 400, "Bad Request", ""},
		{strings.Replace(good, `"c"`, `""`, 1), 400, "Bad Request", ""},
		{strings.Replace(good, `"c"`, `{"canary":1}`, 1), 400, "Bad Request", ""},
		{"canary", 400, "Bad Request", ""}, // anybody can post this: nobody is told
		{strings.Repeat(" ", maxRefresh+1), 413, "Request Entity Too Large", ""},
	} {
		seen.list = nil
		w := ask(h, httptest.NewRequest("POST", "/refresh", strings.NewReader(test.body)))
		if got := strings.TrimSpace(w.Body.String()); w.Code != test.status || got != test.answer || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got %d %s, want %d %s", test.body, w.Code, got, test.status, test.answer)
		}
		if got := seen.String(); got != test.reported {
			t.Errorf("%s: reported %q, want %q", test.body, got, test.reported)
		}
		for _, f := range seen.list {
			f.Stack = nil
			everyForm(t, "a failure", f)
		}
	}
	if (RefreshRequest{}).Proves("") {
		t.Error("the empty secret is proved")
	}
}

// Tokens are used up by a refresh: one that is repeated while it runs is the same one, one
// that comes later is not.
func TestRefreshesThatOverlapAreOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		h := &RefreshHandler{Refresh: func(context.Context, RefreshRequest) (Tokens, error) {
			runs++
			time.Sleep(time.Second)
			return Tokens{"a", "r", time.Hour}, nil
		}}
		post := func() int {
			r := httptest.NewRequest("POST", "/refresh", strings.NewReader(`{"grant_type":"refresh_token","client_id":"c","client_secret":"s","refresh_token":"r"}`))
			r.Header.Set(TimestampHeader, "946684800") // now: a call that is signed would be remembered
			return ask(h, r).Code
		}
		go post()
		synctest.Wait()
		if code := post(); code != 200 || runs != 1 {
			t.Errorf("got %d after %d runs", code, runs)
		}
		if code := post(); code != 200 || runs != 2 {
			t.Errorf("got %d after %d runs", code, runs)
		}
	})
}

func TestParseKeys(t *testing.T) {
	key := &keyOf().PublicKey
	pkix, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other, err := x509.MarshalPKIXPublicKey(&curve.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string, data []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}))
	}
	public, older := block("PUBLIC KEY", pkix), block("RSA PUBLIC KEY", x509.MarshalPKCS1PublicKey(key))
	for _, test := range []struct {
		name, file string
		want       int
	}{
		{"one", public, 1}, {"of PKCS #1", older, 1}, {"two", "the newer\n" + public + "the older\n" + older, 2},
		{"none", "", 0}, {"no PEM", "-----BEGIN", 0}, {"damaged", block("PUBLIC KEY", pkix[:40]), 0},
		{"of another kind", public + block("PUBLIC KEY", other), 0},
		{"a private key", public + block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(keyOf())), 0},
	} {
		keys, err := ParseKeys([]byte(test.file))
		if len(keys) != test.want || (err == nil) != (test.want > 0) {
			t.Errorf("%s: got %d keys, %v", test.name, len(keys), err)
		}
		for _, k := range keys {
			if !k.Equal(key) {
				t.Errorf("%s: got another key", test.name)
			}
		}
	}
}
