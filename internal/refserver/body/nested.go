package body

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// List is a member that is an array of objects of a type. A resource reads it when its
// turn comes, so that refusals keep their order.
type List[T any] []json.RawMessage

func (List[T]) holds() reflect.Type { return reflect.TypeFor[[]T]() }

// Read reads the elements and notes those of their members that nothing reads.
func (l List[T]) Read(in *api.In, member string) ([]T, error) {
	out := make([]T, len(l))
	for i, raw := range l {
		var err error
		if out[i], err = ReadObject[T](in, member, raw); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Nested is a member that is an object of a type, read when its turn comes.
type Nested[T any] struct{ raw json.RawMessage }

// UnmarshalJSON takes anything, which Read judges.
func (n *Nested[T]) UnmarshalJSON(b []byte) error {
	n.raw = bytes.Clone(b)
	return nil
}

// Set reports whether the member has a value.
func (n Nested[T]) Set() bool { return len(n.raw) > 0 && !isNull(n.raw) }

// Read reads the object; absent and null leave everything empty.
func (n Nested[T]) Read(in *api.In, member string) (T, error) {
	if !n.Set() {
		var none T
		return none, nil
	}
	return ReadObject[T](in, member, n.raw)
}

// ReadObject reads a member that is an object, noting those of its members that nothing
// reads. Any other value, null too, is 422 on the member.
func ReadObject[T any](in *api.In, member string, raw json.RawMessage) (T, error) {
	var out T
	unread, err := decode(raw, &out)
	for _, name := range unread {
		in.MarkUnread(member + "." + name)
	}
	if e, ok := errors.AsType[*api.Error](err); ok && e.Status == http.StatusBadRequest {
		return out, api.Invalid(member, IsInvalid)
	}
	return out, err
}

func isNull(raw json.RawMessage) bool { return bytes.Equal(bytes.TrimSpace(raw), []byte("null")) }
