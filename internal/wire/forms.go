package wire

import (
	"encoding"
	"encoding/json"
	"reflect"
	"sync"
	"sync/atomic"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Forms read answers of the platform faster than [Unmarshal] does, with the same result. They read values in plain
// form, which nearly all are, and leave all others to the general decoder. So a value that they do not read is not an
// error.
//
// How a type is read follows from its kind and its tags, as in the general decoder; types with a form of their own,
// such as amounts, have a [Form]. A type that is neither is read by its methods or by the general decoder, value by
// value. Forms are safe for concurrent use.
type Forms struct {
	own map[reflect.Type]func(making) reader
	// readers are the readers by type. They follow from own, and change only the time that reading takes.
	readers sync.Map
	slabs   atomic.Int64 // how many types have slabs
}

// reader reads the next value into v, which is zero. It returns false for what is not in plain form; v may be anything
// then.
type reader func(r *Reader, v reflect.Value) bool

// Form describes how the values of one type are read.
type Form struct {
	of   reflect.Type
	make func(making) reader
}

// Reads is the form of a type that is read by Try.
func Reads[T any](read func(r *Reader, v *T) bool) Form {
	return Form{reflect.TypeFor[T](), func(making) reader {
		return func(r *Reader, v reflect.Value) bool {
			p, _ := reflect.TypeAssert[*T](v.Addr())
			return Try(r, p, read)
		}
	}}
}

// Try has read take a value from the Reader. A value that it refuses is left to the type's UnmarshalJSON, if it has
// one.
func Try[T any](r *Reader, v *T, read func(r *Reader, v *T) bool) bool {
	start := r.place
	if read(r, v) {
		return true
	}
	r.place = start
	var none T
	*v = none
	own, ok := any(v).(json.Unmarshaler)
	return ok && r.method(own)
}

// method gives a value to a method, as the general decoder does.
func (r *Reader) method(own json.Unmarshaler) bool {
	raw, ok := r.Raw()
	return ok && own.UnmarshalJSON(raw) == nil
}

// Wraps is the form of a type that holds an object, which open gives, or none: null or an empty list leave it zero.
// Anything else is left to the type's UnmarshalJSON.
func Wraps[T, V any](open func(*T) *V) Form {
	return Form{reflect.TypeFor[T](), func(m making) reader {
		object := m.structure(reflect.TypeFor[V]())
		return func(r *Reader, v reflect.Value) bool {
			if r.Null() || r.Empty('[') {
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

// Through is the form of a type that is made of an object of another one. A value that is none, or that make
// refuses, is left to the type's UnmarshalJSON.
func Through[T, V any](make func(V) (T, bool)) Form {
	return Form{reflect.TypeFor[T](), func(m making) reader {
		object := m.structure(reflect.TypeFor[V]())
		return func(r *Reader, v reflect.Value) bool {
			start := r.place
			var from V
			if r.Kind() == '{' && object(r, reflect.ValueOf(&from).Elem()) {
				if made, ok := make(from); ok {
					v.Set(reflect.ValueOf(made))
					return true
				}
			}
			r.place = start
			return byMethod(r, v)
		}
	}}
}

// NewForms returns the forms of these types.
func NewForms(own ...Form) *Forms {
	f := &Forms{own: map[reflect.Type]func(making) reader{}}
	for _, form := range own {
		f.own[form.of] = form.make
	}
	return f
}

// Unmarshal reads data into v, a pointer to a zero value, as [Unmarshal] does. If it returns false, the value is zero
// still.
func (f *Forms) Unmarshal(data []byte, v any) bool {
	to := reflect.ValueOf(v)
	if to.Kind() != reflect.Pointer || to.IsNil() || !to.Elem().IsZero() {
		return false
	}
	switch to.Elem().Kind() {
	case reflect.String, reflect.Bool, reflect.Pointer: // read with tolerance, which ends at the value as a whole
		return false
	}
	r := newReader(data)
	if f.reader(to.Elem().Type())(r, to.Elem()) && r.Kind() == 0 && r.at == len(data) {
		return true
	}
	to.Elem().SetZero()
	return false
}

// UnmarshalStrict reads data into v, a pointer to a zero value, as [UnmarshalStrict] does. The levels are counted while
// values are built, and so are the values if there cannot be too many.
func (f *Forms) UnmarshalStrict(data []byte, v any) error {
	to := reflect.ValueOf(v).Elem()
	if mostValues(data) <= MaxValues || bound(data) == nil {
		r := newReader(data)
		r.strict = true
		if f.reader(to.Type())(r, to) && r.Kind() == 0 && r.at == len(data) {
			return nil
		}
		to.SetZero()
	}
	return UnmarshalStrict(data, v)
}

// UnmarshalList reads data into the slice that items points to, as [UnmarshalList] does. If it returns false, the slice
// does not hold the list.
func (f *Forms) UnmarshalList(data []byte, items any, most int) bool {
	to := reflect.ValueOf(items).Elem()
	r := newReader(data)
	if r.Kind() != '[' {
		return false
	}
	to.SetZero()
	l := list{item: f.reader(to.Type().Elem()), of: to.Type(), most: most, whole: true}
	return l.read(r, to) && r.Kind() == 0 && r.at == len(data)
}

// reader returns the reader of a type.
func (f *Forms) reader(t reflect.Type) reader {
	if known, ok := f.readers.Load(t); ok {
		return known.(reader)
	}
	return making{f, map[reflect.Type]bool{}}.reader(t)
}

// making is how a reader comes to be, with the types that it is being made for: types may hold themselves.
type making struct {
	forms *Forms
	under map[reflect.Type]bool
}

func (m making) reader(t reflect.Type) reader {
	if known, ok := m.forms.readers.Load(t); ok {
		return known.(reader)
	}
	if m.under[t] {
		made := sync.OnceValue(func() reader { return m.forms.reader(t) })
		return func(r *Reader, v reflect.Value) bool { return made()(r, v) }
	}
	m.under[t] = true
	made, _ := m.forms.readers.LoadOrStore(t, m.make(t))
	delete(m.under, t)
	return made.(reader)
}

func (m making) make(t reflect.Type) reader {
	if own, ok := m.forms.own[t]; ok {
		return own(m)
	}
	p := reflect.PointerTo(t)
	switch {
	case byFields(t) != nil:
		return m.structure(t)
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
		return m.pointer(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			return (&list{item: m.reader(t.Elem()), of: t, most: 1 << 30}).readOrNull
		}
	case reflect.Struct:
		return m.structure(t)
	}
	return general
}

// general leaves a value to the general decoder.
func general(r *Reader, v reflect.Value) bool {
	raw, ok := r.Raw()
	if r.strict {
		return ok && jsonv2.Unmarshal(raw, v.Addr().Interface(), strict) == nil
	}
	return ok && Unmarshal(raw, v.Addr().Interface()) == nil
}

// byMethod gives a value to the type's own method.
func byMethod(r *Reader, v reflect.Value) bool {
	own, _ := reflect.TypeAssert[json.Unmarshaler](v.Addr())
	return r.method(own)
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
	if !r.strict && r.Kind() == '0' {
		number, ok := r.number()
		v.SetString(r.Keep(Digits(number)))
		return ok
	}
	s, ok := r.Text()
	v.SetString(s)
	return ok
}

func truth(r *Reader, v reflect.Value) bool {
	switch r.Kind() {
	case '0', '"':
		if r.strict {
			return false
		}
		text, ok := r.Scalar()
		return ok && (len(text) == 0 || setScalar(v, text))
	}
	var is bool
	ok := r.Bool(&is)
	v.SetBool(is)
	return ok
}

func (m making) pointer(to reflect.Type) reader {
	read, values := m.reader(to), m.slabs(to)
	empty := sync.OnceValue(func() bool { return emptyIsNil(to) })
	return func(r *Reader, v reflect.Value) bool {
		if r.Null() || !r.strict && r.Kind() == '"' && isEmptyText(r.data[r.at:]) && empty() && r.word(`""`) {
			return true
		}
		p := values.pointer(r)
		v.Set(p)
		return read(r, p.Elem())
	}
}

// list reads the items of a slice.
type list struct {
	item reader
	of   reflect.Type
	most int
	// whole says that the list is the document.
	whole bool
	// tails is nil for lists that have memory of their own.
	tails *tails
}

func (l *list) readOrNull(r *Reader, v reflect.Value) bool { return r.Null() || l.read(r, v) }

// read makes room for as many items as the list before had. That is used once, so that what is made room for is
// at most twice what there is.
func (l *list) read(r *Reader, v reflect.Value) bool {
	if r.Empty('[') {
		v.Set(reflect.MakeSlice(l.of, 0, 0))
		return true
	}
	n := 0
	shares := l.tails != nil && l.tails.open(r, v, max(r.length[l], 1))
	if !shares {
		v.Grow(max(r.length[l], 1))
	}
	if r.length != nil {
		r.length[l] = 0
	}
	ok := r.array(func() bool {
		if n == l.most {
			return false
		}
		if n == v.Cap() {
			if shares {
				l.tails.move(r, v)
			} else {
				l.grow(r, v, n)
			}
			shares = false
		}
		if !r.strict && refuseNone(l.of.Elem(), jsontext.Kind(r.Kind()), r.data[r.at:]) != nil {
			return false
		}
		n++
		v.SetLen(n)
		return l.item(r, v.Index(n-1))
	})
	if r.length != nil {
		r.length[l] = n
	}
	if shares && ok {
		l.tails.close(r, v)
	}
	return ok
}

// grow makes room for as many items again. If the list is the document, it makes room for the items that the rest seems
// to hold.
func (l *list) grow(r *Reader, v reflect.Value, n int) {
	if !l.whole || n == 0 {
		v.Grow(n)
		return
	}
	left := (len(r.data) - r.at) / (r.at/n + 1)
	more := min(n, max(left+left/8, n/4)+1)
	larger := reflect.MakeSlice(l.of, n, n+more)
	reflect.Copy(larger, v)
	v.Set(larger)
}
