package wire

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
)

// wide is a record of a kilobyte.
type wide struct {
	Texts [64]string
	Small []struct{ A, B int64 }     `json:"small"`
	Self  *wide                      `json:"self"`
	By    map[string]wide            `json:"by"`
	Own   *ownForm                   `json:"own"`
	Rest  map[string]json.RawMessage `json:",embed"`
	Names []byLanguage               `json:"names"`
}

// byLanguage reads itself, a scalar as one of a single language.
type byLanguage map[string]string

func (b *byLanguage) UnmarshalJSON(data []byte) error {
	if data[0] == '{' {
		return json.Unmarshal(data, (*map[string]string)(b))
	}
	*b = byLanguage{"": string(data)}
	return nil
}

// open is a small record that stores members without a field.
type open struct {
	Text string
	Rest map[string]json.RawMessage `json:",embed"`
}

// ownForm reads itself, so nobody knows what of it is large.
type ownForm struct{ all []wide }

func (o *ownForm) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &o.all) }

type large struct {
	Self  *large
	Text  string
	Small []struct{ At time.Time }
	Big   map[string][512]byte
}

func TestCheckRoom(t *testing.T) {
	elements := func(element string, n int) string { return "[" + strings.Repeat(element+",", n-1) + element + "]" }
	type list []wide
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
		{"many in a map", `{"Big":` + elements("{}", 20_000) + `}`, reflect.TypeFor[large](), false},
		{"many before what is no JSON", elements("{}", 20_000) + strings.Repeat(":", 100_000), reflect.TypeFor[list](), false},
		{"long elements", elements(`{"text":"`+strings.Repeat("x", 100)+`"}`, 20_000), reflect.TypeFor[list](), true},
		{"brackets and commas in texts", elements(`{"text":"`+strings.Repeat(`{[,`, 1000)+`\""}`, 200), reflect.TypeFor[list](), true},
		{"small elements of a wide record", `[{"small":` + elements(`{"A":1}`, 20_000) + `}]`, reflect.TypeFor[list](), true},
		{"members without a field", `[{"small":[],"other":` + elements(`{}`, 200_000) + `}]`, reflect.TypeFor[list](), true},
		{"members whose names have escapes", `[{"\u0062y":` + `{"a":{"by":` + elements(`{}`, 20_000) + `}}}]`, reflect.TypeFor[list](), false},
		{"a list where a record is due", `[{"self":` + elements(`{}`, 20_000) + `}]`, reflect.TypeFor[list](), true},
		{"an object for a list", `{` + strings.Repeat(`"1":{},`, 20_000) + `"2":{}}`, reflect.TypeFor[list](), false},
		{"records in records", strings.Repeat(`{"self":`, 20_000) + `{}` + strings.Repeat(`}`, 20_000), reflect.TypeFor[wide](), false},
		{"a form of its own", `[{"own":` + elements(`{}`, 20_000) + `}]`, reflect.TypeFor[list](), false},
		{"a second value", `[] ` + elements(`{}`, 20_000), reflect.TypeFor[list](), false},
		{"an end in a name", elements("{}", 2_000)[:5_999] + `,{"\`, reflect.TypeFor[list](), true},
		{"numbers as texts by language", elements(`1`, 1<<19), reflect.TypeFor[[]byLanguage](), false},
		{"empty texts as texts by language", elements(`""`, 1<<18), reflect.TypeFor[[]byLanguage](), false},
		{"numbers as texts by language in a record", `[{"names":` + elements(`1`, 1<<19) + `}]`, reflect.TypeFor[list](), false},
		{"numbers as texts by language in lists of one", elements(`[1]`, 1<<18), reflect.TypeFor[[][]byLanguage](), false},
		{"objects as texts by language", elements(`{"a":1}`, 1<<17), reflect.TypeFor[[]byLanguage](), false},
		{"no texts by language", elements(`null`, 1<<18), reflect.TypeFor[[]byLanguage](), true},
		{"long texts by language", elements(`{"es":"`+strings.Repeat("x", 30)+`"}`, 1<<15), reflect.TypeFor[[]byLanguage](), true},
		{"objects of unknown members", elements(`{"a":1}`, 1<<17), reflect.TypeFor[[]open](), false},
		{"an object of many unknown members", `{` + strings.Repeat(`"a":1,`, 1<<14) + `"b":1}`, reflect.TypeFor[open](), true},
		{"small elements", elements(`""`, 300_000), reflect.TypeFor[scalars](), true},
		{"no type", elements("{}", 300_000), reflect.TypeFor[[]any](), true},
		{"nothing in lists", elements("{}", 300_000), reflect.TypeFor[int](), true},
	} {
		if err := CheckRoom([]byte(tt.document), tt.of); (err == nil) != tt.room || err != nil && !errors.Is(err, ErrTooMany) {
			t.Errorf("%s: %v, want room %v", tt.name, err, tt.room)
		}
	}
}

func FuzzCheckRoom(f *testing.F) {
	for _, seed := range []string{`[{"small":[{"A":1}],"own":[],"x":{"y":[1]}}]`, `{"self":{"by":{"a":null}}} `, `[{"names":[1,{"a":""},{}]}]`, `[{"\`, `{"a`, `]}{`, "[\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		sum := weigh(data, reflect.TypeFor[[]wide]())
		var list []wide
		if jsonv2.Unmarshal(data, &list) != nil {
			return
		}
		if least := taken(list); sum < least {
			t.Errorf("%q weighs %d, but takes %d", data, sum, least)
		}
	})
}

// taken is what lists, maps and pointers of records take at least.
func taken(list []wide) int {
	sum := 0
	for i := range list {
		w := &list[i]
		sum += int(reflect.TypeFor[wide]().Size()) + len(w.Small)*int(reflect.TypeFor[struct{ A, B int64 }]().Size())
		if w.Self != nil {
			sum += taken([]wide{*w.Self})
		}
		for _, by := range w.By {
			sum += taken([]wide{by})
		}
		if w.Own != nil {
			sum += taken(w.Own.all)
		}
		if len(w.Rest) > 0 {
			sum += ofRest
		}
		for _, names := range w.Names {
			if len(names) > 0 {
				sum += roomOfMap(reflect.TypeOf(names))
			}
		}
	}
	return sum
}
