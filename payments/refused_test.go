package payments

import (
	"context"
	"crypto/rsa"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// refusing is a handler of refunds that collects what it refuses.
func refusing(t *testing.T, change func(*Callback)) (*RefundHandler, *[]client.Refused) {
	t.Helper()
	var refused []client.Refused
	h := &RefundHandler{Callback: configured(&failures{}), Refund: func(context.Context, RefundRequest) error { return nil }}
	h.OnRefused = func(_ context.Context, r client.Refused) { refused = append(refused, r) }
	change(&h.Callback)
	return h, &refused
}

// Each call that is refused is reported once, with the header, and how far the clock is off.
func TestRefusedCalls(t *testing.T) {
	hour := func(of time.Duration) func(*http.Request) {
		return func(r *http.Request) {
			stamp := strconv.FormatInt(time.Now().Add(-of).Unix(), 10)
			r.Header.Set(TimestampHeader, stamp)
			r.Header.Set(SignatureHeader, sign(t, keyOf(), origin+"/refunds", stamp, refund))
		}
	}
	for _, tt := range []struct {
		name   string
		change func(*http.Request)
		want   string // status, reason and header
		says   string
		skew   time.Duration
	}{
		{"another method", func(r *http.Request) { r.Method = http.MethodGet }, "405 method ", "GET must be POST", 0},
		{"no signature", func(r *http.Request) { r.Header.Del(SignatureHeader) }, "401 unsigned X-Signature", "has no header", 0},
		{"two signatures", func(r *http.Request) { r.Header.Add(SignatureHeader, "AAAA") }, "401 unsigned X-Signature", "has 2 headers", 0},
		{"no Base64", func(r *http.Request) { r.Header.Set(SignatureHeader, "%") }, "401 unsigned X-Signature", "a signature in Base64", 0},
		{"no timestamp", func(r *http.Request) { r.Header.Del(TimestampHeader) }, "401 unsigned X-Timestamp", "has no header", 0},
		{"no time", func(r *http.Request) { r.Header.Set(TimestampHeader, "soon") }, "401 unsigned X-Timestamp", "ISO 8601", 0},
		{"an hour old", hour(time.Hour), "401 clock X-Timestamp", "before the clock of this machine", time.Hour},
		{"an hour ahead", hour(-time.Hour), "401 clock X-Timestamp", "ahead of the clock of this machine", -time.Hour},
		{"another path", func(r *http.Request) { r.RequestURI, r.URL.Path = "/other", "/other" }, "401 signature X-Signature", "over " + origin + "/other", 0},
		{"compressed", func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, "415 encoding Content-Encoding", "compressed", 0},
		{"large", func(r *http.Request) { r.ContentLength = 1 << 40 }, "413 size ", "MaxBody", 0},
	} {
		h, refused := refusing(t, func(*Callback) {})
		r := signed(t, http.MethodPost, "/refunds", refund)
		tt.change(r)
		w := ask(h, r)
		if len(*refused) != 1 {
			t.Errorf("%s: status %d and %d refusals, want 1", tt.name, w.Code, len(*refused))
			continue
		}
		got := (*refused)[0]
		if is := fmt.Sprint(got.Status, " ", got.Reason, " ", got.Header); is != tt.want || w.Code != got.Status || got.Handler != "payments refund" ||
			!strings.Contains(got.Err.Error(), tt.says) {
			t.Errorf("%s: got status %d and %s of %q: %v; want %s: %s", tt.name, w.Code, is, got.Handler, got.Err, tt.want, tt.says)
		}
		if (got.Skew - tt.skew).Abs() > time.Minute {
			t.Errorf("%s: got %v before the clock here, want %v", tt.name, got.Skew, tt.skew)
		}
	}
}

// Keys are changed while the handler serves.
func TestKeysAreRotated(t *testing.T) {
	var set KeySet
	h, refused := refusing(t, func(c *Callback) { c.Keys, c.KeySet = nil, &set })
	next := newKey(2048)
	n := 0
	send := func(key *rsa.PrivateKey) int {
		n++ // a call that was answered is not run again
		return ask(h, signedBy(t, key, http.MethodPost, fmt.Sprintf("/refunds?n=%d", n), refund)).Code
	}
	if got := send(keyOf()); got != http.StatusServiceUnavailable || len(*refused) != 1 || !strings.Contains((*refused)[0].Err.Error(), "KeySet is empty") {
		t.Errorf("without a key: got status %d and %v, want 503 and a refusal that says so", got, *refused)
	}
	for _, step := range []struct {
		keys          []*rsa.PublicKey
		old, nextCode int
	}{
		{[]*rsa.PublicKey{&keyOf().PublicKey}, 202, 401},
		{[]*rsa.PublicKey{&next.PublicKey, &keyOf().PublicKey}, 202, 202},
		{[]*rsa.PublicKey{&next.PublicKey}, 401, 202},
	} {
		if err := set.Set(step.keys...); err != nil {
			t.Fatal(err)
		}
		if old, code := send(keyOf()), send(next); old != step.old || code != step.nextCode {
			t.Errorf("after Set of %d keys: the old one gets %d, want %d; the next one %d, want %d", len(step.keys), old, step.old, code, step.nextCode)
		}
	}
	if err := set.Set(&newKey(1024).PublicKey); err == nil || len(set.Current()) != 1 {
		t.Errorf("Set of a short key: got %v, and %d keys in force", err, len(set.Current()))
	}
}
