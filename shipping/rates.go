package shipping

import (
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// MaxPickups is the maximum number of pickup rates with the same option code.
const MaxPickups = 10

// ErrDropped is wrapped by the error for a rate that was omitted from an answer.
var ErrDropped = errors.New("rate left out")

// Encode returns the body of an answer with the rates, as a Handler sends it. Use it in tests. Encode omits rates
// that the platform would not display:
//
//   - a second rate to the door with the same code
//   - rates above MaxPickups to pickup points with the same code
//   - a rate with a different PriceMerchant although no item has free shipping
//   - the zero Rate
//
// For each omitted rate, an error that wraps ErrDropped is joined into the returned error. The body is still valid,
// and nil if no rate is left.
func (r *Request) Encode(rates []Rate) ([]byte, error) {
	body, _, err := r.facts().encode(rates)
	return body, err
}

// facts are the properties of a request against which the answer is checked. They are copied before the app's code
// receives the request.
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

// encode returns the body of an answer, and the number of its rates.
func (f *facts) encode(rates []Rate) ([]byte, int, error) {
	var dropped []error
	kept := make([]rate, 0, len(rates))
	doors, points := make(map[string]bool, len(rates)), map[string]int{}
	for i, r := range rates {
		var why error
		switch {
		case r.wire.Type == "":
			why = engine.Invalid("type", "", "a rate that DoorRate or PickupRate made")
		case r.differs && !f.free:
			why = engine.Invalid("price_merchant", r.wire.PriceMerchant, "the price, because no item has free shipping")
		case r.wire.Type == carriers.TypeToDoor && doors[r.wire.Code]:
			why = engine.Invalid("code", r.wire.Code, "a code that no other rate to the door has")
		case r.wire.Type == carriers.TypeToPickup && points[r.wire.Code] == MaxPickups:
			why = engine.Invalid("code", r.wire.Code, fmt.Sprintf("at most %d pickup rates with the same code", MaxPickups))
		}
		if why != nil {
			dropped = append(dropped, fmt.Errorf("%w: rates[%d].%w", ErrDropped, i, why))
			continue
		}
		if r.wire.Type == carriers.TypeToDoor {
			doors[r.wire.Code] = true
		} else {
			points[r.wire.Code]++
		}
		kept = append(kept, r.wire)
	}
	if len(kept) == 0 {
		return nil, 0, errors.Join(dropped...)
	}
	body, err := wire.Marshal(struct {
		Rates []rate `json:"rates"`
	}{kept})
	if err != nil {
		return nil, 0, err
	}
	return body, len(kept), errors.Join(dropped...)
}

// unmatched returns the codes of rates without an option of the carrier, which are not displayed.
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
