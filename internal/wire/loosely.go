package wire

import (
	"bytes"
	"errors"
	"reflect"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// UnmarshalLoosely reads JSON from an untrusted sender into v as [UnmarshalStrict] does, except that values in another
// form than their type are left out, with the items of lists among them. It returns these values. As members, [], ""
// and false are no object, and {}, "" and false an empty list. An option of [ReadBy] reads other forms.
func UnmarshalLoosely(data []byte, v any, own ...Option) ([]Misfit, error) {
	l := &loosely{own: own}
	err := bound(data)
	if err == nil {
		err = jsonv2.Unmarshal(data, v, jsonv2.WithUnmarshalers(jsonv2.UnmarshalFromFunc(l.read)))
	}
	if err != nil {
		reflect.ValueOf(v).Elem().SetZero()
		return nil, err
	}
	return l.unread, nil
}

// loosely is a reading that leaves values out.
type loosely struct {
	own    []Option // for values that are neither an object nor a list
	unread []Misfit
	last   jsontext.Pointer // to the last of them
}

// read is called before each value with a pointer to where it goes.
func (l *loosely) read(dec *jsontext.Decoder, to any) error {
	v := reflect.ValueOf(to).Elem()
	t, kind := v.Type(), dec.PeekKind()
	within, _ := dec.StackIndex(dec.StackDepth())
	object := t
	if t.Kind() == reflect.Pointer {
		object = t.Elem()
	}
	switch {
	case object.Kind() == reflect.Struct && !readsItself(object):
		if kind == '{' || kind == 'n' {
			return l.object(dec, v)
		}
		if within == '{' && isNone(kind, unread(dec)) {
			return dec.SkipValue()
		}
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 && !readsItself(t):
		if kind == '[' {
			return l.list(dec, v)
		}
		if within == '{' && kind != '[' && (isNone(kind, unread(dec)) || isEmptyObject(unread(dec))) {
			return dec.SkipValue()
		}
	}
	return l.value(dec, v)
}

// object reads the members of an object.
func (l *loosely) object(dec *jsontext.Decoder, v reflect.Value) error {
	if d := byFields(v.Type()); d != nil {
		return d.decode(dec, v)
	}
	return errors.ErrUnsupported
}

// list reads the items of a list.
func (l *loosely) list(dec *jsontext.Decoder, v reflect.Value) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for dec.PeekKind() != ']' {
		item, before := reflect.New(v.Type().Elem()), len(l.unread)
		if err := jsonv2.UnmarshalDecode(dec, item.Interface()); err != nil {
			return err
		}
		if len(l.unread) == before || l.last != dec.StackPointer() {
			v.Set(reflect.Append(v, item.Elem()))
		}
	}
	_, err := dec.ReadToken()
	return err
}

// value reads a value as a whole, or leaves it out.
func (l *loosely) value(dec *jsontext.Decoder, v reflect.Value) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	list := reflect.New(reflect.SliceOf(v.Type())) // some types read a value only inside of another one
	if jsonv2.Unmarshal(slices.Concat([]byte("["), raw, []byte("]")), list.Interface(), strictly(l.own)) == nil {
		v.Set(list.Elem().Index(0))
		return nil
	}
	v.SetZero()
	l.last = dec.StackPointer()
	l.unread = append(l.unread, Misfit{pathOf(l.last), FormOf(raw), v.Type()})
	return nil
}

func isEmptyObject(unread []byte) bool {
	return bytes.HasPrefix(unread, []byte{'{'}) && bytes.HasPrefix(bytes.TrimLeft(unread[1:], " \t\r\n"), []byte{'}'})
}
