package payments

import (
	"context"
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// FuzzRefund: what is read as a refund is one that can be made, says what another reader
// finds in it, and says it again after it was written.
func FuzzRefund(f *testing.F) {
	f.Add([]byte(refund))
	f.Add([]byte(`{"store_id":"123","transaction_id":"02aaa5c6-080a-40e9-a61f-90ca2150d6a2","amount":{"value":10,"currency":"BRL"},"more":[1]}`))
	f.Add([]byte(`{"transaction_id":"02AAA5C6080A40E9A61F90CA2150D6A2","amount":{"value":"0.00","currency":"brl"}}`))
	f.Add([]byte(`{"amount":{"value":"1e9","currency":"BRL"},"amount":null}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var got RefundRequest
		calls := 0
		h := &RefundHandler{Refund: func(_ context.Context, r RefundRequest) error {
			got, calls = r, calls+1
			return nil
		}}
		var in received
		if err := (kind{read: h.read}).decode(&in, raw, nil); err != nil {
			return
		}
		if a, err := in.act(t.Context()); err != nil || a.status != 202 || calls != 1 {
			t.Fatalf("%d calls, status %d, %v", calls, a.status, err)
		}
		if got.TransactionID == uuid.Nil || got.Amount.Value.Cmp(client.Money{}) <= 0 || len(got.Amount.Currency) != 3 {
			t.Errorf("a refund of %+v", got)
		}
		var other struct {
			Transaction uuid.UUID `json:"transaction_id"`
			Amount      struct{ Currency string }
		}
		if err := json.Unmarshal(raw, &other); err != nil || other.Transaction != got.TransactionID || other.Amount.Currency != got.Amount.Currency {
			t.Errorf("another reader has %+v, %v; got %+v", other, err, got)
		}
		var again RefundRequest
		if back, err := wire.Marshal(got); err != nil || wire.UnmarshalStrict(back, &again) != nil || !again.Amount.Value.Equal(got.Amount.Value) || again.TransactionID != got.TransactionID {
			t.Errorf("written as %s, %v and read again as %+v", back, err, again)
		}
	})
}

// FuzzCalls: a call that is refused never reaches the app, one that is not reaches it
// once and is answered as the contract has it.
func FuzzCalls(f *testing.F) {
	f.Add([]byte(`{"store_id":1,"order_id":2,"payment_attempt_id":"a","payment_method":{"type":"pix"},"amount":{"value":"1.00","currency":"BRL"}}`), "payment_attempt_id=a")
	f.Add([]byte(`{"grant_type":"refresh_token","client_id":"1","client_secret":"s","refresh_token":"r"}`), "payment_attempt_id=a&payment_attempt_id=b")
	f.Add([]byte(refund), "")
	f.Add([]byte(`[]`), "payment_attempt_id=")
	f.Fuzz(func(t *testing.T, raw []byte, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		called := 0
		process := &ProcessHandler{Process: func(context.Context, ProcessRequest) (any, error) { called++; return nil, nil }}
		cancel := &CancelHandler{Cancel: func(_ context.Context, attempt string) error {
			if called++; attempt != values.Get("payment_attempt_id") || attempt == "" {
				t.Errorf("attempt %q of %q", attempt, query)
			}
			return nil
		}}
		refresh := &RefreshHandler{Refresh: func(_ context.Context, r RefreshRequest) (Tokens, error) {
			if called++; r.GrantType != "refresh_token" || r.ClientID == "" || r.RefreshToken == "" {
				t.Errorf("refreshed for %+v", r)
			}
			return Tokens{AccessToken: "a", RefreshToken: "r", ExpiresIn: time.Minute}, nil
		}}
		for name, c := range map[string]struct {
			kind
			status int
		}{"process": {kind{read: process.read}, 201}, "cancel": {kind{ask: cancel.ask}, 200}, "refresh": {kind{read: refresh.read}, 200}} {
			var in received
			called = 0
			err := c.decode(&in, raw, values)
			if err != nil {
				if called != 0 {
					t.Errorf("%s: refused and called", name)
				}
				continue
			}
			a, err := in.act(t.Context())
			if called != 1 || err != nil || a.status != c.status || c.read != nil && !json.Valid(raw) {
				t.Errorf("%s: %d runs, status %d, %v", name, called, a.status, err)
			}
		}
	})
}
