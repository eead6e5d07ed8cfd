package wire

import (
	"encoding/json"
	"reflect"
	"sync"
)

// deepest is how many levels are weighed by their types. Below, every element weighs the most that one may.
const deepest = 100

// ofObject is the cost of reading an object without its struct. Shorter objects may be more numerous.
const ofObject = 128

// weigher adds up the memory that the lists, maps and pointers of a value take when it is read from data. It finds the
// type of each part as the decoder does, but builds nothing. Where it does not know the type, or what it reads is no
// JSON, it takes the largest type that is possible.
type weigher struct {
	data []byte
	at   int
	sum  int
}

// weigh returns at least the memory of a value of the type without its texts, which the bytes of data account for.
func weigh(data []byte, t reflect.Type) int {
	w := weigher{data: data}
	w.value(t, 0)
	if w.next() != 0 {
		w.rest(t)
	}
	return w.sum
}

// value weighs the next value as the type.
func (w *weigher) value(t reflect.Type, level int) {
	kind := w.next()
	if t.Kind() == reflect.Pointer && kind != 'n' {
		w.sum += int(t.Elem().Size())
		w.value(t.Elem(), level)
		return
	}
	if kind != '{' && kind != '[' {
		if kind != 'n' {
			w.sum += ofScalar(t)
		}
		w.scalar()
		return
	}
	if t == reflect.TypeFor[json.RawMessage]() {
		w.skip()
		return
	}
	if level < deepest && t.Kind() == reflect.Map && kind == '{' {
		w.entries(t, level)
		return
	}
	if level < deepest && !readsItself(t) {
		switch t.Kind() {
		case reflect.Slice, reflect.Array:
			w.elements(t.Elem(), level)
			return
		case reflect.Struct:
			if known := landing(t); known != nil {
				w.record(known, level)
				return
			}
		}
	}
	start := w.at
	w.skip()
	w.sum += ofObject + parts(w.data[start:w.at])*largest(t).part
}

// record weighs an object by the types of its members. A member without a field is stored as it came, in a map if the
// record has one, or not at all. A list is no record.
func (w *weigher) record(known *fieldTypes, level int) {
	if w.data[w.at] == '[' {
		w.skip()
		return
	}
	w.sum += ofObject
	rest := ofRest
	w.members(func(name []byte) {
		if of := known.members[string(name)]; of != nil {
			w.value(of, level+1)
			return
		}
		if known.rest {
			w.sum += rest + ofRest/4
			rest = 0
		}
		w.skip()
	})
}

// entries weighs a map. It has room for entries if it has one.
func (w *weigher) entries(t reflect.Type, level int) {
	w.sum += ofObject
	room := roomOfMap(t)
	w.members(func([]byte) {
		w.sum += room + 2*int(t.Key().Size())
		room = 0
		w.element(t.Elem(), level)
	})
}

// elements weighs the values of a list. An object may be read as a list too.
func (w *weigher) elements(of reflect.Type, level int) {
	if w.data[w.at] == '{' {
		w.members(func([]byte) { w.element(of, level) })
		return
	}
	w.step()
	for b := w.next(); b != ']' && b != 0; b = w.next() {
		if b == ',' {
			w.step()
			continue
		}
		w.element(of, level)
	}
	w.step()
}

// element weighs the next value in a list, which may have room for twice as many.
func (w *weigher) element(of reflect.Type, level int) {
	w.sum += 2 * int(of.Size())
	w.value(of, level+1)
}

// members steps through an object. Each is called before a value, with the name, or none if it has no meaning.
func (w *weigher) members(each func(name []byte)) {
	w.step()
	for b := w.next(); b != '}' && b != 0; b = w.next() {
		if b != '"' {
			w.step() // a comma
			continue
		}
		start := w.at
		w.scalar()
		end := w.at
		if w.next() != ':' {
			continue
		}
		w.step()
		name, err := unquoted(w.data[start:end])
		if err != nil {
			name = nil
		}
		each(name)
	}
	w.step()
}

// scalar passes over a text, a number or a word, or one byte of what is not JSON.
func (w *weigher) scalar() {
	if w.next() == '"' {
		w.at = min(endOfText(w.data, w.at)+1, len(w.data))
		return
	}
	w.step()
	for w.at < len(w.data) && isScalar(w.data[w.at]) {
		w.at++
	}
}

// step passes over a byte.
func (w *weigher) step() { w.at = min(w.at+1, len(w.data)) }

// skip passes over the next value.
func (w *weigher) skip() {
	for open := 0; ; {
		switch w.next() {
		case 0:
			return
		case '{', '[':
			open++
			w.step()
		case '}', ']':
			open--
			w.step()
		default:
			w.scalar()
		}
		if open <= 0 {
			return
		}
	}
}

// rest weighs what is left as if each part of it were the largest that a value of the type can hold.
func (w *weigher) rest(t reflect.Type) {
	w.sum += parts(w.data[w.at:]) * largest(t).part
	w.at = len(w.data)
}

// next returns the first byte of what comes next, 0 at the end.
func (w *weigher) next() byte {
	for ; w.at < len(w.data); w.at++ {
		switch b := w.data[w.at]; b {
		case ' ', '\t', '\n', '\r', 0:
		default:
			return b
		}
	}
	return 0
}

// fieldTypes are the types of a struct's fields by the names of their members.
type fieldTypes struct {
	members map[string]reflect.Type
	rest    bool // it has a map for members without a field
}

// landings are the results of landing, by type.
var landings sync.Map

// landing returns the types of a struct's fields. It is nil if their tags do not say their members.
func landing(t reflect.Type) *fieldTypes {
	if known, ok := landings.Load(t); ok {
		return known.(*fieldTypes)
	}
	var known *fieldTypes
	if f, ok := fieldsOf(t); ok {
		known = &fieldTypes{make(map[string]reflect.Type, len(f.all)), f.rest != nil}
		for i := range f.all {
			known.members[f.all[i].name] = f.all[i].of
		}
	}
	landings.Store(t, known)
	return known
}
