package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type record struct {
	StoreID int64                      `json:"store_id"`
	Items   []string                   `json:"items"`
	Rest    map[string]json.RawMessage `json:",embed"`
}

// Documents that the strict reader refuses, and what the tolerant one makes of them.
func TestStrictAndTolerant(t *testing.T) {
	nested := func(depth int) string {
		return `{"x":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + `}`
	}
	values := func(n int) string { return `{"x":[` + strings.TrimSuffix(strings.Repeat("0,", n-3), ",") + `]}` }
	for _, tt := range []struct {
		name, document   string
		strict, tolerant bool
	}{
		{"plain", `{"store_id":1,"items":["a"],"more":{"a":null}}`, true, true},
		{"other case is another member", `{"store_id":1,"STORE_ID":2,"ſtore_id":3}`, true, true},
		{"duplicate member", `{"store_id":2,"store_id":1}`, false, true},
		{"duplicate by escape", `{"store_id":2,"store_i\u0064":1}`, false, true},
		{"duplicate below", `{"store_id":1,"x":{"a":1,"a":2}}`, false, true},
		{"invalid UTF-8", "{\"store_id\":1,\"x\":\"\xff\"}", false, true},
		{"lone surrogate", `{"store_id":1,"x":"\ud800"}`, false, true},
		{"byte order mark", "\ufeff{\"store_id\":1}", false, false},
		{"trailing value", `{"store_id":1}{}`, false, false},
		{"trailing text", `{"store_id":1}x`, false, false},
		{"trailing white space", "{\"store_id\":1}\n \t", true, true},
		{"empty", ``, false, false},
		{"cut off", `{"store_id":1`, false, false},
		{"NaN", `{"store_id":NaN}`, false, false},
		{"wrong type", `{"store_id":"x"}`, false, false},
		{"number in a string", `{"store_id":"1"}`, false, true},
		{"whole number with a fraction", `{"store_id":1.0}`, false, true},
		{"too large", `{"store_id":9223372036854775808}`, false, false},
		{"fraction", `{"store_id":1.5}`, false, false},
		{"list", `[1]`, false, false},
		{"64 levels", nested(64), true, true},
		{"65 levels", nested(65), false, true},
		{"10,000 levels", nested(10_000), false, true},
		{"a million levels", nested(1_000_000), false, false},
		{"20,000 values", values(20_000), true, true},
		{"20,001 values", values(20_001), false, true},
		{"a million empty objects", `{"x":[` + strings.Repeat("{},", 1_000_000) + `{}]}`, false, true},
		{"a million digits", `{"x":` + strings.Repeat("1", 1_000_000) + `}`, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var strict, tolerant record
			if err := UnmarshalStrict([]byte(tt.document), &strict); (err == nil) != tt.strict {
				t.Errorf("strict: %v, want success %v", err, tt.strict)
			} else if err != nil && len(strict.Rest) > 0 {
				t.Errorf("strict: refused, and yet wrote %+v", strict)
			}
			if err := Unmarshal([]byte(tt.document), &tolerant); (err == nil) != tt.tolerant {
				t.Errorf("tolerant: %v, want success %v", err, tt.tolerant)
			} else if err == nil && strings.Contains(tt.document, "store_id") && tolerant.StoreID != 1 {
				t.Errorf("tolerant: store_id %d, want 1", tolerant.StoreID)
			}
		})
	}
}

func TestUnmarshalList(t *testing.T) {
	for _, tt := range []struct {
		document string
		want     int
		err      string
	}{
		{`[]`, 0, ""},
		{" [ 1 ,\"2\"]\n", 2, ""},
		{`[1,2,3]`, 3, ""},
		{`[1,2,3,4]`, 0, "too many items: must be at most 3"},
		{`[` + strings.Repeat("1,", 1_000_000), 0, "too many items: must be at most 3"},
		{`[1,2,3,`, 0, "unexpected EOF"},
		{`[1,2,3`, 0, "unexpected EOF"},
		{`[1}`, 0, "invalid character '}'"},
		{`[1]]`, 0, "followed by more data"},
		{`[1] x`, 0, "followed by more data"},
		{`{}`, 0, "must be a JSON list, got {"},
		{`null`, 0, "must be a JSON list, got null"},
		{``, 0, "EOF"},
		{"\x00", 0, "invalid character"},
		{"[1,{\"a\":\"\xff\",\"a\":1}]", 2, ""},
	} {
		var got []json.RawMessage
		err := UnmarshalList([]byte(tt.document), &got, 3)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) || err == nil && (len(got) != tt.want || got == nil) {
			t.Errorf("%.40q: got %q, %v; want %d items, %s", tt.document, got, err, tt.want, tt.err)
		}
	}
}

func TestNumbered(t *testing.T) {
	for document, want := range map[string]string{
		`{"0":{"a":1},"1":null}`: `[{"a":1},null]`, ` { "3" : 1 , "07":[ 2 ] } `: `[1,[ 2 ]]`,
		`{}`: ``, `[1]`: ``, `{"a":1}`: ``, `{"1":1,"0":2}`: ``, `{"0":1,"0":2}`: ``, `{"0":1,"a":2}`: ``, `{"0":1`: ``, `{"0":1}x`: ``, `{"0":}`: ``, `"0"`: ``, ``: ``, `{"-1":1}`: ``, `{"1.0":1}`: ``,
		`{"` + strings.Repeat("9", 200) + `":1}`: ``,
	} {
		got, ok := Numbered([]byte(document))
		if ok != (want != "") || ok && string(got) != want {
			t.Errorf("%s: got %s, %v; want %s", document, got, ok, want)
		}
	}
}

func TestMarshalIsDeterministic(t *testing.T) {
	r := record{StoreID: 1, Rest: map[string]json.RawMessage{"b": json.RawMessage(`1`), "a": json.RawMessage(`{"z":1,"y":2}`)}}
	for range 20 {
		got, err := Marshal(r)
		if want := `{"store_id":1,"items":[],"a":{"z":1,"y":2},"b":1}`; err != nil || string(got) != want {
			t.Fatalf("wrote %s, %v; want %s", got, err, want)
		}
	}
}

type digits string

func (d *digits) UnmarshalJSON(b []byte) error { *d = digits(strings.Trim(string(b), `"`)); return nil }

type letters string

func (l *letters) UnmarshalJSON(b []byte) error { *l = letters(b); return nil }

func TestWatchReportsOtherForms(t *testing.T) {
	var v struct {
		List []digits `json:"list"`
		Word letters  `json:"word"`
	}
	var seen []string
	report := func(pointer, form string, raw []byte) { seen = append(seen, pointer+" "+form+" "+string(raw)) }
	number := func(raw []byte) bool { return raw[0] != '"' }
	err := Unmarshal([]byte(`{"list":[1,"2"],"word":"x"}`), &v, Watching(report, Watched[digits]("a number", number), Watched[letters]("letters", number)))
	if err != nil || v.List[1] != "2" || v.Word != `"x"` {
		t.Errorf("read %+v, %v", v, err)
	}
	if got := strings.Join(seen, ", "); got != `/list/1 a number "2", /word letters "x"` {
		t.Errorf("reported %s", got)
	}
}

func TestMembers(t *testing.T) {
	for _, tt := range []struct{ document, want string }{
		{`{}`, ``},
		{" {\"a\" : 1 ,\"b\":[ {} ] }\n", `a=1 b=[ {} ]`},
		{`{"a\u0062\"":"c\"d"}`, `ab"="c\"d"`},
		{`{"a":{"b":1,"c":2}}`, `a={"b":1,"c":2}`},
		{`{"a":1,"\u0061":2}`, `!`},
		{`{"a":{"b":1,"b":2}}`, `!`},
		{`{"a":1}{}`, `!`},
		{`{"a":1`, `!`},
		{"{\"a\":\"\xff\"}", `!`},
		{`null`, `!`},
		{`[1]`, `!`},
		{``, `!`},
	} {
		members, err := Members([]byte(tt.document))
		var all []string
		for _, m := range members {
			all = append(all, string(m.Name)+"="+string(m.Value))
		}
		got := strings.Join(all, " ")
		if err != nil {
			got = "!" + got
		}
		if got != tt.want {
			t.Errorf("%s: got %s, %v; want %s", tt.document, got, err, tt.want)
		}
	}
}
