package wire

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// tolerance reads the forms in which platforms write values although the type of the member is another one. It applies
// to what is in an object or a list; the value as a whole must have its type.
//
//   - A member that comes twice: the last one wins, and nothing of the first remains.
//   - A text: a number is read as its [Digits], and true and false as those words. As a member [] is no text.
//   - A bool: 0, 1, and each of "0", "1", "true", "false" and "".
//   - A whole number: 5.0, 5e0, "5" and "5.0" are 5; "" is 0.
//   - A pointer: "" is nil, unless the type has a value that is written so, such as a string.
//   - A type that reads itself from a text, such as a UUID: "" is its zero value.
//   - An object as a member: [], "" and false are its zero value, nil for a pointer.
//   - A list as a member: {} is empty, and "" and false are nil. An object whose names are rising numbers is the list
//     of its values, because PHP writes a list with gaps so.
//
// One form is refused: null in a list of a type that has no value for it, such as a list of records.
type tolerance struct {
	report Watcher // nil for none
}

// silent is the tolerance without reports. It caches the readers of types.
var silent = tolerance{}.unmarshalers()

func (t tolerance) unmarshalers() *jsonv2.Unmarshalers { return jsonv2.UnmarshalFromFunc(t.read) }

// tolerant returns the options of a reading with tolerance. Those of the caller may replace it.
func tolerant(opts []Option) []Option {
	return append([]Option{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsonv2.WithUnmarshalers(silent)}, opts...)
}

// read is called before each value with a pointer to where it goes. It leaves what has the form of its type to the
// decoder, with errors.ErrUnsupported.
func (t tolerance) read(dec *jsontext.Decoder, to any) error {
	v := reflect.ValueOf(to).Elem()
	record := byFields(v.Type())
	if dec.StackDepth() == 0 {
		if record != nil {
			return record.decode(dec, v)
		}
		return errors.ErrUnsupported
	}
	if err := begin(dec, to); err != nil {
		return err
	}
	kind := dec.PeekKind()
	within, _ := dec.StackIndex(dec.StackDepth())
	if v.Kind() == reflect.Pointer {
		return t.readPointer(dec, v, kind, within)
	}
	if record != nil {
		if within == '{' && isNone(kind, unread(dec)) {
			return t.skip(dec, "an object")
		}
		return record.decode(dec, v)
	}
	switch to.(type) {
	case json.Unmarshaler, jsonv2.UnmarshalerFrom:
		return errors.ErrUnsupported
	case encoding.TextUnmarshaler:
		if kind == '"' && isEmptyText(unread(dec)) {
			return t.skip(dec, "null")
		}
		return errors.ErrUnsupported
	}
	switch v.Kind() {
	case reflect.String:
		if within == '{' && isEmptyList(kind, unread(dec)) {
			return t.skip(dec, "a text")
		}
		return t.readText(dec, v, kind)
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return t.readScalar(dec, v, kind)
	case reflect.Struct, reflect.Map:
		if within == '{' && isNone(kind, unread(dec)) {
			if v.Kind() == reflect.Map && kind == '[' {
				v.Set(reflect.MakeMap(v.Type()))
			}
			return t.skip(dec, "an object")
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 && within == '{' {
			return t.readList(dec, v, kind)
		}
	}
	return errors.ErrUnsupported
}

// begin prepares a value in an object or a list to be read. A member that came before leaves nothing.
func begin(dec *jsontext.Decoder, to any) error {
	depth := dec.StackDepth()
	if depth == 0 {
		return nil
	}
	v := reflect.ValueOf(to).Elem()
	v.SetZero()
	if within, _ := dec.StackIndex(depth); within == '[' {
		return refuseNone(v.Type(), dec.PeekKind(), unread(dec))
	}
	return nil
}

// refuseNone returns an error for an item of a list that says nothing, if the type has no value that means nothing.
func refuseNone(item reflect.Type, kind jsontext.Kind, unread []byte) error {
	if kind == 'n' && !HasNull(item) || kind == '"' && isNumber(item.Kind()) && isEmptyText(unread) {
		return wrong(item, "must not be null or empty, because it is an item of a list")
	}
	return nil
}

func wrong(t reflect.Type, rule string) error {
	return &jsonv2.SemanticError{GoType: t, Err: errors.New(rule)}
}

// HasNull reports whether null is a value of the items of a list: a nil pointer, no text, or JSON that is kept as it
// is. It is none of a record, an id or an amount, whose zero value would look like one.
func HasNull(item reflect.Type) bool {
	switch item.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.String:
		return true
	}
	return false
}

func isNumber(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Float64 }

func (t tolerance) readPointer(dec *jsontext.Decoder, v reflect.Value, kind, within jsontext.Kind) error {
	to := v.Type().Elem()
	switch {
	case kind == '"' && isEmptyText(unread(dec)) && emptyIsNil(to),
		within == '{' && to.Kind() == reflect.Struct && !readsItself(to) && isNone(kind, unread(dec)),
		within == '{' && to.Kind() == reflect.String && !readsItself(to) && isEmptyList(kind, unread(dec)):
		return t.skip(dec, "null")
	}
	return errors.ErrUnsupported
}

// emptyIsNil reports whether the empty text means null where a pointer to a type is due: the type has no value that
// is written so.
func emptyIsNil(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface || t.Kind() == reflect.String && !readsItself(t) {
		return false
	}
	v := reflect.New(t)
	return jsonv2.Unmarshal([]byte(`""`), v.Interface()) != nil || v.Elem().IsZero()
}

func (t tolerance) readText(dec *jsontext.Decoder, v reflect.Value, kind jsontext.Kind) error {
	switch kind {
	case '0', 't', 'f':
		raw, err := dec.ReadValue()
		if err == nil {
			t.drifted(dec, "a text", raw)
			v.SetString(string(Digits(raw)))
		}
		return err
	}
	return errors.ErrUnsupported
}

// readScalar reads a bool or a number.
func (t tolerance) readScalar(dec *jsontext.Decoder, v reflect.Value, kind jsontext.Kind) error {
	truth := v.Kind() == reflect.Bool
	if kind != '"' && kind != '0' || kind == '0' && !truth && jsonNumberFits(dec, v) {
		return errors.ErrUnsupported
	}
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	text := []byte(raw)
	if kind == '"' {
		if text, err = jsontext.AppendUnquote(nil, raw); err != nil {
			return err
		}
	}
	form := "a number"
	if truth {
		form = "true or false"
	}
	if len(text) > 0 && !setScalar(v, text) {
		return wrong(v.Type(), fmt.Sprintf("must be %s, got %.40q", form, raw))
	}
	t.drifted(dec, form, raw)
	return nil
}

// jsonNumberFits reports whether the next number is left to the decoder: it has no fraction or exponent, or they are of
// a type that has them.
func jsonNumberFits(dec *jsontext.Decoder, v reflect.Value) bool {
	if v.CanFloat() {
		return true
	}
	rest := unread(dec)
	if rest[0] == '-' {
		rest = rest[1:]
	}
	rest = rest[leadingDigits(rest):]
	return len(rest) == 0 || rest[0] != '.' && rest[0] != 'e' && rest[0] != 'E'
}

// setScalar sets a bool or a number to what a text says. It returns false if that is none.
func setScalar(v reflect.Value, text []byte) bool {
	if v.CanFloat() {
		plain, ok := Plain(text)
		f, err := strconv.ParseFloat(string(plain), v.Type().Bits())
		v.SetFloat(f)
		return ok && err == nil
	}
	if v.Kind() == reflect.Bool {
		switch string(text) {
		case "true":
			v.SetBool(true)
			return true
		case "false":
			return true
		}
	}
	n, ok := Whole(text)
	switch {
	case !ok:
		return false
	case v.Kind() == reflect.Bool:
		v.SetBool(n == 1)
		return n == 0 || n == 1
	case v.CanInt():
		v.SetInt(n)
		return !v.OverflowInt(n)
	}
	if n < 0 || v.OverflowUint(uint64(n)) {
		return false
	}
	v.SetUint(uint64(n))
	return true
}

func (t tolerance) readList(dec *jsontext.Decoder, v reflect.Value, kind jsontext.Kind) error {
	switch {
	case kind == '{':
		return t.readNumbered(dec, v)
	case kind != '[' && isNone(kind, unread(dec)):
		return t.skip(dec, "a list")
	}
	return errors.ErrUnsupported
}

// readNumbered reads the values of an object into a list. The names must be rising numbers.
func (t tolerance) readNumbered(dec *jsontext.Decoder, v reflect.Value) error {
	raw := unread(dec)
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	item, last := v.Type().Elem(), int64(-1)
	for kind := dec.PeekKind(); kind != '}'; kind = dec.PeekKind() {
		n, ok := nextIndex(unread(dec))
		if kind == '"' && (!ok || n <= last) {
			return wrong(v.Type(), "must be a list, or an object whose names are rising numbers")
		}
		if _, err := dec.ReadToken(); err != nil {
			return err
		}
		last = n
		if err := refuseNone(item, dec.PeekKind(), unread(dec)); err != nil {
			return err
		}
		if item.Kind() == reflect.Struct && !readsItself(item) && dec.PeekKind() != '{' {
			return wrong(item, "must be an object, because it is an item of a list of records")
		}
		v.Set(reflect.Append(v, reflect.Zero(item)))
		if err := jsonv2.UnmarshalDecode(dec, v.Index(v.Len()-1).Addr().Interface()); err != nil {
			return err
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	t.drifted(dec, "a list", raw[:len(raw)-len(dec.UnreadBuffer())])
	return nil
}

// nextIndex returns the number that is the name of the next member.
func nextIndex(unread []byte) (n int64, ok bool) {
	if len(unread) == 0 || unread[0] != '"' {
		return 0, false
	}
	digits := unread[1:min(len(unread), mostNumber)]
	end := leadingDigits(digits)
	if end == len(digits) || digits[end] != '"' {
		return 0, false
	}
	return Whole(digits[:end])
}

// skip leaves out a value that says nothing.
func (t tolerance) skip(dec *jsontext.Decoder, form string) error {
	raw, err := dec.ReadValue()
	if err == nil {
		t.drifted(dec, form, raw)
	}
	return err
}

func (t tolerance) drifted(dec *jsontext.Decoder, form string, raw []byte) {
	if t.report != nil {
		t.report(string(dec.StackPointer()), form, raw)
	}
}

// unread returns the input from the next value on.
func unread(dec *jsontext.Decoder) []byte { return bytes.TrimLeft(dec.UnreadBuffer(), " \t\r\n,:") }

func isEmptyText(unread []byte) bool { return bytes.HasPrefix(unread, []byte(`""`)) }

// isNone reports whether the next value is one of the forms of no object: [], "" or false.
func isNone(kind jsontext.Kind, unread []byte) bool {
	switch kind {
	case 'f':
		return true
	case '"':
		return isEmptyText(unread)
	}
	return isEmptyList(kind, unread)
}

func isEmptyList(kind jsontext.Kind, unread []byte) bool {
	return kind == '[' && bytes.HasPrefix(bytes.TrimLeft(unread[1:], " \t\r\n"), []byte{']'})
}
