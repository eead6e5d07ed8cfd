package wire_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

type loosePart struct {
	Name string                     `json:"name"`
	Rest map[string]json.RawMessage `json:",embed"`
}

type looseDocument struct {
	Count int         `json:"count"`
	Part  loosePart   `json:"part"`
	Maybe *loosePart  `json:"maybe"`
	Parts []loosePart `json:"parts"`
	Words []string    `json:"words"`
}

// Values in another form are left out and named, and what surrounds them is read. The grammar remains strict.
func TestUnmarshalLoosely(t *testing.T) {
	for in, want := range map[string]string{
		`{"count":1,"part":{"name":"a","x":[1]},"maybe":{"name":"b"},"parts":[{"name":"c"}],"words":["d"]}`: `{1 {a [1]} b [{c }] [d]} []`,
		`{"count":"1","part":{"name":7}}`:                        `{0 { } nil [] []} [count: a string of 1 bytes: int part.name: a number: string]`,
		`{"part":7,"maybe":true,"parts":"x","words":{"a":1}}`:    `{0 { } nil [] []} [part: a number: wire_test.loosePart maybe: true: *wire_test.loosePart parts: a string of 1 bytes: []wire_test.loosePart words: an object: []string]`,
		`{"part":[],"maybe":false,"parts":{ },"words":""}`:       `{0 { } nil [] []} []`,
		`{"parts":[7,{"name":"c"},[],null],"words":["a",1,"b"]}`: `{0 { } nil [{c } { }] [a b]} [parts[0]: a number: wire_test.loosePart parts[2]: a list: wire_test.loosePart words[1]: a number: string]`,
		`{"parts":[{"name":1}]}`:                                 `{0 { } nil [{ }] []} [parts[0].name: a number: string]`,
		`[]`:                                                     `{0 { } nil [] []} [: a list: wire_test.looseDocument]`,
		`null`:                                                   `{0 { } nil [] []} []`,
	} {
		var d looseDocument
		unread, err := wire.UnmarshalLoosely([]byte(in), &d)
		parts := make([]string, len(d.Parts))
		for i, p := range d.Parts {
			parts[i] = fmt.Sprintf("{%s %s}", p.Name, p.Rest["x"])
		}
		maybe := "nil"
		if d.Maybe != nil {
			maybe = d.Maybe.Name
		}
		misfits := make([]string, len(unread))
		for i, m := range unread {
			misfits[i] = fmt.Sprint(m.Path, ": ", m.Form, ": ", m.Type)
		}
		got := fmt.Sprintf("{%d {%s %s} %s %v %v} %v", d.Count, d.Part.Name, d.Part.Rest["x"], maybe, parts, d.Words, misfits)
		if err != nil || got != want {
			t.Errorf("%s: got\n%s, %v, want\n%s", in, got, err, want)
		}
	}
	for _, in := range []string{
		``, `{`, `{"count":1}1`, `{"count":1,"count":2}`, `{"count":{"a":1,"a":2}}`, "{\"x\":\"\xff\"}", `{"parts":[`, `{"parts":[{]}`, strings.Repeat("[", 65),
		`{"words":[` + strings.Repeat("1,", wire.MaxValues) + `1]}`,
	} {
		d := looseDocument{Count: 7}
		if unread, err := wire.UnmarshalLoosely([]byte(in), &d); err == nil || unread != nil || d.Count != 0 {
			t.Errorf("%.40s: got %v, %v, %v, want an error", in, d, unread, err)
		}
	}
}

// Many values in another form cost little.
func TestUnmarshalLooselyIsBounded(t *testing.T) {
	in := []byte(`{"parts":[` + strings.Repeat(`{"name":1},`, 6_000) + `{}]}`)
	var unread []wire.Misfit
	var err error
	spent := hostile.Cost(func() { unread, err = wire.UnmarshalLoosely(in, new(looseDocument)) })
	if t.Log(spent); err != nil || len(unread) != 6_000 || spent.Bytes > 64<<20 {
		t.Errorf("got %d values, %v, which cost %v", len(unread), err, spent)
	}
}
