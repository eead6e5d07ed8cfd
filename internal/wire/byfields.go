package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A record that stores unknown members needs methods, because encoding/json does not know the tag option embed.
// Those methods call MarshalRecord and UnmarshalRecord. The readers and the writer of this package must ignore them:
// a document would be parsed again at each level, and Watching would not see into it. So this package reads and writes
// records as if they had no methods. It finds records by their types and needs no list of them, because a list would
// link every record, with its methods, into every program.

// delegate is a struct whose methods for JSON call MarshalRecord and UnmarshalRecord.
type delegate struct {
	of     reflect.Type
	layout func() layout
}

// layout says where a delegate has its members.
type layout struct {
	*fields
	byName map[string]*field
}

// delegates caches what delegateOf returns, by reflect.Type.
var delegates sync.Map

// records is the import path of all packages of this module, up to its last slash.
var records = strings.TrimSuffix(reflect.TypeFor[delegate]().PkgPath(), "internal/wire")

// delegateOf returns the delegate of a struct; nil if it is none. A delegate is a struct of this module with a field
// for unknown members and methods for JSON. The tag wire:"methods" on one of its fields excludes a struct whose methods
// do more than call MarshalRecord and UnmarshalRecord.
func delegateOf(t reflect.Type) *delegate {
	extra, ok := t.FieldByName("Extra")
	if !ok || extra.Tag.Get("json") != ",embed" || !strings.HasPrefix(t.PkgPath(), records) ||
		!reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("wire") == "methods" {
			return nil
		}
	}
	return &delegate{t, sync.OnceValue(func() layout { return layoutOf(t) })}
}

// layoutOf panics for a delegate whose methods would call themselves forever.
func layoutOf(t reflect.Type) layout {
	f, ok := fieldsOf(t)
	l := layout{f, map[string]*field{}}
	for i := range f.all {
		ok = ok && l.byName[f.all[i].name] == nil
		l.byName[f.all[i].name] = &f.all[i]
	}
	if !ok || f.rest == nil {
		panic(fmt.Sprintf("wire: %v: must be a struct with a field for unknown members, and tags without other options", t))
	}
	return l
}

// byFields returns the delegate of a type; nil if it has none.
func byFields(t reflect.Type) *delegate {
	if t.Kind() != reflect.Struct {
		return nil
	}
	if known, ok := delegates.Load(t); ok {
		return known.(*delegate)
	}
	known, _ := delegates.LoadOrStore(t, delegateOf(t))
	return known.(*delegate)
}

// IsByFields reports whether a type is read by its fields although it has methods.
func IsByFields(t reflect.Type) bool { return byFields(t) != nil }

// MarshalRecord is [Marshal] for a record, or a part of one. Unknown members follow the others, sorted by name.
// They are written as they came, so invalid UTF-8 is written as U+FFFD, and a name that stands twice in one of them
// is written twice.
func MarshalRecord(v any) ([]byte, error) {
	return jsonv2.Marshal(v, jsonv2.Deterministic(true), writesByFields,
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// UnmarshalRecord reads data into v, a pointer to a record, as [Unmarshal] does. It tries the forms first, unless they
// are nil. Null changes nothing, and members that are not in data stay as they are, as encoding/json has it.
func UnmarshalRecord(forms *Forms, data []byte, v any) error {
	if string(bytes.TrimSpace(data)) == "null" {
		return nil
	}
	if forms != nil && forms.Unmarshal(data, v) {
		return nil
	}
	return Unmarshal(data, v)
}

var (
	writesByFields = jsonv2.WithMarshalers(jsonv2.MarshalToFunc(encodeByFields))
	readsByFields  = jsonv2.UnmarshalFromFunc(decodeByFields)
)

// encodeByFields leaves a type that is no delegate to its method.
func encodeByFields(enc *jsontext.Encoder, from json.Marshaler) error {
	v := reflect.ValueOf(from)
	if v.Kind() != reflect.Pointer {
		return errors.ErrUnsupported
	}
	d := byFields(v.Type().Elem())
	if d == nil {
		return errors.ErrUnsupported
	}
	return d.encode(enc, v.Elem())
}

func (d *delegate) encode(enc *jsontext.Encoder, v reflect.Value) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	l := d.layout()
	rest := *l.restIn(v)
	for i := range l.all {
		at := l.all[i].in(v)
		if l.all[i].omitzero && isZero(at) {
			continue
		}
		if _, twice := rest[l.all[i].name]; twice {
			err := fmt.Errorf("member %q has a field: must not be in Extra too", l.all[i].name)
			return &jsonv2.SemanticError{GoType: d.of, Err: err}
		}
		if err := enc.WriteToken(jsontext.String(l.all[i].name)); err != nil {
			return err
		}
		if err := jsonv2.MarshalEncode(enc, at.Addr().Interface()); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rest)) {
		if err := enc.WriteToken(jsontext.String(name)); err != nil {
			return err
		}
		if err := enc.WriteValue(writable(enc, jsontext.Value(rest[name]))); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

// writable returns an unknown member in a form that the encoder takes. A server may have sent a name twice in it, or
// invalid UTF-8: an encoder that takes neither gets the last of the members and U+FFFD, as the reader has it.
func writable(enc *jsontext.Encoder, raw jsontext.Value) jsontext.Value {
	if len(raw) == 0 {
		return jsontext.Value("null")
	}
	if twice, _ := jsonv2.GetOption(enc.Options(), jsontext.AllowDuplicateNames); twice || raw.IsValid() {
		return raw
	}
	if last, repeated := lastMembers(raw); repeated {
		raw = last
	}
	var valid bytes.Buffer
	if err := jsontext.NewEncoder(&valid, jsontext.AllowInvalidUTF8(true)).WriteValue(raw); err != nil {
		return raw // for the encoder to refuse
	}
	return bytes.TrimSpace(valid.Bytes())
}

// isZero reports whether a field is zero as the tag option omitzero has it.
func isZero(v reflect.Value) bool {
	if v.Kind() == reflect.Pointer {
		return v.IsNil()
	}
	if says, ok := v.Addr().Interface().(interface{ IsZero() bool }); ok {
		return says.IsZero()
	}
	return v.IsZero()
}

// decodeByFields leaves a type that is no delegate to its method.
func decodeByFields(dec *jsontext.Decoder, to json.Unmarshaler) error {
	v := reflect.ValueOf(to).Elem()
	d := byFields(v.Type())
	if d == nil {
		return errors.ErrUnsupported
	}
	return d.decode(dec, v)
}

func (d *delegate) decode(dec *jsontext.Decoder, v reflect.Value) error {
	switch kind := dec.PeekKind(); kind {
	case '{':
	case 'n':
		v.SetZero()
		return dec.SkipValue()
	default:
		if err := dec.SkipValue(); err != nil {
			return err
		}
		return &jsonv2.SemanticError{GoType: d.of, JSONKind: kind}
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	l := d.layout()
	for dec.PeekKind() != '}' {
		token, err := dec.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		if known := l.byName[name]; known != nil {
			err = jsonv2.UnmarshalDecode(dec, known.in(v).Addr().Interface())
		} else {
			err = keep(dec, l.restIn(v), name)
		}
		if err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// keep stores the next value as it is. If the name stands twice, the last value counts.
func keep(dec *jsontext.Decoder, rest *map[string]json.RawMessage, name string) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if *rest == nil {
		*rest = map[string]json.RawMessage{}
	}
	(*rest)[name] = append(json.RawMessage{}, raw...)
	return nil
}
