package body

import (
	"bytes"
	"encoding/json"
	"errors"
)

// ReadOnly are members of every record that may be sent back and change nothing.
type ReadOnly struct {
	ID        json.RawMessage `json:"id"`
	CreatedAt json.RawMessage `json:"created_at"`
	UpdatedAt json.RawMessage `json:"updated_at"`
}

// Reference is an id, as a number or as text, or a record that has one. So a record of an answer may be sent back.
type Reference int64

// UnmarshalJSON takes any of the forms; null is 0, which nothing has.
func (r *Reference) UnmarshalJSON(b []byte) error {
	var record struct {
		ID Scalar `json:"id"`
	}
	decode := record.ID.UnmarshalJSON
	if bytes.HasPrefix(b, []byte("{")) {
		decode = func(b []byte) error { return json.Unmarshal(b, &record) }
	}
	if err := decode(b); err != nil {
		return err
	}
	id, ok := record.ID.Int()
	if !ok && record.ID.Text != "" {
		return errors.New("must be an id")
	}
	*r = Reference(id)
	return nil
}

// Extra is an object of custom information; an empty array counts as empty.
type Extra struct {
	Present bool
	Members map[string]json.RawMessage
}

// UnmarshalJSON takes an object, null or an empty array.
func (e *Extra) UnmarshalJSON(b []byte) error {
	*e = Extra{Present: true}
	if bytes.Equal(bytes.Join(bytes.Fields(b), nil), []byte("[]")) {
		return nil
	}
	return json.Unmarshal(b, &e.Members)
}
