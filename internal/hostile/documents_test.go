package hostile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

const good = `{ "store_id" : 7, "sub":{"s":[{"a\"b":"x"}]}, "price":"1.00" }` + "\n"

// What each document is said to be, another reader of JSON agrees to.
func TestDocuments(t *testing.T) {
	bodies, names := map[string]bool{}, map[string]bool{}
	of := map[hostile.Fault]int{}
	for d := range hostile.Documents(1000, []byte(good)) {
		of[d.Fault]++
		names[d.Name] = true
		bodies[string(d.Body)] = true
		valid := json.Valid(d.Body)
		if strings.HasPrefix(d.Name, "10,000 ") {
			valid = true // the limit of encoding/json itself
		}
		if valid != (d.Fault != hostile.Broken) {
			t.Errorf("%s: is JSON: %v, and called %d: %.100q", d.Name, valid, d.Fault, d.Body)
		}
		if bytes.Equal(bytes.TrimSpace(d.Body), bytes.TrimSpace([]byte(good))) {
			t.Errorf("%s: is the good document", d.Name)
		}
	}
	for _, want := range []string{
		`{ "store_id":7,"store_id":7, "sub":{"s":[{"a\"b":"x"}]}, "price":"1.00" }`,
		`{ "store_id":7,"ſtore_id":7, "sub":{"s":[{"a\"b":"x"}]}, "price":"1.00" }`,
		`{ "store_id":7,"STORE_ID":7, "sub":{"s":[{"a\"b":"x"}]}, "price":"1.00" }`,
		`{ "\u0073tore_id":7,"store_id":7, "sub":{"s":[{"a\"b":"x"}]}, "price":"1.00" }`,
		`{ "store_id" : 7, "sub":{"s":[{"a\"b":null}]}, "price":"1.00" }`,
		`{ "store_id" : 7, "sub":{"s":{}}, "price":"1.00" }`,
		`{ "store_id" : 7, "sub":{"s":[{"a\"b":"x"}]}, "price":1e999999999 }`,
		"\ufeff" + strings.TrimSpace(good), `{ "stor`, `{ "store_id" : 7, "sub":{"s":[{"a\"b":"x"}]}, "price":"1.00" `,
	} {
		if !bodies[want] {
			t.Errorf("lacks %s", want)
		}
	}
	if of[hostile.Odd] < 100 || of[hostile.Unsafe] < 30 || of[hostile.Broken] < 60 || len(bodies) < len(names)*9/10 {
		t.Errorf("%v of each fault, %d names, %d bodies", of, len(names), len(bodies))
	}
	t.Logf("%d documents of %d bytes and of nothing: %v of each fault", len(names), len(good), of)
}

// TestSpoiled: no third of the ways crowds out another, and without the race detector none leaves out a byte or a
// member.
func TestSpoiled(t *testing.T) {
	const members = 300
	large := `{"s":"x","o":{"a":1},"l":[1]`
	for i := range members - 4 {
		large += fmt.Sprintf(`,"m%d":%d`, i, i)
	}
	large += "}"
	cuts, null, other, rest := 0, map[string]bool{}, map[string]bool{}, 0
	of := map[string]string{"/s": `{"a":null}`, "/o": "1.5", "/o/a": `{"a":null}`, "/l": "1.5"}
	n := 30
	if !hostile.Everywhere {
		n = 3 * 2 * members
	}
	for d := range hostile.Spoiled(n, []byte(large)) {
		what, kind, _ := strings.Cut(strings.TrimPrefix(d.Name, "with "), " as ")
		want := of[what]
		if want == "" {
			want = `{"a":null}`
		}
		switch {
		case strings.Contains(d.Name, " and with "):
			t.Errorf("%s: two changes of so many members", d.Name)
		case strings.HasPrefix(d.Name, "cut after "):
			cuts++
		case kind == "null":
			null[what] = true
		case kind == want:
			other[what] = true
		default:
			rest++
		}
	}
	if len(null) != members || len(other) != members || rest < n/3 || hostile.Everywhere && cuts != len(large) || cuts < n/3 {
		t.Errorf("cut at %d of %d bytes, %d and %d of %d members null and of another type, %d others", cuts, len(large), len(null), len(other), members, rest)
	}
	few := 0
	for range hostile.Spoiled(10, []byte(good)) {
		few++
	}
	if few != 10 && !hostile.Everywhere {
		t.Errorf("%d documents where 10 are wanted", few)
	}
}

// record notes what a test would say.
type record struct {
	testing.TB
	errors []string
}

func (r *record) Helper() {}
func (r *record) Errorf(format string, a ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, a...))
}

func TestReader(t *testing.T) {
	documents := func(yield func(hostile.Document) bool) {
		_ = yield(hostile.Document{Name: "odd", Body: []byte("1"), Fault: hostile.Odd}) &&
			yield(hostile.Document{Name: "unsafe", Body: []byte("2"), Fault: hostile.Unsafe}) &&
			yield(hostile.Document{Name: "broken", Body: []byte("3"), Fault: hostile.Broken})
	}
	for _, tt := range []struct {
		name   string
		reader hostile.Reader
		wrong  []string
	}{
		{"refuses all", hostile.Reader{Read: func([]byte) bool { return false }}, nil},
		{"accepts all", hostile.Reader{Read: func([]byte) bool { return true }}, []string{"unsafe: accepted", "broken: accepted"}},
		{"accepts all, is lax", hostile.Reader{Read: func([]byte) bool { return true }, Lax: true}, []string{"broken: accepted"}},
		{"panics", hostile.Reader{Read: func(b []byte) bool { return b[b[0]-'1'] == 'x' }}, []string{"unsafe: panic: ", "broken: panic: "}},
		{"wastes", hostile.Reader{Read: func(b []byte) bool { sink = make([]byte, int(b[0])<<20); return false }, Bytes: 50<<20 + 1<<19}, []string{"broken: cost "}},
		{"wastes much", hostile.Reader{Read: func(b []byte) bool { sink = make([]byte, 33<<20); return false }}, []string{"odd: cost ", "unsafe: cost ", "broken: cost "}},
	} {
		r := &record{TB: t}
		got := tt.reader.Play(r, documents)
		if got.Documents != 3 || len(r.errors) != len(tt.wrong) {
			t.Errorf("%s: %v, said %q, want %q", tt.name, got, r.errors, tt.wrong)
			continue
		}
		for i, want := range tt.wrong {
			if !strings.HasPrefix(r.errors[i], want) {
				t.Errorf("%s: said %q, want %q…", tt.name, r.errors[i], want)
			}
		}
	}
	sink = nil
	if got := (hostile.Tally{Documents: 1, Accepted: 1}).Add(hostile.Tally{Documents: 2, Panics: 1, Greatest: hostile.Spent{Time: 1, Bytes: 3 << 19}}).String(); got != "3 documents, 1 accepted, 1 panics, at most 1.5 MiB and 1ns for one" {
		t.Errorf("got %s", got)
	}
}

func TestNumbers(t *testing.T) {
	seen := map[string]bool{}
	for s := range hostile.Numbers() {
		seen[s] = true
	}
	for _, want := range []string{"1e1000000000", "1e10000", "5E2", "\u22125", "+5", ".5", "5.", "NaN", "0x5", "1_2", "５", strings.Repeat("9", 1_000_000), "-" + strings.Repeat("9", 1_000_000), "12"} {
		if !seen[want] {
			t.Errorf("lacks %.20q", want)
		}
	}
	if len(seen) < 200 {
		t.Errorf("%d numbers, want 200 at least", len(seen))
	}
	t.Logf("%d numbers", len(seen))
}

func TestGreatIDs(t *testing.T) {
	const body = `{"id":5,"user_id":"6","x":{"product_ids":[7, "8"],"categories":[9]},"number":10,"uuid_id":"4dd2c2ba","list_id":[{"id":null}],"ids":[]}`
	for _, tt := range []struct {
		name string
		trip func([]byte) ([]byte, error)
		want int
	}{
		{"exactly", func(b []byte) ([]byte, error) { return b, nil }, 0},
		{"through floats", func(b []byte) ([]byte, error) {
			var v any
			_ = json.Unmarshal(b, &v)
			return json.Marshal(v)
		}, 2},
		{"not at all", func([]byte) ([]byte, error) { return nil, io.EOF }, 2},
	} {
		r := &record{TB: t}
		if got := hostile.GreatIDs(r, []byte(body), tt.trip); got != 10 || len(r.errors) != tt.want {
			t.Errorf("%s: %d ids, said %q", tt.name, got, r.errors)
		}
	}
}
