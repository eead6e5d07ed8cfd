package shipping

import (
	"encoding/json"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// relax returns the request with null where the platform writes [], "" or false for a missing object or list, and
// with objects for plain amounts. It is called only if a request cannot be read as it is, so that other requests cost
// nothing. It does not repair other errors. The body has not been checked yet, so it must be strict JSON.
func relax(body []byte) ([]byte, error) {
	var top object
	if err := wire.UnmarshalStrict(body, &top); err != nil {
		return nil, err
	}
	for _, name := range []string{"origin", "destination", "carrier"} {
		top.loosen(name)
	}
	if err := top.each("items", func(item object) { item.loosen("dimensions") }); err != nil {
		return nil, err
	}
	carrier, err := top.object("carrier")
	if err != nil {
		return nil, err
	}
	if err := carrier.each("options", func(option object) {
		option.loosen("additional_cost")
		option.amount("additional_cost", top["currency"])
	}); err != nil {
		return nil, err
	}
	if err := top.set("carrier", carrier); err != nil {
		return nil, err
	}
	return wire.Marshal(top)
}

// object is a JSON object.
type object map[string]json.RawMessage

// loosen replaces an empty form of an object by null.
func (o object) loosen(name string) {
	var lax client.Nullable[object]
	if raw, ok := o[name]; ok && lax.UnmarshalJSON(raw) == nil && !lax.Valid {
		o[name] = json.RawMessage("null")
	}
}

// amount replaces a plain amount by an object with its currency.
func (o object) amount(name string, currency json.RawMessage) {
	var n Number
	if raw := o[name]; len(raw) == 0 || n.UnmarshalJSON(raw) != nil || n == "" {
		return
	}
	cost := object{"amount": json.RawMessage(n)}
	if len(currency) > 0 {
		cost["currency"] = currency
	}
	_ = o.set(name, cost) // both values are JSON
}

// each calls f with each element of a list.
func (o object) each(list string, f func(object)) error {
	raw, ok := o[list]
	if !ok {
		return nil
	}
	var all []object
	if wire.Unmarshal(raw, &all) != nil {
		var none object // an empty map in place of a list
		if err := wire.Unmarshal(raw, &none); err != nil || len(none) > 0 {
			return engine.Invalid(list, "", "a list")
		}
	}
	for _, one := range all {
		f(one)
	}
	return o.set(list, all)
}

// object returns a member. If it is null or absent, the result is empty.
func (o object) object(name string) (object, error) {
	var member object
	if raw, ok := o[name]; ok {
		if err := wire.Unmarshal(raw, &member); err != nil {
			return nil, err
		}
	}
	if member == nil {
		member = object{}
	}
	return member, nil
}

func (o object) set(name string, v any) error {
	raw, err := wire.Marshal(v)
	if err == nil {
		o[name] = raw
	}
	return err
}
