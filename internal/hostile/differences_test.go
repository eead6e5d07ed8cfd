package hostile_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// A difference is one line with the path of the member and both values.
func TestDifferences(t *testing.T) {
	for _, tt := range []struct {
		got, want string
		lines     []string
	}{
		{`{"a":1,"b":[{"c":"x"},null]}`, `{"b":[{"c":"x"},null],"a":1}`, nil},
		{`{"a":1,"b":[{"c":"x"},2]}`, `{"a":1,"b":[{"c":"y"},2]}`, []string{`/b/0/c: got "x", want "y"`}},
		{`{"a":null,"c":false}`, `{"b":{"x":1},"c":true}`, []string{"/a: got null, want none", "/b: missing, want an object of 1 members", "/c: got false, want true"}},
		{`{"a":{},"b":[1],"c":[]}`, `{"a":[],"b":[],"c":null}`, []string{"/a: got an object of 0 members, want a list of 0", "/b: got a list of 1, want a list of 0", "/c: got a list of 0, want null"}},
		{`{"a":{}}`, `{"a":"text"}`, []string{`/a: got an object of 0 members, want "text"`}},
		{`[1]`, `{}`, []string{": got a list of 1, want an object of 0 members"}},
	} {
		var got, want any
		if err := json.Unmarshal([]byte(tt.got), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(tt.want), &want); err != nil {
			t.Fatal(err)
		}
		if lines := hostile.Differences(got, want); !slices.Equal(lines, tt.lines) {
			t.Errorf("%s and %s: got %q, want %q", tt.got, tt.want, lines, tt.lines)
		}
	}
}
