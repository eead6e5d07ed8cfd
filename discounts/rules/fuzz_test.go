package rules

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// FuzzReadRequest: a body that is read as a request can be answered, encoding/json accepts it too, and it is the same
// request after it was written and read again.
func FuzzReadRequest(f *testing.F) {
	for _, d := range []client.RuleDomain{client.RuleDomainPayments, client.RuleDomainShipping, client.RuleDomainLocation, client.RuleDomainCart} {
		f.Add(about(f, d))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := ReadRequest(body)
		if err != nil {
			if r != nil || !errors.Is(err, ErrMalformed) {
				t.Fatalf("got %v, %v", r, err)
			}
			return
		}
		var another struct { // as another reader has it
			Store   json.RawMessage `json:"store_id"`
			Details json.RawMessage `json:"details"`
		}
		if err := json.Unmarshal(body, &another); err != nil || len(another.Store) == 0 {
			t.Fatalf("not a request to another reader: %v", err)
		}
		back, err := wire.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadRequest(back)
		if err != nil {
			t.Fatalf("written as %s: %v", back, err)
		}
		if twice, err := wire.Marshal(again); err != nil || string(twice) != string(back) {
			t.Fatalf("written as %s, then as %s: %v", back, twice, err)
		}
		c, err := r.First().command(r)
		if err != nil && !errors.Is(err, ErrInvalid) {
			t.Fatal(err)
		}
		if answer, err := c.body(); err != nil || c != nil && !json.Valid(answer) {
			t.Fatalf("answered %s, %v", answer, err)
		}
	})
}
