package hostile

import (
	"bytes"
	"encoding/json"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// EmptyTexts reads the empty text into each pointer of the records and of the structs in them. The platform prints it
// for null, so that the pointer must be nil, unless it is of a text.
func EmptyTexts(t testing.TB, records map[string]any) int {
	t.Helper()
	pointers := 0
	for field, record := range fieldsOf(records) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Type.Kind() != reflect.Pointer || name == "" || name == "-" {
			continue
		}
		pointers++
		v := reflect.New(record)
		document := `{"` + name + `":""}`
		if err := wire.Unmarshal([]byte(document), v.Interface()); err != nil {
			t.Errorf("%s: %s: %v", record, document, err)
			continue
		}
		p, text := v.Elem().FieldByIndex(field.Index), isText(field.Type.Elem())
		if text && (p.IsNil() || p.Elem().String() != "") || !text && !p.IsNil() {
			t.Errorf("%s: %s: got %v, want a text %v and nil otherwise", record, document, p, text)
		}
	}
	return pointers
}

// isText reports whether a type is a string, and has no methods that give the empty one another meaning.
func isText(t reflect.Type) bool {
	return t.Kind() == reflect.String && !reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

// fieldsOf are the fields of the records and of the structs in them, with the struct.
func fieldsOf(records map[string]any) iter.Seq2[reflect.StructField, reflect.Type] {
	return func(yield func(reflect.StructField, reflect.Type) bool) {
		met := map[reflect.Type]bool{}
		var next []reflect.Type
		for _, record := range records {
			next = append(next, reflect.TypeOf(record))
		}
		for len(next) > 0 {
			t := next[0]
			next = next[1:]
			if met[t] {
				continue
			}
			met[t] = true
			switch t.Kind() {
			case reflect.Pointer, reflect.Slice, reflect.Map:
				next = append(next, t.Elem())
			case reflect.Struct:
				for field := range t.Fields() {
					if !field.IsExported() {
						continue
					}
					next = append(next, field.Type)
					if !yield(field, t) {
						return
					}
				}
			}
		}
	}
}

// LastWins reads the good document with each of its members once more, as null and as an empty object, list or text.
// The value is that of the later members alone: nothing of the earlier ones remains.
func LastWins(t testing.TB, record reflect.Type, good []byte) int {
	t.Helper()
	read, count := 0, 0
	for _, later := range []string{"null", "{}", "[]", `""`, "7"} {
		var all map[string]json.RawMessage
		if json.Unmarshal(good, &all) != nil {
			t.Fatalf("not an object: %s", good)
		}
		for name := range all {
			alone := []byte(`{"` + name + `":` + later + `}`)
			got, want := reflect.New(record), reflect.New(record)
			once := wire.Unmarshal(alone, want.Interface())
			twice := wire.Unmarshal(slices.Concat([]byte(`{"`+name+`":`), all[name], []byte(","), alone[1:]), got.Interface())
			count++
			if once == nil {
				read++
			}
			if (once == nil) != (twice == nil) || once == nil && !reflect.DeepEqual(got.Interface(), want.Interface()) {
				t.Errorf("%s: %s after %.100s: got %+v, %v; want %+v, %v", record, alone, bytes.TrimSpace(all[name]), got.Elem(), twice, want.Elem(), once)
			}
		}
	}
	if read < count/5 {
		t.Errorf("%s: only %d of %d documents are read", record, read, count)
	}
	return count
}
