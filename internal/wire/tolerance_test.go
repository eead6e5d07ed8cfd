package wire

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

type kind string

// letter reads itself from a text of one byte.
type letter [1]byte

func (l *letter) UnmarshalText(text []byte) error {
	if copy(l[:], text) != 1 || len(text) != 1 {
		return errors.New("must be one letter")
	}
	return nil
}

// sundry has a member of each kind that is read in several forms.
type sundry struct {
	Text    string                     `json:"text"`
	Kind    kind                       `json:"kind"`
	Texts   []string                   `json:"texts"`
	Bool    bool                       `json:"bool"`
	Int     int                        `json:"int"`
	Small   int8                       `json:"small"`
	Uint    uint8                      `json:"uint"`
	Float   float64                    `json:"float"`
	Inner   inner                      `json:"inner"`
	Map     map[string]int             `json:"map"`
	List    []inner                    `json:"list"`
	Numbers []int                      `json:"numbers"`
	Letter  letter                     `json:"letter"`
	Digits  digits                     `json:"digits"`
	Any     any                        `json:"any"`
	Bytes   []byte                     `json:"bytes"`
	Raw     json.RawMessage            `json:"raw"`
	PText   *string                    `json:"p_text"`
	PKind   *kind                      `json:"p_kind"`
	PBool   *bool                      `json:"p_bool"`
	PInt    *int                       `json:"p_int"`
	PInner  *inner                     `json:"p_inner"`
	PLetter *letter                    `json:"p_letter"`
	PDigits *digits                    `json:"p_digits"`
	PRaw    *json.RawMessage           `json:"p_raw"`
	PAny    *any                       `json:"p_any"`
	PList   []*inner                   `json:"p_list"`
	Rest    map[string]json.RawMessage `json:",embed"`
}

// TestTolerance: the first document is read as the second, by both readers, and what was not in form is reported.
func TestTolerance(t *testing.T) {
	for _, tt := range []struct{ document, plain, reported string }{
		{`{"text":5,"kind":-1.50}`, `{"text":"5","kind":"-1.50"}`, `/text a text 5, /kind a text -1.50`},
		{`{"text":5.0,"kind":1E2}`, `{"text":"5","kind":"100"}`, `/text a text 5.0, /kind a text 1E2`},
		{`{"text":true,"kind":[],"texts":[1,false,null,"x"]}`, `{"text":"true","kind":"","texts":["1","false","","x"]}`, `/text a text true, /kind a text [], /texts/0 a text 1, /texts/1 a text false`},
		{`{"bool":1}`, `{"bool":true}`, `/bool true or false 1`},
		{`{"bool":"1"}`, `{"bool":true}`, `/bool true or false "1"`},
		{`{"bool":"tru\u0065"}`, `{"bool":true}`, `/bool true or false "tru\u0065"`},
		{`{"bool":0}`, `{"bool":false}`, `/bool true or false 0`},
		{`{"bool":"false"}`, `{"bool":false}`, `/bool true or false "false"`},
		{`{"bool":""}`, `{"bool":false}`, `/bool true or false ""`},
		{`{"int":"5","small":"-5.0","uint":"255","float":"1.5e1"}`, `{"int":5,"small":-5,"uint":255,"float":15}`, `/int a number "5", /small a number "-5.0", /uint a number "255", /float a number "1.5e1"`},
		{`{"int":5.0,"small":-1e2,"uint":2.55e2,"float":1e2}`, `{"int":5,"small":-100,"uint":255,"float":100}`, `/int a number 5.0, /small a number -1e2, /uint a number 2.55e2`},
		{`{"int":"","float":"","numbers":["1",2.0]}`, `{"numbers":[1,2]}`, `/int a number "", /float a number "", /numbers/0 a number "1", /numbers/1 a number 2.0`},
		{`{"inner":[],"map":[ ],"list":{},"numbers":{}}`, `{"inner":{},"map":{},"list":[],"numbers":[]}`, `/inner an object [], /map an object [ ], /list a list {}, /numbers a list {}`},
		{`{"inner":"","map":"","list":"","numbers":false}`, `{}`, `/inner an object "", /map an object "", /list a list "", /numbers a list false`},
		{`{"inner":false,"map":false,"p_inner":false}`, `{}`, `/inner an object false, /map an object false, /p_inner null false`},
		{`{"list":{"0":{"a":"x"},"5":{"a":7}},"numbers":{"1":1}}`, `{"list":[{"a":"x"},{"a":"7"}],"numbers":[1]}`, `/list/5/a a text 7, /list a list {"0":{"a":"x"},"5":{"a":7}}, /numbers a list {"1":1}`},
		{`{"letter":"","digits":"","any":"","raw":"","bytes":""}`, `{"digits":"","any":"","raw":"","bytes":""}`, `/letter null ""`},
		{`{"p_text":"","p_kind":"","p_raw":"","p_any":""}`, `{"p_text":"","p_kind":"","p_raw":"","p_any":""}`, ``},
		{`{"p_bool":"","p_int":"","p_inner":"","p_letter":"","p_digits":""}`, `{}`, `/p_bool null "", /p_int null "", /p_inner null "", /p_letter null "", /p_digits null ""`},
		{`{"p_text":[],"p_inner":[]}`, `{}`, `/p_text null [], /p_inner null []`},
		{`{"p_text":5,"p_bool":"1","p_int":"5"}`, `{"p_text":"5","p_bool":true,"p_int":5}`, `/p_text a text 5, /p_bool true or false "1", /p_int a number "5"`},
		{`{"p_list":[null,{"a":1}]}`, `{"p_list":[null,{"a":"1"}]}`, `/p_list/1/a a text 1`},
		{`{"any":{"a":1,"a":{"b":1},"c":1,"c":null}}`, `{"any":{"a":{"b":1},"c":null}}`, ``},
		{`{"map":{"a":1,"b":1},"map":{"a":"2","a":3}}`, `{"map":{"a":3}}`, `/map/a a number "2"`},
		{`{"inner":{"a":"x"},"inner":{},"p_inner":{"a":"x"},"p_inner":{},"more":{"a":1},"more":[]}`, `{"inner":{},"p_inner":{},"more":[]}`, ``},
		{`{"text":"x","TEXT":5,"Text":true}`, `{"TEXT":5,"Text":true,"text":"x"}`, ``},
	} {
		var got, want, watched sundry
		if err := UnmarshalExact([]byte(tt.plain), &want); err != nil {
			t.Fatalf("%s: %v", tt.plain, err)
		}
		if err := Unmarshal([]byte(tt.document), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v; want %+v", tt.document, got, err, want)
		}
		var reported []string
		report := Watching(func(pointer, form string, raw []byte) { reported = append(reported, pointer+" "+form+" "+string(raw)) })
		if err := Unmarshal([]byte(tt.document), &watched, report); err != nil || !reflect.DeepEqual(watched, want) {
			t.Errorf("%s: watched: got %+v, %v; want %+v", tt.document, watched, err, want)
		}
		if all := strings.Join(reported, ", "); all != tt.reported {
			t.Errorf("%s: reported %s, want %s", tt.document, all, tt.reported)
		}
		quick := new(sundry)
		if NewForms().Unmarshal([]byte(tt.document), quick) && !reflect.DeepEqual(*quick, want) {
			t.Errorf("%s: the forms read %+v, want %+v", tt.document, *quick, want)
		}
		strict := new(sundry)
		if err := NewForms().UnmarshalStrict([]byte(tt.document), strict); (err == nil) != (UnmarshalStrict([]byte(tt.document), new(sundry)) == nil) {
			t.Errorf("%s: the strict forms: %v", tt.document, err)
		}
	}
}

// Values that no reading makes sense of, and the value as a whole.
func TestToleranceEnds(t *testing.T) {
	for _, document := range []string{
		`{"text":{}}`, `{"text":[1]}`, `{"texts":[[]]}`, `{"texts":[{}]}`, `{"bool":2}`, `{"bool":"yes"}`, `{"bool":"TRUE"}`, `{"bool":[]}`, `{"int":5.5}`, `{"int":"x"}`, `{"int":true}`, `{"int":[]}`,
		`{"int":" 5"}`, `{"small":128.0}`, `{"small":"128"}`, `{"uint":"-1"}`, `{"uint":256.0}`, `{"float":"x"}`, `{"float":"NaN"}`, `{"int":1e999999999}`, `{"inner":[1]}`, `{"inner":"x"}`, `{"inner":true}`,
		`{"map":[1]}`, `{"list":"x"}`, `{"list":{"a":{}}}`, `{"list":{"1":{},"0":{}}}`, `{"list":{"0":null}}`, `{"list":{"0":[]}}`, `{"list":{"0":{}`, `{"list":{"0"`, `{"list":[null]}`, `{"list":[[]]}`, `{"list":[""]}`,
		`{"numbers":[null]}`, `{"numbers":[""]}`, `{"numbers":{"0":""}}`, `{"letter":"xy"}`, `{"letter":5}`, `{"p_list":[[]]}`, `{"p_bool":"maybe"}`,
	} {
		if v := new(sundry); Unmarshal([]byte(document), v) == nil {
			t.Errorf("%s was read as %+v", document, v)
		}
		if v := new(sundry); NewForms().Unmarshal([]byte(document), v) {
			t.Errorf("%s was read by the forms as %+v", document, v)
		}
	}
	for _, whole := range []any{new(string), new(bool), new(int), new(inner), new(map[string]int), new([]inner), new(*inner), new(*int)} {
		for _, document := range []string{`7`, `"7"`, `false`, `[1]`, `{"0":{}}`, `""`, `[]`, `{}`} {
			fresh := func() any { return reflect.New(reflect.TypeOf(whole).Elem()).Interface() }
			if got, want := Unmarshal([]byte(document), fresh()), UnmarshalExact([]byte(document), fresh()); (got == nil) != (want == nil) {
				t.Errorf("%s as %T: %v, want %v", document, whole, got, want)
			} else if NewForms().Unmarshal([]byte(document), fresh()) && want != nil {
				t.Errorf("%s as %T: taken by the forms, want %v", document, whole, want)
			}
		}
	}
	var records []inner
	if err := UnmarshalList([]byte(`[{"a":1},null]`), &records, 10); err == nil {
		t.Errorf("null was read as a record: %+v", records)
	}
	if err := UnmarshalList([]byte(`[{"a":1},{"a":"2","a":null}]`), &records, 10); err != nil || !slices.Equal(records, []inner{{"1"}, {}}) {
		t.Errorf("read %+v, %v", records, err)
	}
}

// FuzzTolerance: the forms read what the general decoder reads, and what has the form of its type means the same with
// tolerance as without. Only null in a list, the empty text and members that come twice may mean something else.
func FuzzTolerance(f *testing.F) {
	f.Add([]byte(`{"text":5,"bool":"1","int":5.0,"list":{"0":{"a":true}},"map":[],"p_int":"","p_list":[null],"more":{}}`))
	f.Add([]byte(`{"texts":[1,"x",null],"numbers":["1",2e0],"inner":{"a":"x"},"letter":"a","digits":7,"float":-1.5e-3}`))
	forms := NewForms()
	f.Fuzz(func(t *testing.T, data []byte) {
		var exact, tolerant, quick sundry
		err := Unmarshal(data, &tolerant)
		if forms.Unmarshal(data, &quick) && (err != nil || !reflect.DeepEqual(quick, tolerant)) {
			t.Errorf("the forms read %+v, want %+v, %v", quick, tolerant, err)
		}
		if UnmarshalStrict(data, &exact) != nil || strings.Contains(string(data), `""`) {
			return
		}
		if err == nil && !reflect.DeepEqual(exact, tolerant) || err != nil && !strings.Contains(string(data), "null") {
			t.Errorf("read with tolerance as %+v, %v; want %+v", tolerant, err, exact)
		}
	})
}
