package wire

import (
	"reflect"
	"strings"
	"testing"
)

// TestLastMemberOfAnotherType: a member was lost with its record if an earlier one of its name had another type.
func TestLastMemberOfAnotherType(t *testing.T) {
	type record struct {
		ID    int               `json:"id"`
		Name  string            `json:"name"`
		Text  map[string]string `json:"text"`
		Parts []record          `json:"parts"`
	}
	for data, want := range map[string]record{
		`{"id":["x"],"id":7}`:                             {ID: 7},
		`{"id":{"id":1},"name":"a","id":7,"name":"b"}`:    {ID: 7, Name: "b"},
		`{"id":[1],"i\u0064":7}`:                          {ID: 7},
		`{"parts":5,"parts":[{"id":[],"id":1},{"id":2}]}`: {Parts: []record{{ID: 1}, {ID: 2}}},
		`{"text":[1],"text":{"en":{},"en":"a","es":"b"}}`: {Text: map[string]string{"en": "a", "es": "b"}},
		`{"id":{},"id":{},"id":3 , "name" : "a"}`:         {ID: 3, Name: "a"},
	} {
		var got record
		if err := Unmarshal([]byte(data), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, want %+v", data, got, err, want)
		}
	}
	for _, data := range []string{`{"id":7,"id":["x"]}`, `{"id":[1],"id":7`, `{"id":[1],"id":7}{}`, `{"id":[1]}`} {
		if err := Unmarshal([]byte(data), new(record)); err == nil {
			t.Errorf("%s was read", data)
		}
	}
}

// TestLastMembersIsBounded: a document that nobody can read costs no more for it.
func TestLastMembersIsBounded(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 50_000) + "1" + strings.Repeat("}", 50_000)
	if _, repeated := lastMembers([]byte(`{"a":[],"a":` + deep + "}")); repeated {
		t.Error("a document of 50,000 levels was searched")
	}
	wide := []byte(`{"a":1` + strings.Repeat(`,"a":1`, 50_000) + "}")
	last, repeated := lastMembers(wide)
	if !repeated || string(last) != "{"+strings.Repeat(" ", len(wide)-len(`{"a":1}`))+`"a":1}` {
		t.Errorf("got %.40q, %v, want the last member", last, repeated)
	}
}
