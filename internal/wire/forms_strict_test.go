package wire_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Forms are as strict as the general decoder, also in what they do not look into themselves.
func TestFormsAreStrict(t *testing.T) {
	type part struct {
		Text string `json:"text"`
	}
	type record struct {
		Part  part                       `json:"part"`
		Any   map[string]any             `json:"any"`
		Parts []part                     `json:"parts"`
		Rest  map[string]json.RawMessage `json:",embed"`
	}
	forms := wire.NewForms()
	refused := 0
	for _, body := range []string{
		`{}`, `null`, `[]`, `{"part":{"text":"x"},"any":{"a":[1,{"b":null}]},"parts":[{"text":""},{}],"new":{"a":{"b":1}}}`,
		`{"part":{},"part":{}}`, `{"new":1,"new":2}`, `{"new":{"a":1,"a":2}}`, `{"new":[{"a":{"b":1,"b":1}}]}`, `{"any":{"a":1,"a":2}}`,
		`{"part":{"new":1,"new":2}}`, `{"part":{"new":1}}`, `{"parts":[{"text":"a","text":"b"}]}`, `{"part":{"text":"\ud800"}}`,
		"{\"new\":\"\xff\"}", `{"part":{"TEXT":"x"}}`, `{"\u0070art":{},"part":{}}`, `{"part":{}} x`, `{"part":{}`,
	} {
		var quick, general record
		quickErr, err := forms.UnmarshalStrict([]byte(body), &quick), wire.UnmarshalStrict([]byte(body), &general)
		if (quickErr == nil) != (err == nil) || !reflect.DeepEqual(quick, general) {
			t.Errorf("%s: got %+v, %v, want %+v, %v", body, quick, quickErr, general, err)
		}
		if err != nil {
			refused++
		}
	}
	if refused != 13 {
		t.Errorf("%d documents are refused", refused)
	}
}

// Forms count levels themselves, as far as the bound and no further, also below what they pass over.
func TestFormsCountLevels(t *testing.T) {
	type node struct {
		Nodes []node                     `json:"nodes"`
		Rest  map[string]json.RawMessage `json:",embed"`
	}
	wide := `"wide":[` + strings.Repeat("[],", wire.MaxDepth) + `[]]`
	forms := wire.NewForms()
	for _, nested := range [][2]string{
		{`{"nodes":[`, `]}`}, {`{"nodes":[],"new":[`, `]}`}, {`{"nodes":[null,`, `,null]}`},
	} {
		for pairs := wire.MaxDepth/2 - 2; pairs <= wire.MaxDepth/2+1; pairs++ {
			for _, inmost := range []string{"null", "{}", `{"nodes":[]}`, `{"new":[]}`, `{"nodes":[{}]}`} {
				nodes := strings.Repeat(nested[0], pairs-1) + inmost + strings.Repeat(nested[1], pairs-1)
				body := []byte(`{` + wide + `,"nodes":[` + nodes + `]}`)
				var quick, general node
				quickErr, err := forms.UnmarshalStrict(body, &quick), wire.UnmarshalStrict(body, &general)
				if (quickErr == nil) != (err == nil) || !reflect.DeepEqual(quick, general) {
					t.Errorf("%s: got %v, want %v", body, quickErr, err)
				}
				depth := pairs*2 + strings.Count(inmost, "[") + strings.Count(inmost, "{")
				if tooDeep := depth > wire.MaxDepth; tooDeep != (err != nil) {
					t.Errorf("%s: %v", body, err)
				}
			}
		}
	}
}
