package shipping

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// member describes a member of a request that may have other forms than its type.
type member struct {
	optional bool              // no rate depends on it, so it is omitted if it cannot be read
	of       map[string]member // members of an object, or of the objects of a list
	list     bool
	amount   bool // an object that may be a plain amount

	reads func(raw []byte) bool // of a value
	rule  string                // for an optional one
}

// relaxed are the members of a request that may have other forms. No rate depends on members outside of the Key.
var relaxed = member{of: map[string]member{
	"cart_id":     as[client.Code](),
	"currency":    as[string](),
	"language":    as[string](),
	"total_price": as[Number](),
	"origin":      {},
	"destination": {of: map[string]member{"location_id": as[client.Code]()}},
	"items": {list: true, of: map[string]member{
		"product_id":    as[client.ID](),
		"name":          as[client.Code](),
		"sku":           as[client.Code](),
		"free_shipping": as[bool](),
		"price":         as[Number](),
		"cost":          as[Number](),
		"dimensions":    {},
	}},
	"carrier": {of: map[string]member{
		"name": as[string](),
		"options": {optional: true, rule: "a list of objects", list: true, of: map[string]member{
			"id":                  as[client.Code](),
			"name":                as[string](),
			"code":                as[string](),
			"allow_free_shipping": as[bool](),
			"additional_days":     as[client.Int](),
			"additional_cost": {optional: true, rule: "an amount", amount: true, of: map[string]member{
				"amount": as[Number](), "currency": as[string](),
			}},
		}},
	}},
}}

// as describes an optional value of a type.
func as[T any]() member {
	reads := func(raw []byte) bool { // the tolerance of the decoder is for values inside of others
		return wire.UnmarshalStrict(slices.Concat([]byte("["), raw, []byte("]")), new([]T)) == nil
	}
	return member{optional: true, reads: reads, rule: ruleOf(reflect.TypeFor[T]())}
}

// relax returns a request in the form of its type. It writes null where the platform writes [], "" or false for a
// missing object or list, and an object for a plain amount. It omits optional members that cannot be read, and names
// them in ignored. It is called only if a request cannot be read as it is, so that other requests cost nothing. The
// body has not been checked yet, so it must be strict JSON.
func relax(body []byte) (request []byte, ignored, err error) {
	var strict map[string]json.RawMessage
	if err := wire.UnmarshalStrict(body, &strict); err != nil {
		return nil, nil, err
	}
	var unread []string
	request, _ = relaxed.read("", body, &unread)
	return request, callback.Ignored("members outside of the key", unread), nil
}

// read returns a value in the form of its type. If it cannot, it returns the value unchanged and false.
func (m member) read(path string, raw json.RawMessage, unread *[]string) (json.RawMessage, bool) {
	switch {
	case m.reads != nil:
		return raw, m.reads(raw)
	case m.list:
		return m.readList(path, raw, unread)
	}
	var n Number
	if m.amount && n.UnmarshalJSON(raw) == nil && n != "" {
		return json.RawMessage(`{"amount":` + string(n) + `}`), true
	}
	var object client.Nullable[map[string]json.RawMessage]
	if object.UnmarshalJSON(raw) != nil {
		return raw, false
	}
	if !object.Valid {
		return json.RawMessage("null"), true
	}
	for _, name := range slices.Sorted(maps.Keys(object.V)) {
		of, known := m.of[name]
		if !known {
			continue
		}
		at, value := strings.TrimPrefix(path+"."+name, "."), object.V[name]
		read, ok := of.read(at, value, unread)
		if object.V[name] = read; !ok && of.optional {
			*unread = append(*unread, callback.Misfit(at, value, of.rule))
			delete(object.V, name)
		}
	}
	return encoded(raw, object.V)
}

// readList does so for a list, which may be an empty object.
func (m member) readList(path string, raw json.RawMessage, unread *[]string) (json.RawMessage, bool) {
	var all []json.RawMessage
	if wire.Unmarshal(raw, &all) != nil {
		var none map[string]json.RawMessage
		if wire.Unmarshal(raw, &none) != nil || len(none) > 0 {
			return raw, false
		}
		return json.RawMessage("null"), true
	}
	m.list = false
	whole := true
	for i := range all {
		var ok bool
		all[i], ok = m.read(fmt.Sprintf("%s[%d]", path, i), all[i], unread)
		whole = whole && ok
	}
	list, ok := encoded(raw, all)
	return list, ok && whole
}

// encoded encodes what was read from raw.
func encoded(raw json.RawMessage, v any) (json.RawMessage, bool) {
	if text, err := wire.Marshal(v); err == nil {
		return text, true
	}
	return raw, false
}
