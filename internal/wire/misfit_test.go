package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// even is a type with a method of its own.
type even int

func (e *even) UnmarshalJSON(data []byte) error {
	var n int
	if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	if n%2 != 0 {
		return errors.New("odd")
	}
	*e = even(n)
	return nil
}

func TestMisfits(t *testing.T) {
	type inner struct {
		Name string `json:"name"`
		Even even   `json:"even"`
	}
	type outer struct {
		ID    int              `json:"id"`
		Flag  bool             `json:"flag"`
		One   inner            `json:"one"`
		List  []inner          `json:"list"`
		Lists [][]string       `json:"lists"`
		Map   map[string]inner `json:"map"`
	}
	for _, tt := range []struct{ document, want string }{
		{`{"id": 1, "flag": true, "one": {"name": "a", "even": 2}, "list": [{"even": 4}], "lists": [["a"], []], "map": {"x": {}}}`, ""},
		{`{"id": "seven", "flag": "yes", "one": [1], "list": {}, "lists": "", "map": 1}`,
			"id a string of 5 bytes; flag a string of 3 bytes; one a list; list an object; lists a string of 0 bytes"},
		{`{"unknown": [1, {"id": "x"}], "list": [{"name": "a"}, {"name": {"first": "Ana"}, "even": 3}]}`, "list[1].name an object; list[1].even a number"},
		{`{"lists": [["a", "b"], ["c", 7 , "d"]], "map": {"a/b": {"name": false}, "0": {"name": 1}}}`, "lists[1][1] a number; map.a/b.name false; map[0].name a number"},
		{`[1]`, " a list"},
		{` 7 `, " a number"},
		{`{"id": 1`, ""},
		{`{"id": "x", "id": 2}`, "id a string of 1 bytes"},
		{strings.Repeat("[", MaxDepth+1), ""},
	} {
		var got []string
		for _, m := range Misfits[outer]([]byte(tt.document), 5) {
			got = append(got, m.Path+" "+m.Form)
		}
		if is := strings.Join(got, "; "); is != tt.want {
			t.Errorf("%.60s:\n got %s\nwant %s", tt.document, is, tt.want)
		}
	}
	if all := Misfits[outer]([]byte(`{"one": {"even": 3}}`), 5); len(all) != 1 || fmt.Sprint(all[0].Type) != "wire.even" {
		t.Errorf("got %v, want the type", all)
	}
}
