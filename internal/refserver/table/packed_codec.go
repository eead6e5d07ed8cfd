package table

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/shopspring/decimal"
)

// codec writes and reads the values of a type. write is false for a value that it cannot write. read sets a value that
// is zero.
type codec struct {
	write func(w *writer, v reflect.Value) bool
	read  func(r *reader, v reflect.Value)
}

// codecOf returns the codec of a type, and panics if there is none.
func codecOf(t reflect.Type) codec {
	switch t {
	case reflect.TypeFor[time.Time]():
		return codec{writeTime, readTime}
	case reflect.TypeFor[decimal.Decimal]():
		return codec{writeDecimal, readDecimal}
	}
	switch t.Kind() {
	case reflect.String:
		return codec{
			func(w *writer, v reflect.Value) bool { w.text(v.String()); return true },
			func(r *reader, v reflect.Value) { v.SetString(r.text()) },
		}
	case reflect.Bool: // only true is written: see structCodec
		return codec{
			func(*writer, reflect.Value) bool { return true },
			func(_ *reader, v reflect.Value) { v.SetBool(true) },
		}
	case reflect.Int, reflect.Int64:
		return codec{
			func(w *writer, v reflect.Value) bool { w.int(v.Int()); return true },
			func(r *reader, v reflect.Value) { v.SetInt(r.int()) },
		}
	case reflect.Pointer:
		return pointerCodec(codecOf(t.Elem()))
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return bytesCodec
		}
		return sliceCodec(codecOf(t.Elem()))
	case reflect.Map:
		return mapCodec(t, codecOf(t.Key()), codecOf(t.Elem()))
	case reflect.Struct:
		return structCodec(t)
	}
	panic(fmt.Sprintf("table: a packed record has a %v", t))
}

// structCodec writes each field that is not zero after the distance of its number to that of the field before. 0 ends
// the struct.
func structCodec(t reflect.Type) codec {
	fields := make([]codec, t.NumField())
	for i := range fields {
		if !t.Field(i).IsExported() {
			panic(fmt.Sprintf("table: %v of a packed record has the field %s", t, t.Field(i).Name))
		}
		fields[i] = codecOf(t.Field(i).Type)
	}
	write := func(w *writer, v reflect.Value) bool {
		last := -1
		for i := range fields {
			f := v.Field(i)
			if f.IsZero() {
				continue
			}
			w.uint(uint64(i - last))
			if !fields[i].write(w, f) {
				return false
			}
			last = i
		}
		w.uint(0)
		return true
	}
	return codec{write, func(r *reader, v reflect.Value) {
		i := -1
		for step := r.uint(); step != 0; step = r.uint() {
			i += int(step)
			fields[i].read(r, v.Field(i))
		}
	}}
}

// pointerCodec is for pointers that are not nil: see structCodec.
func pointerCodec(of codec) codec {
	return codec{
		func(w *writer, v reflect.Value) bool { return of.write(w, v.Elem()) },
		func(r *reader, v reflect.Value) {
			to := reflect.New(v.Type().Elem())
			of.read(r, to.Elem())
			v.Set(to)
		},
	}
}

// bytesCodec does not share memory, because bytes can be changed.
var bytesCodec = codec{
	func(w *writer, v reflect.Value) bool { w.text(string(v.Bytes())); return true },
	func(r *reader, v reflect.Value) { v.SetBytes([]byte(r.text())) },
}

func sliceCodec(of codec) codec {
	return codec{
		func(w *writer, v reflect.Value) bool {
			w.uint(uint64(v.Len()))
			for i := range v.Len() {
				if !writeOrZero(of, w, v.Index(i)) {
					return false
				}
			}
			return true
		},
		func(r *reader, v reflect.Value) {
			n := int(r.uint())
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				readOrZero(of, r, v.Index(i))
			}
		},
	}
}

// mapCodec writes a map in the order of its keys, so that equal records have equal rows.
func mapCodec(t reflect.Type, key, of codec) codec {
	return codec{
		func(w *writer, v reflect.Value) bool {
			w.uint(uint64(v.Len()))
			for _, k := range slices.SortedFunc(slices.Values(v.MapKeys()), compareKeys) {
				if !writeOrZero(key, w, k) || !writeOrZero(of, w, v.MapIndex(k)) {
					return false
				}
			}
			return true
		},
		func(r *reader, v reflect.Value) {
			n := int(r.uint())
			v.Set(reflect.MakeMapWithSize(t, n))
			for range n {
				k, e := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
				readOrZero(key, r, k)
				readOrZero(of, r, e)
				v.SetMapIndex(k, e)
			}
		},
	}
}

func compareKeys(a, b reflect.Value) int {
	if a.Kind() == reflect.String {
		return cmp.Compare(a.String(), b.String())
	}
	return cmp.Compare(a.Int(), b.Int())
}

// writeOrZero writes an element, which may be zero, after a number that says whether it is.
func writeOrZero(of codec, w *writer, v reflect.Value) bool {
	if v.IsZero() {
		w.uint(0)
		return true
	}
	w.uint(1)
	return of.write(w, v)
}

func readOrZero(of codec, r *reader, v reflect.Value) {
	if r.uint() == 1 {
		of.read(r, v)
	}
}

// The forms of a time.
const (
	inUTC = iota
	inLocal
	withOffset // from UTC, as most texts have it
	repeated   // the time before, as records have the time of their transaction
)

func writeTime(w *writer, v reflect.Value) bool {
	t := v.Interface().(time.Time).Round(0)
	_, offset := t.Zone()
	switch l := t.Location(); {
	case t == w.last:
		w.uint(repeated)
		return true
	case l == time.UTC:
		w.uint(inUTC)
	case l == time.Local:
		w.uint(inLocal)
	case l.String() == "":
		w.uint(withOffset)
		w.int(int64(offset))
	default:
		return false
	}
	w.last = t
	w.int(t.Unix())
	w.uint(uint64(t.Nanosecond()))
	return true
}

func readTime(r *reader, v reflect.Value) {
	form, zone := r.uint(), time.Local
	switch form {
	case inUTC:
		zone = time.UTC
	case withOffset:
		zone = time.FixedZone("", int(r.int()))
	}
	if form != repeated {
		r.last = time.Unix(r.int(), int64(r.uint())).In(zone)
	}
	*v.Addr().Interface().(*time.Time) = r.last
}

func writeDecimal(w *writer, v reflect.Value) bool {
	d := v.Interface().(decimal.Decimal)
	n := d.Coefficient()
	if !n.IsInt64() {
		return false
	}
	w.int(int64(d.Exponent()))
	w.int(n.Int64())
	return true
}

func readDecimal(r *reader, v reflect.Value) {
	exponent := int32(r.int())
	*v.Addr().Interface().(*decimal.Decimal) = decimal.New(r.int(), exponent)
}
