package wire

import (
	"encoding"
	"encoding/json"
	"reflect"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
)

// Forms read answers of the platform faster than [Unmarshal] does, with the same result. They take what is in plain form,
// which nearly all of it is, and leave everything else to the general decoder: what they refuse is not an error.
//
// How a type is read follows from its kind and its tags, as in the general decoder; types with a form of their own, such
// as amounts, are told by a [Form]. A type that is neither is read by its methods or by the general decoder, value by
// value. Forms are safe for concurrent use.
type Forms struct {
	own map[reflect.Type]func(*Forms) reader
	// readers are those that were made, by type. They follow from own and change nothing but the time they take.
	readers sync.Map
}

// reader reads the next value into v, which is zero. It returns false for what is not in plain form; v may be anything then.
type reader func(r *Reader, v reflect.Value) bool

// Form tells how the values of one type are read.
type Form struct {
	of   reflect.Type
	make func(*Forms) reader
}

// Reads is the form of a type that read takes from the Reader. A value that it refuses is left to the type's UnmarshalJSON.
func Reads[T any](read func(r *Reader, v *T) bool) Form {
	own := func(r *Reader, v reflect.Value) bool {
		start := r.at
		p, _ := reflect.TypeAssert[*T](v.Addr())
		if read(r, p) {
			return true
		}
		r.at = start
		v.SetZero()
		return byMethod(r, v)
	}
	return Form{reflect.TypeFor[T](), func(*Forms) reader { return own }}
}

// Wraps is the form of a type that holds an object, which open gives, or none: null or an empty list leave it zero.
// Anything else is left to the type's UnmarshalJSON.
func Wraps[T, V any](open func(*T) *V) Form {
	return Form{reflect.TypeFor[T](), func(f *Forms) reader {
		object := f.fields(reflect.TypeFor[V]())
		return func(r *Reader, v reflect.Value) bool {
			if r.Null() || r.Empty() {
				return true
			}
			if r.Kind() != '{' {
				return byMethod(r, v)
			}
			p, _ := reflect.TypeAssert[*T](v.Addr())
			return object(r, reflect.ValueOf(open(p)).Elem())
		}
	}}
}

// NewForms returns the forms of these types.
func NewForms(own ...Form) *Forms {
	f := &Forms{own: map[reflect.Type]func(*Forms) reader{}}
	for _, form := range own {
		f.own[form.of] = form.make
	}
	return f
}

// Unmarshal reads data into v, a pointer to a zero value, as [Unmarshal] does. If it returns false, the value is zero still.
func (f *Forms) Unmarshal(data []byte, v any) bool {
	to := reflect.ValueOf(v)
	if to.Kind() != reflect.Pointer || to.IsNil() || !to.Elem().IsZero() {
		return false
	}
	r := newReader(data)
	if f.reader(to.Elem().Type())(r, to.Elem()) && r.Kind() == 0 && r.at == len(data) {
		return true
	}
	to.Elem().SetZero()
	return false
}

// UnmarshalList reads data into the slice that items points to, as [UnmarshalList] does. If it returns false, what
// the slice holds is not the list.
func (f *Forms) UnmarshalList(data []byte, items any, most int) bool {
	to := reflect.ValueOf(items).Elem()
	r := newReader(data)
	if r.Kind() != '[' {
		return false
	}
	l := list{item: f.reader(to.Type().Elem()), of: to.Type(), most: most}
	return l.read(r, to) && r.Kind() == 0 && r.at == len(data)
}

// reader returns the reader of a type.
func (f *Forms) reader(t reflect.Type) reader {
	if known, ok := f.readers.Load(t); ok {
		return known.(reader)
	}
	made, _ := f.readers.LoadOrStore(t, f.make(t))
	return made.(reader)
}

// later makes the reader of a type when it is first used, because types may hold themselves.
func (f *Forms) later(t reflect.Type) reader {
	made := sync.OnceValue(func() reader { return f.reader(t) })
	return func(r *Reader, v reflect.Value) bool { return made()(r, v) }
}

func (f *Forms) make(t reflect.Type) reader {
	if own, ok := f.own[t]; ok {
		return own(f)
	}
	p := reflect.PointerTo(t)
	switch {
	case p.Implements(reflect.TypeFor[jsonv2.UnmarshalerFrom]()):
		return general
	case p.Implements(reflect.TypeFor[json.Unmarshaler]()):
		return byMethod
	case p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return byText
	}
	switch t.Kind() {
	case reflect.String:
		return text
	case reflect.Bool:
		return truth
	case reflect.Pointer:
		return pointer(t.Elem(), f.later(t.Elem()))
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			return (&list{item: f.later(t.Elem()), of: t, most: 1 << 30}).readOrNull
		}
	case reflect.Struct:
		return f.fields(t)
	}
	return general
}

// general leaves a value to the general decoder.
func general(r *Reader, v reflect.Value) bool {
	raw, ok := r.Raw()
	return ok && Unmarshal(raw, v.Addr().Interface()) == nil
}

// byMethod gives a value to the type's own method, as the general decoder does.
func byMethod(r *Reader, v reflect.Value) bool {
	raw, ok := r.Raw()
	u, _ := reflect.TypeAssert[json.Unmarshaler](v.Addr())
	return ok && u.UnmarshalJSON(raw) == nil
}

func byText(r *Reader, v reflect.Value) bool {
	if r.Null() {
		return true
	}
	if r.Kind() != '"' {
		return false
	}
	text, ok := r.Scalar()
	u, _ := reflect.TypeAssert[encoding.TextUnmarshaler](v.Addr())
	return ok && u.UnmarshalText(text) == nil
}

func text(r *Reader, v reflect.Value) bool {
	if r.Null() {
		return true
	}
	s, ok := r.Text()
	v.SetString(s)
	return ok
}

func truth(r *Reader, v reflect.Value) bool {
	switch r.Kind() {
	case 't':
		v.SetBool(true)
		return r.word("true")
	case 'f':
		return r.word("false")
	}
	return r.Null()
}

func pointer(to reflect.Type, read reader) reader {
	return func(r *Reader, v reflect.Value) bool {
		if r.Null() {
			return true
		}
		p := reflect.New(to)
		v.Set(p)
		return read(r, p.Elem())
	}
}

// list reads the items of a slice.
type list struct {
	item reader
	of   reflect.Type
	most int
}

func (l *list) readOrNull(r *Reader, v reflect.Value) bool { return r.Null() || l.read(r, v) }

// read makes room for as many items as the list before had.
func (l *list) read(r *Reader, v reflect.Value) bool {
	n := 0
	v.Set(reflect.MakeSlice(l.of, 0, 0))
	ok := r.array(func() bool {
		if n == l.most {
			return false
		}
		if n == v.Cap() {
			v.Grow(max(n, r.length[l], 1))
		}
		n++
		v.SetLen(n)
		return l.item(r, v.Index(n-1))
	})
	r.length[l] = n
	return ok
}
