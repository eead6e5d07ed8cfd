package body

import (
	"bytes"
	"encoding/json"
)

// Opt is a member of a body that may be absent, null or a value: the three mean
// keep, clear and set.
type Opt[T any] struct {
	// Present is set if the body has the member, Null if it is null.
	Present, Null bool
	Value         T
}

// UnmarshalJSON is called only for a member that is present.
func (o *Opt[T]) UnmarshalJSON(b []byte) error {
	*o = Opt[T]{Present: true}
	if bytes.Equal(b, []byte("null")) {
		o.Null = true
		return nil
	}
	return json.Unmarshal(b, &o.Value)
}

// Set reports whether the member has a value.
func (o Opt[T]) Set() bool { return o.Present && !o.Null }

// Or returns the value, or what is there now if the member is absent; null is
// the zero value.
func (o Opt[T]) Or(now T) T {
	if !o.Present {
		return now
	}
	return o.Value
}

// SetOr returns the value, or what is there now if the member is absent or null:
// the rule for members that cannot be cleared.
func (o Opt[T]) SetOr(now T) T {
	if !o.Set() {
		return now
	}
	return o.Value
}
