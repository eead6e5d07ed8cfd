package rules

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// ReadRequest reads the body of a callback. It rejects JSON that is not strict, for example with duplicate members or
// invalid UTF-8. It also rejects more than 64 levels, more than 20,000 values, and a request without a store or a
// known domain. The error wraps ErrMalformed. It names the invalid members with the form of each value, and quotes no
// values.
//
// Values in another form are accepted if the meaning is clear: numbers as strings and strings as numbers, [] and ""
// as an empty object or list, null as a missing value.
func ReadRequest(body []byte) (*Request, error) {
	r := new(Request)
	if _, err := loose.Read(body, r, nil); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	r.Raw = body
	return r, nil
}

// loose are requests. A rule may depend on any member.
var loose = callback.Loose{
	Of: "a business rule request",
	Needed: []string{
		"store_id", "cart_id", "currency", "details", "products", "customer", "shipping", "package", "locations", "totals",
	},
	RuleOf: ruleOf,
}

// ruleOf describes the JSON from which a type is read.
func ruleOf(t reflect.Type) string {
	if t == reflect.TypeFor[ulid.ULID]() {
		return "a ULID"
	}
	return callback.RuleOf(t)
}

// check returns an error if the request is invalid.
func (r *Request) check() error {
	if r.StoreID <= 0 {
		return errors.New("store_id: nothing, or not above 0: must be an integer above 0")
	}
	switch d := r.Domain(); {
	case d == "":
		return errors.New("details.domain: nothing: must be payments, shipping, location or cart")
	case !d.Known():
		return fmt.Errorf("details.domain: a string of %d bytes: must be payments, shipping, location or cart", len(d))
	}
	return nil
}
