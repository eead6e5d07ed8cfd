package shipping

import (
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// MaxPickups is how many rates to pickup points may have the code of one option.
const MaxPickups = 10

// ErrDropped is wrapped by the error of a rate that was left out of an answer.
var ErrDropped = errors.New("rate left out")

// Encode returns the body of an answer with the rates. What the platform would not show is left out:
// a second rate to the door with the same code, more than MaxPickups to points with the same
// code, a rate whose merchant's price differs although no item has free shipping, and the
// zero Rate. For each of them an error that wraps ErrDropped is joined into the error, and the body is
// good; it is nil if no rate is left. It is what a Handler does, and for tests.
func (r *Request) Encode(rates []Rate) ([]byte, error) { return r.facts().encode(rates) }

// facts are what the answer to a request is checked against, taken before the app's code sees
// the request.
type facts struct {
	free  bool // an item has free shipping
	codes map[string]bool
}

func (r *Request) facts() *facts {
	f := &facts{codes: make(map[string]bool, len(r.Carrier.Options))}
	for i := range r.Items {
		f.free = f.free || r.Items[i].FreeShipping
	}
	for i := range r.Carrier.Options {
		f.codes[r.Carrier.Options[i].Code] = true
	}
	return f
}

func (f *facts) encode(rates []Rate) ([]byte, error) {
	var dropped []error
	kept := make([]rate, 0, len(rates))
	doors, points := make(map[string]bool, len(rates)), map[string]int{}
	for i, r := range rates {
		var why error
		switch {
		case r.wire.Type == "":
			why = engine.Invalid("type", "", "a rate that Ship or Pickup made")
		case r.differs && !f.free:
			why = engine.Invalid("price_merchant", r.wire.PriceMerchant, "the price, because no item has free shipping")
		case r.wire.Type == TypeToDoor && doors[r.wire.Code]:
			why = engine.Invalid("code", r.wire.Code, "a code that no other rate to the door has")
		case r.wire.Type == TypeToPickup && points[r.wire.Code] == MaxPickups:
			why = engine.Invalid("code", r.wire.Code, fmt.Sprintf("at most %d pickup rates with the same code", MaxPickups))
		}
		if why != nil {
			dropped = append(dropped, fmt.Errorf("%w: rates[%d].%w", ErrDropped, i, why))
			continue
		}
		if r.wire.Type == TypeToDoor {
			doors[r.wire.Code] = true
		} else {
			points[r.wire.Code]++
		}
		kept = append(kept, r.wire)
	}
	if len(kept) == 0 {
		return nil, errors.Join(dropped...)
	}
	body, err := wire.Marshal(struct {
		Rates []rate `json:"rates"`
	}{kept})
	if err != nil {
		return nil, err
	}
	return body, errors.Join(dropped...)
}

// unmatched returns the codes of rates that are not shown, since the carrier has no such option.
func (f *facts) unmatched(rates []Rate) []string {
	var codes []string
	seen := map[string]bool{"": true}
	for _, r := range rates {
		if code := r.wire.Code; !f.codes[code] && !seen[code] {
			seen[code] = true
			codes = append(codes, code)
		}
	}
	return codes
}
