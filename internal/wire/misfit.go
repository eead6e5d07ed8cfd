package wire

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Misfit is a value in a document that the type due there is not read from.
type Misfit struct {
	Path string       // such as items[0].quantity; empty for the document itself
	Form string       // of the value: see FormOf
	Type reflect.Type // that is due
}

// Misfits returns the values that keep UnmarshalStrict from reading a document into a T, the first most of them. It
// returns none for a document that is not strict JSON: see Fault.
func Misfits[T any](data []byte, most int, opts ...Option) (all []Misfit) {
	if bound(data) != nil {
		return nil
	}
	for len(all) < most {
		err := jsonv2.Unmarshal(data, new(T), strictly(opts))
		s, ok := errors.AsType[*jsonv2.SemanticError](err)
		if !ok {
			return all
		}
		start, end := find(data, s.JSONPointer)
		raw := data[start:end]
		if string(raw) == "null" { // also if it replaces a misfit
			return all
		}
		due := s.GoType
		if due.Kind() == reflect.Pointer { // the receiver of its method
			due = due.Elem()
		}
		all = append(all, Misfit{pathOf(s.JSONPointer), FormOf(raw), due})
		data = slices.Concat(data[:start], []byte("null"), data[end:])
	}
	return all
}

// find returns where the value is that a pointer leads to. The data are strict JSON, up to there at least.
func find(data []byte, to jsontext.Pointer) (start, end int) {
	d := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	for {
		if at, ok := next(d); ok && at == to {
			value, err := d.ReadValue()
			if err != nil {
				return 0, len(data)
			}
			end = int(d.InputOffset())
			return end - len(value), end
		}
		if _, err := d.ReadToken(); err != nil {
			return 0, len(data)
		}
	}
}

// next returns the pointer to the value that comes next, false if that is a name or an end.
func next(d *jsontext.Decoder) (at jsontext.Pointer, ok bool) {
	kind, n := d.StackIndex(d.StackDepth())
	switch comes := d.PeekKind(); {
	case comes == ']', comes == '}', kind == '{' && n%2 == 0:
		return "", false
	case kind == '[':
		at = d.StackPointer()
		if n > 0 { // it leads to the element before
			at = at.Parent()
		}
		return at.AppendToken(strconv.FormatInt(n, 10)), true
	}
	return d.StackPointer(), true
}

// pathOf writes a pointer as paths are written in errors.
func pathOf(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.ParseUint(token, 10, 32); err == nil && b.Len() > 0 {
			fmt.Fprintf(&b, "[%s]", token)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(token)
	}
	return b.String()
}

// FormOf describes a JSON value without quoting it.
func FormOf(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '"':
		return fmt.Sprintf("a string of %d bytes", len(raw)-2)
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f', 'n':
		return string(raw)
	}
	return "a number"
}

// KindOf names the JSON that a Go type without methods of its own is read from.
func KindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}
