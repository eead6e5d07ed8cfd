package wire

import (
	"encoding/json"
	"strings"
	"testing"
)

// kept is a record as other packages have them.
type kept struct {
	ID    int                        `json:"id"`
	Note  string                     `json:"note,omitzero"`
	Extra map[string]json.RawMessage `json:",embed"`
}

func (k kept) MarshalJSON() ([]byte, error)     { return MarshalRecord(&k) }
func (k *kept) UnmarshalJSON(data []byte) error { return UnmarshalRecord(nil, data, k) }

// The methods of a record must not call themselves, whoever reads or writes it.
func TestByFields(t *testing.T) {
	type document struct {
		Items []kept `json:"items"`
		One   *kept  `json:"one"`
	}
	const data = `{"items":[{"id":1,"newer":{"b":2,"a":1},"z":null}],"one":{"id":2,"note":"n"}}`
	for name, read := range map[string]func([]byte, any) error{
		"encoding/json": json.Unmarshal, "tolerant": func(d []byte, v any) error { return Unmarshal(d, v) },
		"exact": UnmarshalExact, "strict": func(d []byte, v any) error { return UnmarshalStrict(d, v) },
		"forms": func(d []byte, v any) error { NewForms().Unmarshal(d, v); return nil },
	} {
		var v document
		if err := read([]byte(data), &v); err != nil || len(v.Items) != 1 || string(v.Items[0].Extra["newer"]) != `{"b":2,"a":1}` || v.One.Note != "n" {
			t.Errorf("%s: got %+v, %v", name, v, err)
			continue
		}
		for name, write := range map[string]func(any) ([]byte, error){"encoding/json": json.Marshal, "wire": Marshal} {
			if back, err := write(v); err != nil || string(back) != data {
				t.Errorf("%s: got %s, %v", name, back, err)
			}
		}
	}
}

func TestByFieldsTolerates(t *testing.T) {
	for _, tt := range []struct{ data, want, err string }{
		{`{"id":"5","one":7}`, `{"id":5,"one":7}`, ""},
		{`{"id":1,"id":2,"x":1,"x":2}`, `{"id":2,"x":2}`, ""},
		{`{"id":1,"x":{"a":1,"a":2}}`, `{"id":1,"x":{"a":1,"a":2}}`, ""},
		{"{\"id\":1,\"x\":\"\xff\"}", `{"id":1,"x":"` + "\ufffd" + `"}`, ""},
		{` null `, `{"id":9}`, ""},
		{`{}`, `{"id":9}`, ""},
		{`{"x":3}`, `{"id":9,"x":3}`, ""},
		{`[]`, "", "wire.kept"},
		{`{"id":{}}`, "", `within "/id"`},
	} {
		v := kept{ID: 9}
		err := v.UnmarshalJSON([]byte(tt.data))
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: got %v, want an error with %s", tt.data, err, tt.err)
			}
			continue
		}
		if back, failed := json.Marshal(v); err != nil || failed != nil || string(back) != tt.want {
			t.Errorf("%s: got %s, %v, %v, want %s", tt.data, back, err, failed, tt.want)
		}
	}
	for _, tt := range []struct{ data, want string }{
		{`{"id":1,"x":{"a":1,"b":[{"c":2,"c":3}],"a":{"d":4,"d":5}}}`, `{"id":1,"x":{"b":[{"c":3}],"a":{"d":5}}}`},
		{"{\"id\":1,\"x\":[\"\xff\"],\"\xfe\":1}", `{"id":1,"x":["` + "\ufffd" + `"],"` + "\ufffd" + `":1}`},
	} {
		var v kept
		if err := Unmarshal([]byte(tt.data), &v); err != nil {
			t.Errorf("%q: %v", tt.data, err)
		} else if back, err := Marshal(v); err != nil || string(back) != tt.want {
			t.Errorf("%q: written as %s, %v, want %s", tt.data, back, err, tt.want)
		}
	}
	if _, err := Marshal(kept{Extra: map[string]json.RawMessage{"x": []byte("{")}}); err == nil {
		t.Error("what is no JSON was written")
	}
	if _, err := json.Marshal(kept{Extra: map[string]json.RawMessage{"id": []byte("1")}}); err == nil || !strings.Contains(err.Error(), `member "id" has a field`) {
		t.Errorf("a member twice: got %v", err)
	}
}
