package wire

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// numbered returns an object with so many members, and others after them.
func numbered(n int, more string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"m%d":%d,`, i, i)
	}
	return "{" + strings.TrimSuffix(b.String()+more, ",") + "}"
}

// What the quick reader takes has the same members to the general decoder, and what it does not take is judged by that.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{
		numbered(mostPlain, ""), numbered(mostPlain+1, ""), numbered(mostPlain+1, `"m3":1`),
		`{"a":` + strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth) + `}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		general := object{data: document}
		want := UnmarshalStrict(document, &general)
		got, err := Members(document)
		if (err == nil) != (want == nil) {
			t.Fatalf("%q: got %v, from the general decoder %v", document, err, want)
		}
		if err == nil && !reflect.DeepEqual(got, general.members) {
			t.Errorf("%q: got %q, from the general decoder %q", document, got, general.members)
		}
	})
}

// The quick reader takes the usual delivery, or it would be of no use, and no object with many members, for each of
// which it would look at all before.
func TestPlainMembers(t *testing.T) {
	for document, want := range map[string]bool{
		`{"store_id":123,"event":"order/updated","id":5,"lines":[{"id":"x\n"}]}`: true,
		numbered(mostPlain, ""):   true,
		numbered(mostPlain+1, ""): false,
		`{"\u0061":1}`:            false,
	} {
		r := Reader{data: []byte(document), strict: true}
		if _, ok := r.members(); ok != want {
			t.Errorf("%s: got %t", document, ok)
		}
	}
}
