package wire_test

import (
	"encoding/json"
	"reflect"
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
