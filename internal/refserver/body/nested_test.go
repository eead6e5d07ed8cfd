package body

import (
	"maps"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type place struct {
	City Opt[Text] `json:"city"`
}

type route struct {
	From  Nested[place] `json:"from"`
	Stops List[place]   `json:"stops"`
	Info  Known[place]  `json:"info"`
}

func TestNestedObjects(t *testing.T) {
	for _, tc := range []struct {
		raw, want string
		unread    []string
	}{
		{raw: `{}`},
		{raw: `{"from":null,"stops":null}`},
		{raw: `{"from":{"city":7,"zip":1},"stops":[{"town":1}],"info":{"city":1,"land":2}}`,
			unread: []string{"from.zip", "info.land", "stops.town"}},
		{raw: `{"from":[]}`, want: `422 {"from":["is invalid"]}`},
		{raw: `{"stops":[null]}`, want: `422 {"stops":["is invalid"]}`},
		{raw: `{"stops":7}`, want: `422 {"stops":["is invalid"]}`},
		{raw: `{"stops":[{"city":{}}]}`, want: `422 {"city":["is invalid"]}`},
	} {
		in := &api.In{Raw: []byte(tc.raw)}
		var b route
		err := Decode(in, &b)
		if err == nil {
			_, err = b.From.Read(in, "from")
		}
		if err == nil {
			_, err = b.Stops.Read(in, "stops")
		}
		if got := text(err); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.raw, got, tc.want)
		}
		if got := in.Unread(); tc.want == "" && !slices.Equal(got, tc.unread) {
			t.Errorf("%s: unread %q, want %q", tc.raw, got, tc.unread)
		}
	}
}

func TestTypesOfMembers(t *testing.T) {
	st := world.Store{MainLanguage: "es", Languages: []world.Language{{Code: "es"}, {Code: "pt"}}}
	var b struct {
		Plain    Texts     `json:"plain"`
		By       Texts     `json:"by"`
		None     Texts     `json:"none"`
		Digits   Text      `json:"digits"`
		Trimmed  Text      `json:"trimmed"`
		Verbatim Verbatim  `json:"verbatim"`
		ID       Reference `json:"id"`
		Record   Reference `json:"record"`
		Extra    Extra     `json:"extra"`
		Empty    Extra     `json:"empty"`
	}
	raw := `{"plain":"hola","by":{"pt":"oi","es":null},"none":[],"digits":7,"trimmed":" a ","verbatim":" a ",
		"id":"8","record":{"id":9},"extra":{"k":1},"empty":[ ]}`
	if err := Decode(&api.In{Raw: []byte(raw)}, &b); err != nil {
		t.Fatal(err)
	}
	if got := b.Plain.In(st); !maps.Equal(got, map[string]string{"es": "hola", "pt": "hola"}) {
		t.Errorf("plain: got %v", got)
	}
	if got := b.By.In(st); !maps.Equal(got, map[string]string{"pt": "oi"}) || b.By.One(st) != "oi" || len(b.None.In(st)) > 0 {
		t.Errorf("by language: got %v, %q, %v", got, b.By.One(st), b.None.In(st))
	}
	if b.Digits != "7" || b.Trimmed != "a" || b.Verbatim != " a " || b.ID != 8 || b.Record != 9 {
		t.Errorf("got %+v", b)
	}
	if string(b.Extra.Members["k"]) != "1" || !b.Empty.Present || len(b.Empty.Members) > 0 {
		t.Errorf("extra: got %+v, %+v", b.Extra, b.Empty)
	}
	for member, value := range map[string]string{"by": `["x"]`, "digits": `true`, "verbatim": `{}`, "id": `"x"`, "extra": `[1]`} {
		err := Decode(&api.In{Raw: []byte(`{"` + member + `":` + value + `}`)}, &b)
		if want := `422 {"` + member + `":["is invalid"]}`; text(err) != want {
			t.Errorf("%s: got %s, want %s", member, text(err), want)
		}
	}
}
