package client

import (
	"encoding/json"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Nullable is an object for which the platform sends an empty list if there is none. It reads [], "", false and null as
// "none", and rejects a list with elements. It is written as the object, or as [].
type Nullable[T any] struct {
	// V is the object. It is the zero value if Valid is false.
	V T
	// Valid reports whether there is an object.
	Valid bool
}

// MarshalJSON writes the object, or [] if there is none.
func (l Nullable[T]) MarshalJSON() ([]byte, error) {
	if !l.Valid {
		return []byte("[]"), nil
	}
	return wire.MarshalRecord(&l.V)
}

// UnmarshalJSON reads the object or one of the forms of none.
func (l *Nullable[T]) UnmarshalJSON(data []byte) error {
	if wire.None(data) {
		*l = Nullable[T]{}
		return nil
	}
	if wire.Kind(data) != '{' {
		return fmt.Errorf("must be an object or [], got %s", wire.Shown(data))
	}
	var v T
	if err := wire.Unmarshal(data, &v); err != nil {
		return err
	}
	*l = Nullable[T]{v, true}
	return nil
}

// Object is a JSON object whose members the contract does not describe, such as the custom information of an order. The
// platform sends [] for an empty object. If it sends a list with elements, they are in Items.
type Object struct {
	// Members holds the values by name.
	Members map[string]json.RawMessage
	// Items holds the elements if the platform sent a list instead of an object.
	Items []json.RawMessage
}

// Decode decodes the member name into v. It returns false if there is no such member.
func (o Object) Decode(name string, v any) (bool, error) { return Extra(o.Members).Decode(name, v) }

// MarshalJSON writes the members as an object, or the items as a list if there are no members.
func (o Object) MarshalJSON() ([]byte, error) {
	if len(o.Members) > 0 || o.Members != nil && o.Items == nil {
		return wire.MarshalRecord(o.Members)
	}
	return wire.MarshalRecord(o.Items)
}

// UnmarshalJSON reads an object, a list, "", false or null.
func (o *Object) UnmarshalJSON(data []byte) error {
	var v Object
	switch wire.Kind(data) {
	case '{':
		if err := wire.Unmarshal(data, &v.Members); err != nil {
			return err
		}
	case '[':
		if forms.UnmarshalList(data, &v.Items, len(data)) { // makes room by the length of the rest, in few steps
			break
		}
		v.Items = nil
		if err := wire.Unmarshal(data, &v.Items); err != nil {
			return err
		}
	default:
		if !wire.None(data) {
			return fmt.Errorf("must be an object or a list, got %s", wire.Shown(data))
		}
	}
	*o = v
	return nil
}
