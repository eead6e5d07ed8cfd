package wire

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestDifferences(t *testing.T) {
	for _, tt := range []struct{ in, record, want string }{
		{`{}`, `{"a":1}`, "[]"},
		{`{"a":1,"b":"x","c":true}`, `{"a":1,"b":"x","c":true,"d":9}`, "[]"},
		{`{"b":"x","a":1}`, `{"a":2,"b":"y"}`, "[a b]"},
		{`{"a":"10.5"}`, `{"a":10.50}`, "[]"},
		{`{"a":"10.50"}`, `{"a":"10.51"}`, "[a]"},
		{`{"a":"-0.5"}`, `{"a":"0.5"}`, "[a]"},
		{`{"a":"010"}`, `{"a":"10"}`, "[a]"}, // a code
		{`{"a":"10"}`, `{"a":"ten"}`, "[a]"},
		{`{"a":9007199254740993}`, `{"a":9007199254740992}`, "[a]"},
		{`{"a":1e999999999}`, `{"a":1e999999998}`, "[a]"},
		{`{"a":"2030-01-02T03:04:05.6Z"}`, `{"a":"2030-01-02T00:04:05-03:00"}`, "[]"},
		{`{"a":"2030-01-02T03:04:05Z"}`, `{"a":"2030-01-02T03:04:06Z"}`, "[a]"},
		{`{"a":null,"b":"","c":[],"d":false}`, `{}`, "[]"},
		{`{"a":null}`, `{"a":"x"}`, "[a]"},
		{`{"a":null}`, `{"a":0}`, "[a]"}, // no price is another one than 0
		{`{"a":0}`, `{}`, "[a]"},
		{`{"a":false}`, `{"a":true}`, "[a]"},
		{`{"a":true}`, `{}`, "[a]"},
		{`{"a":{"b":1,"c":{"d":2}}}`, `{"a":{"b":1,"c":{"d":3}}}`, "[a.c.d]"},
		{`{"a":{"b":1}}`, `{"a":null}`, "[a]"},
		{`{"a":{"b":1}}`, `{"a":[]}`, "[a]"},
		{`{"a":"Mug"}`, `{"a":{"en":"Mug","es":"Mug"}}`, "[]"},
		{`{"a":"Mug"}`, `{"a":{"en":"Mug","es":"Taza"}}`, "[a]"},
		{`{"a":{"en":"Mug"}}`, `{"a":{"en":"Mug","es":"Taza"}}`, "[]"},
		{`{"a":{"en":"Mug"}}`, `{"a":{"es":"Mug"}}`, "[a.en]"},
		{`{"a":{"en":"Mug"}}`, `{"a":"Mug"}`, "[]"},
		{`{"a":[1,2]}`, `{"a":[{"id":2,"name":"y"},{"id":1}]}`, "[]"},
		{`{"a":[1,3]}`, `{"a":[{"id":2},{"id":1}]}`, "[a]"},
		{`{"a":[1]}`, `{"a":[{"id":2},{"id":1}]}`, "[a]"},
		{`{"a":[]}`, `{"a":[{"id":2}]}`, "[a]"},
		{`{"a":[{"b":1},{"b":2}]}`, `{"a":[{"b":1,"id":7},{"b":3,"id":8}]}`, "[a[1].b]"},
		{`{"a":["x","y"]}`, `{"a":["y","x"]}`, "[a[0] a[1]]"},
		{`{"a":[[1]]}`, `{"a":[{}]}`, "[a[0]]"},
		{`{"secret":"x","a":1}`, `{"a":1}`, "[]"}, // not read
	} {
		if got := fmt.Sprint(Differences(json.RawMessage(tt.in), json.RawMessage(tt.record), "secret")); got != tt.want {
			t.Errorf("%s in %s: got %s, want %s", tt.in, tt.record, got, tt.want)
		}
	}
	if got := Differences(struct{ F func() }{}, struct{}{}); len(got) != 1 {
		t.Errorf("an input that cannot be written: got %q, want why", got)
	}
	if got := Differences(json.RawMessage(`{"a":1}`), json.RawMessage(`7`)); len(got) != 1 {
		t.Errorf("a record that is none: got %q, want why", got)
	}
}
