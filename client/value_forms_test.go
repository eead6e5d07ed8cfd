package client

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// oddities has what records have none of, or little.
type oddities struct {
	Number   int64                    `json:"number"`
	Small    int8                     `json:"small"`
	Float    float64                  `json:"float"`
	Any      any                      `json:"any"`
	Bytes    []byte                   `json:"bytes"`
	Array    [2]bool                  `json:"array"`
	UUID     *uuid.UUID               `json:"uuid"`
	Map      map[string][]Money       `json:"map"`
	Nested   [][]*oddities            `json:"nested"`
	Lax      Nullable[LineItemIssues] `json:"lax"`
	Decimal  Decimal                  `json:"decimal"`
	Untagged string
	Ignored  string `json:"-"`
	Totals
	Extra Extra `json:",embed"`
}

// FuzzForms: whatever forms take means what the general decoder makes of it.
func FuzzForms(f *testing.F) {
	for _, document := range []string{
		`{"id":5.0,"variants":{"0":{"id":"5","promotional_price":"","sku":1e3,"stock":"","visible":"1","values":[{"es":null,"pt":5},null]}},"images":{}}`,
		`[{"id":1,"customer":[],"products":[{"id":"1.0","price":1.05e1,"properties":[]}],"completed_at":{"date":"0000-00-00","timezone":null}},null]`,
		`{"uuid":"","array":[1,"0"],"number":"5","small":1e1,"float":"1.5","map":[],"nested":{"1":[]},"lax":false,"decimal":"\u0031","Untagged":7}`,
	} {
		f.Add([]byte(document))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, record := range []any{Product{}, Order{}, Customer{}, FulfillmentOrder{}, oddities{}} {
			sameAsGeneral(t, data, reflect.TypeOf(record))
			sameAsGeneral(t, data, reflect.SliceOf(reflect.TypeOf(record)))
		}
	})
}

// longPad makes any document a long one.
var longPad = bytes.Repeat([]byte(" "), 20<<10)

// sameAsGeneral reports whether the forms took data.
func sameAsGeneral(t *testing.T, data []byte, of reflect.Type) bool {
	t.Helper()
	got, want := reflect.New(of), reflect.New(of)
	took := forms.Unmarshal(data, got.Interface())
	err := wire.Unmarshal(data, want.Interface())
	switch {
	case !took && !got.Elem().IsZero():
		t.Errorf("%s: refused, and yet wrote %+v", of, got.Elem())
	case took && err != nil:
		t.Errorf("%s: took what is refused: %v", of, err)
	case took && !reflect.DeepEqual(got.Interface(), want.Interface()):
		t.Errorf("%s: read\n%+v, want\n%+v", of, got.Elem(), want.Elem())
	}
	long := reflect.New(of) // in a long document values share memory, and what came before is remembered
	tookLong := forms.Unmarshal(slices.Concat(data, longPad), long.Interface())
	if tookLong != took || !reflect.DeepEqual(long.Interface(), got.Interface()) {
		t.Errorf("%s: took it in a long document: %v, in a short one: %v", of, tookLong, took)
		t.Errorf("read\n%+v, want\n%+v", long.Elem(), got.Elem())
	}
	if of.Kind() != reflect.Slice {
		return took
	}
	items := reflect.New(of)
	if listed := forms.UnmarshalList(data, items.Interface(), 1<<20); listed != (took && got.Elem().IsValid() && !got.Elem().IsNil()) {
		t.Errorf("%s: took it as a list: %v; as a value: %v", of, listed, took)
	} else if listed && !reflect.DeepEqual(items.Interface(), want.Interface()) {
		t.Errorf("%s: read\n%+v, want\n%+v", of, items.Elem(), want.Elem())
	}
	return took
}

// TestForms: values in every form are read as the general decoder reads them, and what is in plain form by the forms.
func TestForms(t *testing.T) {
	long := strings.Repeat("x", 40)
	for _, tt := range []struct {
		document string
		took     bool
	}{
		{`{}`, true}, {` { } `, true}, {`null`, true}, {`{"id":1}`, true}, {"{\n\t\"id\" : 1 ,\r\"tags\":\"a\" }", true},
		{``, false}, {`{`, false}, {`{"id"}`, false}, {`{"id":}`, false}, {`{"id":1,}`, false}, {`{"id":1}x`, false}, {`{"id":1}}`, false}, {`{,}`, false}, {`[1]`, false}, {`"x"`, false},
		{`{"id":"12"}`, true}, {`{"id":""}`, true}, {`{"id":null}`, true}, {`{"id":-0}`, true}, {`{"id":-7}`, true}, {`{"id":"007"}`, true}, {`{"id":999999999999999999}`, true},
		{`{"id":9223372036854775807}`, true}, {`{"id":9223372036854775808}`, false}, {`{"id":007}`, false}, {`{"id":1.0}`, true}, {`{"id":1e3}`, true}, {`{"id":1.5}`, false}, {`{"id":"+1"}`, false}, {`{"id":"-"}`, false}, {`{"id":-}`, false}, {`{"id":" 1"}`, false}, {`{"id":true}`, false}, {`{"id":"\u0031"}`, true},
		{`{"variants":[{"price":"10.50","stock":3,"cost":10.5,"promotional_price":null,"weight":"0.25","width":3,"sku":"A\"\n\u00e9\ud83d\ude00/\/","values":[{"en":"S"},"x",[],null,{"es":null}]}]}`, true},
		{`{"variants":[{"price":""}]}`, true}, {`{"variants":[{"price":"-0"}]}`, true}, {`{"variants":[{"price":".5"}]}`, false}, {`{"variants":[{"price":"5."}]}`, false}, {`{"variants":[{"price":"1.1.1"}]}`, false}, {`{"variants":[{"price":"1e2"}]}`, true}, {`{"variants":[{"price":"1234567890123456"}]}`, false}, {`{"variants":[{"price":"--1"}]}`, false},
		{`{"variants":[]}`, true}, {`{"variants":null}`, true}, {`{"variants":{}}`, false}, {`{"variants":[null,{}]}`, false}, {`{"variants":[{}`, false}, {`{"variants":[{},]}`, false},
		{`{"brand":"\ud800"}`, false}, {`{"brand":"\ud800\u0041"}`, false}, {`{"brand":"\x"}`, false}, {`{"brand":"\u12g4"}`, false}, {`{"brand":"\"}`, false}, {"{\"brand\":\"\xff\"}", false}, {"{\"brand\":\"\x01\"}", false}, {"{\"brand\":\"\x7f\"}", true}, {"{\"brand\":\"" + long + "é\"}", true}, {"{\"brand\":\"" + long + "\\\\\"}", true},
		{`{"published":true,"free_shipping":false,"requires_shipping":null}`, true}, {`{"published":"true"}`, true}, {`{"published":tru}`, false}, {`{"published":1}`, true}, {`{"published":"0"}`, true}, {`{"published":""}`, true}, {`{"published":"yes"}`, false}, {`{"published":2}`, false}, {`{"published":"tru\u0065"}`, false}, {`{"brand":7,"video_url":1e3}`, true}, {`{"variants":[{"promotional_price":"","stock":"","image_id":"","sku":""}]}`, true},
		{`{"name":"bare"}`, true}, {`{"name":["x"]}`, false}, {`{"name":{"en":"a","en":"b"}}`, true}, {`{"name":{"e\u006e":"a"}}`, false}, {`{"name":{"en":1}}`, true}, {`{"name":{}}`, true},
		{`{"id":1,"id":2}`, false}, {`{"i\u0064":1}`, false}, {`{"ID":1}`, true}, {`{"more":{"a":[1,-2.5e+3,"x\t",null,true,false,{}]}}`, true}, {`{"more":1,"more":2}`, false}, {`{"more":[01]}`, false}, {`{"more":[1.]}`, false}, {`{"more":[1e]}`, false}, {`{"more":["\x"]}`, false}, {`{"more":` + strings.Repeat("[", 98) + strings.Repeat("]", 98) + `}`, true}, {`{"more":` + strings.Repeat("[", 101) + strings.Repeat("]", 101) + `}`, false},
		{`{"created_at":"2025-02-28T23:59:59+0000"}`, true}, {`{"created_at":"2025-02-29T00:00:00+0000"}`, false}, {`{"created_at":"2025-00-01T00:00:00+0000"}`, false}, {`{"created_at":"2025-01-01T24:00:00+0000"}`, false}, {`{"created_at":"2025-01-01T00:00:00-0300"}`, true}, {`{"created_at":"2025-01-01T00:00:00+00:00"}`, true}, {`{"created_at":"2025-01-01 00:00:00"}`, true}, {`{"created_at":"2025-01-01T00:00:00Z"}`, true}, {`{"created_at":""}`, true}, {`{"created_at":1735689600}`, true}, {`{"created_at":"today"}`, false},
	} {
		if took := sameAsGeneral(t, []byte(tt.document), reflect.TypeFor[Product]()); took != tt.took {
			t.Errorf("%s: taken %v, want %v", tt.document, took, tt.took)
		}
		sameAsGeneral(t, []byte("["+tt.document+"]"), reflect.TypeFor[[]Product]())
	}
	for _, document := range []string{
		`{"number":-5,"small":127,"float":1.5,"any":{"a":[1]},"bytes":"aGk=","array":[true,false],"uuid":"02aaa5c6-080a-40e9-a61f-90ca2150d6a2","map":{"a":["1.00"]},"nested":[[{"number":1},null],[]],"lax":{"unclaimed_stock":"2"},"decimal":0.25,"Untagged":"x","Ignored":"y","-":"z","total":"9.99","currency":"ARS"}`,
		`{"lax":[],"uuid":null,"map":null,"nested":null,"any":null,"bytes":null}`, `{"lax":null,"decimal":""}`,
	} {
		if !sameAsGeneral(t, []byte(document), reflect.TypeFor[oddities]()) {
			t.Errorf("refused %s", document)
		}
	}
	for _, document := range []string{`{"small":128}`, `{"array":[true]}`, `{"uuid":"x"}`, `{"lax":[1]}`, `{"lax":{"unclaimed_stock":[]}}`, `{"bytes":"!"}`, `{"decimal":"x"}`} {
		if sameAsGeneral(t, []byte(document), reflect.TypeFor[oddities]()) {
			t.Errorf("took %s", document)
		}
	}
	if forms.Unmarshal([]byte(`{}`), &Product{ID: 1}) || forms.Unmarshal([]byte(`{}`), Product{}) || forms.Unmarshal([]byte(`{}`), (*Product)(nil)) || forms.Unmarshal([]byte(`{}`), nil) {
		t.Error("forms read into what is no new value")
	}
	var two []Product
	if forms.UnmarshalList([]byte(`[{},{},{}]`), &two, 2) {
		t.Error("took 3 items, want 2 at most")
	}
}
