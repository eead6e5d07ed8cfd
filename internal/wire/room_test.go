package wire

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

type large struct {
	Self  *large
	Text  string
	Small []struct{ At time.Time }
	Big   map[string][512]byte
}

func TestCheckRoom(t *testing.T) {
	elements := func(element string, n int) string { return "[" + strings.Repeat(element+",", n-1) + element + "]" }
	type list []large
	type scalars []string
	for _, tt := range []struct {
		name, document string
		of             reflect.Type
		room           bool
	}{
		{"few", elements("{}", 2000), reflect.TypeFor[list](), true},
		{"many objects", elements("{}", 20_000), reflect.TypeFor[list](), false},
		{"many nulls", elements("null", 20_000), reflect.TypeFor[list](), false},
		{"with white space", elements(" { } ", 20_000), reflect.TypeFor[list](), false},
		{"many beside a text full of colons", `[{"text":"` + strings.Repeat(":", 100_000) + `"},` + elements("{}", 20_000)[1:], reflect.TypeFor[list](), false},
		{"many in a map", `{"big":` + elements("{}", 20_000) + `}`, reflect.TypeFor[large](), false},
		{"many before what is no JSON", elements("{}", 20_000) + strings.Repeat(":", 100_000), reflect.TypeFor[list](), false},
		{"long elements", elements(`{"text":"`+strings.Repeat("x", 100)+`"}`, 20_000), reflect.TypeFor[list](), true},
		{"brackets and commas in texts", elements(`{"text":"`+strings.Repeat(`{[,`, 1000)+`\""}`, 200), reflect.TypeFor[list](), true},
		{"small elements", elements(`""`, 300_000), reflect.TypeFor[scalars](), true},
		{"no type", elements("{}", 300_000), reflect.TypeFor[[]any](), true},
		{"nothing in lists", elements("{}", 300_000), reflect.TypeFor[int](), true},
	} {
		if err := CheckRoom([]byte(tt.document), tt.of); (err == nil) != tt.room || err != nil && !errors.Is(err, ErrTooMany) {
			t.Errorf("%s: %v, want room %v", tt.name, err, tt.room)
		}
	}
}
