package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// ErrMalformed is why a request is not read: it is not strict JSON, or lacks what every request has.
var ErrMalformed = errors.New("malformed request")

// ReadRequest reads the body of a callback. It refuses JSON that is not strict, such as with duplicate members or
// invalid UTF-8, more than 64 levels, more than 20,000 values, and a request without a store or a domain that the
// contract names. The error wraps ErrMalformed. It names the members that are wrong, with the form of each value, and
// quotes none.
//
// Values in another form than the contract's are read if they mean the same: numbers as strings and strings as numbers,
// [] and "" as an empty object or list, null as nothing.
func ReadRequest(body []byte) (*Request, error) {
	var members map[string]json.RawMessage // strict JSON, at every level
	err := wire.UnmarshalStrict(body, &members)
	r := new(Request)
	if err == nil {
		err = wire.Unmarshal(body, r)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, misread(body, err))
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	r.Raw = body
	return r, nil
}

// misread says why a body could not be read: it names the members that are wrong. It quotes no value, because that
// may be about a person.
func misread(body []byte, err error) error {
	const most = 5 // members that are named
	why := wire.Refusal(err, "a business rule request")
	if fault := wire.Fault(err); fault != "" {
		return fmt.Errorf("%w: %s", why, fault)
	}
	var all []string
	for _, m := range wire.Misfits[Request](body, most) {
		path := callback.Printable(m.Path, callback.MostShown)
		if path == "" {
			path = "the document"
		}
		all = append(all, fmt.Sprintf("%s: %s: must be %s", path, m.Form, ruleOf(m.Type)))
	}
	if len(all) == 0 {
		return why
	}
	return fmt.Errorf("%w: %s", why, strings.Join(all, "; "))
}

// ruleOf describes what a type is read from.
func ruleOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[client.ID](), reflect.TypeFor[client.Int]():
		return "an integer"
	case reflect.TypeFor[client.Money](), reflect.TypeFor[client.Measure]():
		return "a decimal with a point"
	case reflect.TypeFor[client.Code]():
		return "a string or a number"
	case reflect.TypeFor[ulid.ULID]():
		return "a ULID"
	}
	return wire.KindOf(t)
}

// check returns what is wrong with a request that was read.
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
