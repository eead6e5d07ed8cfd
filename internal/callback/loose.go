package callback

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Loose describes a document of which some members may have any form.
type Loose struct {
	Of string // what the document is
	// Needed are the members that must have the form of their types, with all members below and above them. Members of
	// the items of a list are written as items.quantity.
	Needed []string
	RuleOf func(reflect.Type) string
	// Own is an option of wire.ReadBy, by which values are read strictly. Without it they are read in any form with a
	// clear meaning, as wire.Unmarshal does.
	Own []wire.Option
	// Through returns the record that an object is read into in place of v, a pointer to a type with methods, and a
	// function that sets v from it. It returns nil for other types, and may be nil.
	Through func(v any) (record any, set func())
}

// Read reads a document into v, a pointer to a zero struct. Members in another form that are not needed are left out of
// their fields. They are named in ignored, and kept in the Extra of their record. Check, which may be nil, adds what
// else is wrong. Neither error quotes a value.
func (l *Loose) Read(document []byte, v any, check func(*Flaws)) (ignored, err error) {
	document = bytes.TrimSpace(document)
	if err = l.unlike(document); err != nil {
		return nil, err
	}
	r := loosely{Loose: l}
	r.object("", document, reflect.ValueOf(v).Elem())
	if check != nil {
		check(&r.needed)
	}
	if err = r.needed.Err(); err != nil {
		return nil, err
	}
	return r.others.err("members on which no answer depends could not be read: "), nil
}

// unlike returns an error for a document that is not an object of strict JSON.
func (l *Loose) unlike(document []byte) error {
	var top map[string]json.RawMessage
	cause := wire.UnmarshalStrict(document, &top)
	if cause == nil && top != nil {
		return nil
	}
	fault := wire.Fault(cause)
	if fault == "" && document[0] != '{' {
		fault = wire.FormOf(document) + ": must be an object"
	}
	return fmt.Errorf("%w: %s", ErrMalformed, strings.TrimSuffix(wire.Refusal(cause, l.Of).Error()+": "+fault, ": "))
}

func (l *Loose) needs(path string) bool {
	for from := strings.IndexByte(path, '['); from >= 0; from = strings.IndexByte(path, '[') {
		_, rest, _ := strings.Cut(path[from:], "]")
		path = path[:from] + rest
	}
	return slices.ContainsFunc(l.Needed, func(n string) bool {
		return n == path || strings.HasPrefix(path, n+".") || strings.HasPrefix(n, path+".")
	})
}

// loosely is the reading of a document.
type loosely struct {
	*Loose
	needed, others Flaws
}

// object reads the members of an object into a struct. It returns false if one was left out and not kept.
func (r *loosely) object(path string, raw []byte, to reflect.Value) bool {
	members, _ := wire.Members(raw) // it is strict JSON
	fields, extra := fieldsOf(to)
	kept := true
	for _, m := range members {
		field, known := fields[string(m.Name)]
		at := strings.TrimPrefix(path+"."+string(m.Name), ".")
		switch {
		case known && (r.read(m.Value, field, '{') || isNone(m.Value, field.Type()) || r.parts(at, m.Value, field)):
		case extra == nil:
			kept = kept && !known
		default:
			if *extra == nil {
				*extra = value.Extra{}
			}
			(*extra)[string(m.Name)] = bytes.Clone(m.Value)
		}
	}
	return kept
}

// fieldsOf returns the fields of a struct by name, and that for members without a field; nil if there is none.
func fieldsOf(of reflect.Value) (fields map[string]reflect.Value, extra *value.Extra) {
	fields = map[string]reflect.Value{}
	for i := range of.NumField() {
		switch name, option, _ := strings.Cut(of.Type().Field(i).Tag.Get("json"), ","); {
		case option == "embed":
			extra, _ = reflect.TypeAssert[*value.Extra](of.Field(i).Addr())
		case name != "" && name != "-":
			fields[name] = of.Field(i)
		}
	}
	return fields, extra
}

// read reads a whole value in an object or a list, on which its forms depend. It returns false for another form, and
// leaves to zero.
func (r *loosely) read(raw []byte, to reflect.Value, within byte) bool {
	if raw[0] == 'n' {
		return true
	}
	if within == '[' {
		list := reflect.New(reflect.SliceOf(to.Type()))
		if wire.Unmarshal(slices.Concat([]byte("["), raw, []byte("]")), list.Interface(), r.Own...) != nil {
			return false
		}
		to.Set(list.Elem().Index(0))
		return true
	}
	object := reflect.New(reflect.MapOf(reflect.TypeFor[string](), to.Type()))
	if wire.Unmarshal(slices.Concat([]byte(`{"":`), raw, []byte("}")), object.Interface(), r.Own...) != nil {
		return false
	}
	to.Set(object.Elem().MapIndex(reflect.ValueOf("")))
	return true
}

// parts reads what can be read of a value that cannot be read as a whole. It returns false if something of it was left
// out and not kept.
func (r *loosely) parts(path string, raw []byte, to reflect.Value) bool {
	kind := to.Type()
	if kind.Kind() == reflect.Pointer && raw[0] == '{' && isRecord(kind.Elem()) {
		to.Set(reflect.New(kind.Elem()))
		return r.object(path, raw, to.Elem())
	}
	if r.Through != nil && raw[0] == '{' {
		if record, set := r.Through(to.Addr().Interface()); record != nil {
			defer set()
			return r.object(path, raw, reflect.ValueOf(record).Elem())
		}
	}
	if raw[0] == '{' && isRecord(kind) {
		return r.object(path, raw, to)
	}
	var items []json.RawMessage
	if kind.Kind() == reflect.Slice && r.read(raw, reflect.ValueOf(&items).Elem(), '{') {
		return r.list(path, items, to)
	}
	flaws := &r.others
	if r.needs(path) {
		flaws = &r.needed
	}
	flaws.unread(path, raw, r.RuleOf(kind))
	return false
}

// list reads the items of a list. It leaves those out that cannot be read, unless they are needed.
func (r *loosely) list(path string, items []json.RawMessage, to reflect.Value) (kept bool) {
	kept = true
	to.Set(reflect.MakeSlice(to.Type(), 0, len(items)))
	for i, raw := range items {
		at, item := fmt.Sprintf("%s[%d]", path, i), reflect.New(to.Type().Elem()).Elem()
		whole := r.read(raw, item, '[') || r.parts(at, raw, item)
		if kept = kept && whole; whole || r.needs(at) {
			to.Set(reflect.Append(to, item))
		}
	}
	return kept
}

// isRecord reports whether a type is a struct that is read by its members.
func isRecord(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	extra, ok := t.FieldByName("Extra")
	p := reflect.PointerTo(t)
	return ok && strings.HasSuffix(extra.Tag.Get("json"), ",embed") ||
		!p.Implements(reflect.TypeFor[json.Unmarshaler]()) && !p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// isNone reports whether a member is a form of no object, or of an empty list.
func isNone(raw []byte, t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	open := map[bool]byte{isRecord(t): '[', t.Kind() == reflect.Slice: '{'}[true]
	return open != 0 && (string(raw) == `""` || string(raw) == "false" ||
		raw[0] == open && len(bytes.TrimSpace(raw[1:len(raw)-1])) == 0)
}
