package callback_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

type loosePart struct {
	Name  string       `json:"name"`
	Extra client.Extra `json:",embed"`
}

type looseDocument struct {
	ID    client.ID    `json:"id"`
	Part  loosePart    `json:"part"`
	Maybe *loosePart   `json:"maybe"`
	Parts []loosePart  `json:"parts"`
	Words []string     `json:"words"`
	Extra client.Extra `json:",embed"`
}

// strictly are documents whose values have the form of their types, but for members that are not needed.
var strictly = callback.Loose{
	Of: "a document", Needed: []string{"id", "part.name"}, RuleOf: callback.RuleOf,
	Own: []wire.Option{wire.ReadBy(func(raw []byte, id *client.ID) error { return id.UnmarshalJSON(raw) })},
}

// Members in another form are left out, named and kept, and what surrounds them is read.
func TestLoose(t *testing.T) {
	tolerant := strictly
	tolerant.Own = nil
	for _, test := range []struct {
		loose    callback.Loose
		in, want string
		extra    string // names in the Extra of the document
		ignored  string
	}{
		{strictly, `{"id":1,"part":{"name":"a","x":[1]},"maybe":{"name":"b"},"parts":[{"name":"c"}],"words":["d"],` +
			`"new":1}`,
			`{1 a b [c] [d]}`, "[new]", ""},
		{strictly, `{"part":null,"maybe":true,"parts":"x","words":{"a":1}}`, `{0   [] []}`, "[maybe parts words]",
			"maybe: true: must be an object; parts: a string of 1 bytes: must be a list; " +
				"words: an object: must be a list"},
		{strictly, `{"part":[],"maybe":false,"parts":{ },"words":""}`, `{0   [] []}`, "[]", ""},
		{strictly, `{"parts":[7,{"name":"c"},[],null],"words":["a",1,"b"]}`, `{0   [c ] [a b]}`, "[parts words]",
			"parts[0]: a number: must be an object; parts[2]: a list: must be an object; " +
				"words[1]: a number: must be a string"},
		{strictly, `{"maybe":{"name":1}}`, `{0   [] []}`, "[]", "maybe.name: a number: must be a string"},
		{tolerant, `{"part":{"name":7},"maybe":{"name":true},"parts":{"0":{"name":1},"2":{}},"words":["a",1]}`,
			`{0 7 true [1 ] [a 1]}`, "[]", ""},
		{tolerant, `{"parts":[{"name":{}}],"words":{"1":{}}}`, `{0   [] []}`, "[words]",
			"parts[0].name: an object: must be a string; words[0]: an object: must be a string"},
	} {
		var d looseDocument
		ignored, err := test.loose.Read([]byte(test.in), &d, nil)
		maybe, parts := "", []string{}
		if d.Maybe != nil {
			maybe = d.Maybe.Name
		}
		for _, p := range d.Parts {
			parts = append(parts, p.Name)
		}
		got := fmt.Sprintf("{%d %s %s %v %v}", d.ID, d.Part.Name, maybe, parts, d.Words)
		if err != nil || got != test.want || fmt.Sprint(names(d.Extra)) != test.extra {
			t.Errorf("%s: got %s, %v, %v, want %s, %s", test.in, got, names(d.Extra), err, test.want, test.extra)
		}
		const what = "malformed call: members on which no answer depends could not be read: "
		if (ignored == nil) != (test.ignored == "") || ignored != nil && ignored.Error() != what+test.ignored {
			t.Errorf("%s: ignored %v, want %s", test.in, ignored, test.ignored)
		}
	}
}

// A member that is needed must have the form of its type, and the grammar is strict.
func TestLooseRefuses(t *testing.T) {
	for in, want := range map[string]string{
		`{"id":"x"}`:                  "id: a string of 1 bytes: must be an integer",
		`{"part":7}`:                  "part: a number: must be an object",
		`{"part":{"name":[]}}`:        "part.name: a list: must be a string",
		`{"id":{},"part":{"name":1}}`: "id: an object: must be an integer; part.name: a number: must be a string",
		`{"words":5,"id":"x"}`:        "id: a string of 1 bytes: must be an integer",
		`[]`:                          "not the strict JSON of a document: a list: must be an object",
		`null`:                        "not the strict JSON of a document: null: must be an object",
		``:                            "not the strict JSON of a document: it ends too early, after 0 bytes",
		`{`:                           "not the strict JSON of a document: it ends too early, after 1 bytes",
		`{"id":1}1`:                   "not the strict JSON of a document: byte 8 is not as JSON in UTF-8 must be",
		`{"new":{"a":1,"a":2}}`:       "not the strict JSON of a document: new.a: a member that stands twice",
		"{\"x\":\"\xff\"}":            "not the strict JSON of a document: byte 6 is not as JSON in UTF-8 must be",
		`{"words":[` + strings.Repeat("1,", wire.MaxValues) + `1]}`: "JSON holds more than 20000 values",
	} {
		ignored, err := strictly.Read([]byte(in), new(looseDocument), nil)
		if ignored != nil || !errors.Is(err, callback.ErrMalformed) ||
			!strings.HasPrefix(err.Error(), "malformed call: "+want) {
			t.Errorf("%.40s: got %v, %v, want %s", in, ignored, err, want)
		}
	}
}

// Many values in another form cost little.
func TestLooseIsBounded(t *testing.T) {
	in := []byte(`{"parts":[` + strings.Repeat(`{"name":1},`, 6_000) + `{}]}`)
	var ignored, err error
	spent := hostile.Cost(func() { ignored, err = strictly.Read(in, new(looseDocument), nil) })
	if t.Log(spent); err != nil || !strings.HasSuffix(ignored.Error(), "; and 5995 more") || spent.Bytes > 64<<20 {
		t.Errorf("got %v, %v, which cost %v", ignored, err, spent)
	}
}

func names(x client.Extra) []string { return slices.Sorted(maps.Keys(x)) }
