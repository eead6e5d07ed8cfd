package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrTooMany is why a list is not read to its end.
var ErrTooMany = errors.New("too many items")

// UnmarshalList reads a list into the slice that items points to, as [Unmarshal] does, and stops with ErrTooMany at an
// item beyond most. An item of two bytes may become a large struct, so the bytes of a list do not bound its cost. After
// an error the slice does not hold the list.
func UnmarshalList(data []byte, items any, most int, opts ...Option) error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if kind := dec.PeekKind(); kind != '[' && kind != 0 {
		return fmt.Errorf("must be a JSON list, got %s", kind)
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	list := reflect.ValueOf(items).Elem()
	list.Set(reflect.MakeSlice(list.Type(), 0, 0))
	opts = tolerant(opts)
	for kind := dec.PeekKind(); kind != ']'; kind = dec.PeekKind() {
		n := list.Len()
		if n >= most && kind != 0 { // 0 is the end, or no JSON
			return fmt.Errorf("%w: must be at most %d", ErrTooMany, most)
		}
		if n == list.Cap() {
			list.Grow(max(n, 8))
		}
		list.SetLen(n + 1)
		list.Index(n).SetZero()
		if err := jsonv2.UnmarshalDecode(dec, list.Index(n).Addr().Interface(), opts...); err != nil {
			return err
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("JSON is followed by more data")
	}
	return nil
}

// Numbered returns the values of an object as a list. It returns false unless the names are rising numbers, as in the
// objects that PHP writes for lists with gaps.
func Numbered(data []byte) (list []byte, ok bool) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadToken(); err != nil {
		return nil, false
	}
	last := int64(-1)
	for dec.PeekKind() == '"' {
		n, ok := nextIndex(unread(dec))
		if !ok || n <= last {
			return nil, false
		}
		last = n
		if _, err := dec.ReadToken(); err != nil {
			return nil, false
		}
		value, err := dec.ReadValue()
		if err != nil {
			return nil, false
		}
		list = append(append(list, ','), value...)
	}
	if end, err := dec.ReadToken(); err != nil || end.Kind() != '}' || len(list) == 0 {
		return nil, false
	}
	list[0] = '['
	_, err := dec.ReadToken()
	return append(list, ']'), errors.Is(err, io.EOF)
}
