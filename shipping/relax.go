package shipping

import (
	"encoding/json"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// relax returns the request with null where the platform prints [], "" or false for an object or a list that it does
// not have, and with objects for amounts alone. It is for requests that cannot be read as they are, so that the others
// cost nothing. Requests that are refused for something else stay refused: it does not repair, and the body is one that
// has passed no check yet, so it must be strict JSON in itself.
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

// loosen writes null for a member that is an object that is not there.
func (o object) loosen(name string) {
	var lax client.Nullable[object]
	if raw, ok := o[name]; ok && lax.UnmarshalJSON(raw) == nil && !lax.Valid {
		o[name] = json.RawMessage("null")
	}
}

// amount writes an object for a member that is an amount without its currency.
func (o object) amount(name string, currency json.RawMessage) {
	var n Number
	if raw := o[name]; len(raw) == 0 || n.UnmarshalJSON(raw) != nil || n == "" {
		return
	}
	cost := object{"amount": json.RawMessage(n)}
	if len(currency) > 0 {
		cost["currency"] = currency
	}
	_ = o.set(name, cost) // of two values that are JSON
}

// each calls f with all elements of a list.
func (o object) each(list string, f func(object)) error {
	raw, ok := o[list]
	if !ok {
		return nil
	}
	var all []object
	if wire.Unmarshal(raw, &all) != nil {
		var none object // an empty map where a list is due
		if err := wire.Unmarshal(raw, &none); err != nil || len(none) > 0 {
			return engine.Invalid(list, "", "a list")
		}
	}
	for _, one := range all {
		f(one)
	}
	return o.set(list, all)
}

// object returns a member; one that is null or absent is empty.
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
