package value

import "github.com/commerceplatform/commerce-go/internal/wire"

// Opt is a member of a request that may be absent, null or a value. The zero Opt is absent; fields of this type have
// the tag option omitzero, which omits an absent member. It is used only in inputs and filters, where zero or null can
// be meant.
//
//	client.ProductInput{}                                       {}
//	client.ProductInput{Brand: client.Null[string]()}           {"brand":null}
//	client.ProductInput{Published: client.Set(false)}           {"published":false}
type Opt[T any] struct {
	value T
	state state
}

type state uint8

const (
	absent state = iota
	null
	set
)

// Set returns an Opt that sends v, even if v is a zero value. A nil slice or map is sent as an empty one, which clears
// the list.
func Set[T any](v T) Opt[T] { return Opt[T]{v, set} }

// Null returns an Opt that sends null.
func Null[T any]() Opt[T] { return Opt[T]{state: null} }

// FromPtr returns an Opt that sends *p, or is absent if p is nil.
func FromPtr[T any](p *T) Opt[T] {
	if p == nil {
		return Opt[T]{}
	}
	return Set(*p)
}

// NullIfNil returns an Opt that sends *p, or null if p is nil.
func NullIfNil[T any](p *T) Opt[T] {
	if p == nil {
		return Null[T]()
	}
	return Set(*p)
}

// IsZero reports whether the member is absent.
func (o Opt[T]) IsZero() bool { return o.state == absent }

// IsNull reports whether null is sent.
func (o Opt[T]) IsNull() bool { return o.state == null }

// Get returns the value and reports whether there is one.
//
//go:noinline
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == set }

// Or returns the value, or other if there is none.
//
//go:noinline
func (o Opt[T]) Or(other T) T {
	if o.state == set {
		return o.value
	}
	return other
}

// Ptr returns a pointer to a copy of the value, or nil if there is none.
//
//go:noinline
func (o Opt[T]) Ptr() *T {
	if o.state != set {
		return nil
	}
	return new(o.value)
}

// MarshalJSON writes the value, or null if there is none.
//
//go:noinline
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.state != set {
		return []byte("null"), nil
	}
	return wire.Marshal(o.value)
}

// UnmarshalJSON reads null as Null and anything else as Set.
func (o *Opt[T]) UnmarshalJSON(data []byte) error {
	if wire.Kind(data) == 'n' {
		*o = Opt[T]{state: null}
		return nil
	}
	var v T
	if err := wire.Unmarshal(data, &v); err != nil {
		return err
	}
	*o = Opt[T]{v, set}
	return nil
}
