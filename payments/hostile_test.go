package payments

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// A spoiled call is refused in little memory and reaches no function, or is read and reaches it once. Errors have no
// secrets.
func TestSpoiledCalls(t *testing.T) {
	calls := 0
	process := &ProcessHandler{Process: func(context.Context, ProcessRequest) (any, error) { calls++; return nil, nil }}
	refunds := &RefundHandler{Refund: func(context.Context, RefundRequest) error { calls++; return nil }}
	refresh := &RefreshHandler{Refresh: func(context.Context, RefreshRequest) (Tokens, error) { calls++; return Tokens{"a", "b", 1e9}, nil }}
	for name, v := range map[string]struct {
		read func(body) run
		good string
	}{
		// The contract does not name the members of a payment: one that lacks them all is given to the app.
		"process": {process.read, strings.Replace(attempted, `"amount"`, `"newer":{"list":[1,null]},"amount"`, 1)},
		"refund":  {refunds.read, refund},
		"refresh": {refresh.read, `{"grant_type":"refresh_token","client_id":"me","client_secret":"cnry_7f3a","refresh_token":"cnry_7f3b","newer":{"list":[{"a":1},null]}}`},
	} {
		reader := hostile.Reader{Read: func(body []byte) bool {
			calls = 0
			var in received
			err := kind{read: v.read}.decode(&in, body, nil)
			if text := fmt.Sprint(err); len(text) > 1000 || strings.Contains(text, "cnry_") {
				t.Errorf("%s %.100q: reported in %d bytes: %.300s", name, body, len(text), text)
			}
			if err != nil {
				return false
			}
			if _, err := in.act(t.Context()); err != nil || calls != 1 {
				t.Errorf("%s %.100q: %d calls, %v", name, body, calls, err)
			}
			return true
		}}
		if reader.Read([]byte("null")) || !reader.Read([]byte(v.good)) {
			t.Errorf("%s: null was accepted, or %s was not", name, v.good)
		}
		t.Logf("%s: %v", name, reader.Play(t, hostile.Documents(hostile.OfHandler, []byte(v.good))))
	}
	cancel := &CancelHandler{Callback: configured(new(failures)), Cancel: func(context.Context, string) error { calls++; return nil }}
	for _, query := range []string{"", "?payment_attempt_id=", "?payment_attempt_id=7&payment_attempt_id=8", "?payment_attempt_id", "?%zz", "?PAYMENT_ATTEMPT_ID=7", "?payment_attempt_id=7;x", "?" + strings.Repeat("a&", 1<<16)} {
		calls = 0
		if code := ask(cancel, signed(t, http.MethodPost, "/cancel"+query, "")).Code; code != 400 || calls != 0 {
			t.Errorf("cancel%.60s: status %d, %d calls", query, code, calls)
		}
	}
}

// A mebibyte in a header of a call is not believed, and costs no more than a few copies.
func TestLongHeaders(t *testing.T) {
	c := configured(new(failures))
	long := func(part string) string { return strings.Repeat(part, 1<<20/len(part)) }
	for name, set := range map[string]struct{ header, value string }{
		"as it was signed":        {},
		"signature":               {SignatureHeader, long("a")},
		"a signature of zeros":    {SignatureHeader, long("AAAA")},
		"a signature, not Base64": {SignatureHeader, long("-")},
		"timestamp":               {TimestampHeader, long("a")},
		"a timestamp of digits":   {TimestampHeader, long("1")},
		"a timestamp of zeros":    {TimestampHeader, long("0")},
	} {
		r := signed(t, http.MethodPost, "/refunds", refund)
		if set.header != "" {
			r.Header.Set(set.header, set.value)
		}
		h := &RefundHandler{Callback: c, Refund: func(context.Context, RefundRequest) error { return nil }}
		var ok bool
		spent := hostile.Cost(func() { ok = ask(h, r).Code == http.StatusAccepted })
		if ok != (set.header == "") || spent.Bytes > 4<<20 {
			t.Errorf("%s: believed %t, which cost %v", name, ok, spent)
		}
		t.Logf("%s: %v", name, spent)
	}
}

// A mebibyte in the place of a setting is refused, and not repeated.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	misconfigured := configured(new(failures))
	misconfigured.Origin = "https://" + long + "/"
	if err := misconfigured.check("a handler", "function", false); err == nil || len(err.Error()) > 500 {
		t.Errorf("an origin: %.200v", err)
	}
	if keys, err := ParseKeys([]byte(long)); err == nil || len(err.Error()) > 500 {
		t.Errorf("keys: %d, %.200v", len(keys), err)
	}
}
