package body

import (
	"errors"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

type sample struct {
	Name  Opt[string] `json:"name"`
	Brand Opt[string] `json:"brand"`
	Stock Opt[int]    `json:"stock"`
	Tags  string      `json:"tags"`
	embedded
}

type embedded struct {
	Extra bool `json:"extra"`
}

func TestDecodeKeepsPresence(t *testing.T) {
	in := api.In{Raw: []byte(`{"name":"x","brand":null,"extra":true,"Tags":"no","nmae":1}`)}
	var b sample
	if err := Decode(&in, &b); err != nil {
		t.Fatal(err)
	}
	if !b.Name.Set() || b.Name.Value != "x" {
		t.Errorf("value: %+v", b.Name)
	}
	if !b.Brand.Present || !b.Brand.Null || b.Brand.Set() || b.Brand.Or("old") != "" {
		t.Errorf("null: %+v", b.Brand)
	}
	if b.Stock.Present || b.Stock.Or(7) != 7 {
		t.Errorf("absent: %+v", b.Stock)
	}
	if !b.Extra || b.Tags != "" {
		t.Errorf("embedded %v, other case %q", b.Extra, b.Tags)
	}
	if got, want := in.Unread(), []string{"Tags", "nmae"}; !slices.Equal(got, want) {
		t.Errorf("unread: got %v, want %v", got, want)
	}
}

func TestDecodeRefusals(t *testing.T) {
	for raw, want := range map[string]string{
		`{"stock":"7"}`: `422 {"stock":["is invalid"]}`,
		`[]`:            `400 {"error":"Problems parsing JSON"}`,
		`null`:          `400 {"error":"Problems parsing JSON"}`,
		`"x"`:           `400 {"error":"Problems parsing JSON"}`,
	} {
		var b sample
		if err := Decode(&api.In{Raw: []byte(raw)}, &b); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", raw, err, want)
		}
	}
	var b sample
	if err := Decode(&api.In{}, &b); err != nil {
		t.Errorf("no body: %v", err)
	}
}

type fussy string

func (*fussy) UnmarshalJSON([]byte) error { return api.Invalid("price", "must be at least 0") }

func TestDecodePassesOwnRefusalOn(t *testing.T) {
	var b struct {
		Price Opt[fussy] `json:"price"`
	}
	err := Decode(&api.In{Raw: []byte(`{"price":-1}`)}, &b)
	if e, ok := errors.AsType[*api.Error](err); !ok || e.Error() != `422 {"price":["must be at least 0"]}` {
		t.Errorf("got %v", err)
	}
}

func TestDecodeArray(t *testing.T) {
	in := api.In{Raw: []byte(`[{"name":"a"},{"name":"b","odd":1}]`)}
	var items []sample
	if err := DecodeArray(&in, &items); err != nil || len(items) != 2 || items[1].Name.Value != "b" {
		t.Errorf("got %+v, %v", items, err)
	}
	if got := in.Unread(); !slices.Equal(got, []string{"odd"}) {
		t.Errorf("unread: %v", got)
	}
	for _, raw := range []string{`{}`, `null`, `1`} {
		err := DecodeArray(&api.In{Raw: []byte(raw)}, &items)
		if want := `400 {"code":400,"description":"Invalid input format","message":"Bad Request"}`; err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", raw, err, want)
		}
	}
}
