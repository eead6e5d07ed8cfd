package body

import (
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// parcel is read member by member, from each kind of value.
func parcel(in *api.In, solid bool) (names []string, weight decimal.Decimal, err error) {
	b, err := Read(in)
	if err != nil {
		return nil, weight, err
	}
	if solid {
		b = b.Solid()
	}
	fragile := false
	b.Bool("fragile", &fragile)
	b.Object("box", func(b Members) {
		b.Number("weight", &weight)
	})
	b.List("items", func() { names = nil }, func(b Members) {
		var name string
		b.Need("name", &name)
		names = append(names, name)
	})
	b.Ignore("id")
	return names, weight, b.Done(in).Described()
}

func TestMembers(t *testing.T) {
	for _, tc := range []struct {
		name, raw, want string
		solid           bool
		unread          []string
	}{
		{name: "all of them", raw: `{"id":1,"fragile":true,"box":{"weight":"1.50"},"items":[{"name":"a"}]}`},
		{name: "no body", raw: ` `},
		{name: "no object", raw: `[]`, want: `400 {"error":"Problems parsing JSON"}`},
		{name: "null", raw: `null`, want: `400 {"error":"Problems parsing JSON"}`},
		{name: "null members", raw: `{"fragile":null,"box":null,"items":null}`},
		{name: "unread", raw: `{"z":1,"box":{"b":1,"a":2},"items":[{"name":"a","c":3}]}`,
			unread: []string{"box.a", "box.b", "items.0.c", "z"}},
		{name: "wrong types", raw: `{"fragile":1,"box":[],"items":{}}`, want: described(
			`"box":["must be an object"],"fragile":["must be a boolean value"],"items":["must be an array"]`)},
		{name: "dotted paths", raw: `{"box":{"weight":"heavy"},"items":[{"name":"a"},{"name":""},{},7]}`, want: described(
			`"box.weight":["must be a number"],"items.1.name":["should not be empty"],` +
				`"items.2.name":["should not be empty","must be a string"],"items.3":["must be an object"]`)},
		{name: "solid", raw: `{"fragile":null,"box":null,"items":[null]}`, solid: true, want: described(
			`"box":["must be an object"],"fragile":["must be a boolean value"],"items.0":["must be an object"]`)},
		{name: "solid list", raw: `{"items":null}`, solid: true, want: described(`"items":["must be an array"]`)},
	} {
		in := &api.In{Raw: []byte(tc.raw)}
		_, _, err := parcel(in, tc.solid)
		if got := text(err); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
		if got := in.Unread(); tc.want == "" && !slices.Equal(got, tc.unread) {
			t.Errorf("%s: unread %q, want %q", tc.name, got, tc.unread)
		}
	}
}

func described(messages string) string {
	return `400 {"description":"Validation error","messages":{` + messages + `}}`
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestReadArray(t *testing.T) {
	for raw, want := range map[string]string{
		`[{"id":"a"},{"id":"b"}]`: "",
		``:                        described(`"ids":["should not be empty"]`),
		`[]`:                      described(`"ids":["should not be empty"]`),
		`{}`:                      described(`"ids":["must be an array"]`),
		`[{},{},{}]`:              described(`"ids":["must contain no more than 2 elements"]`),
		`[{"id":"a"},3]`:          described(`"ids.1":["must be an object"]`),
	} {
		wrong := ReadArray(&api.In{Raw: []byte(raw)}, "ids", 2, func(b Members) { b.Ignore("id") })
		if got := text(wrong.Described()); got != want {
			t.Errorf("%s: got %s, want %s", raw, got, want)
		}
	}
}

func TestRequired(t *testing.T) {
	for raw, refused := range map[string]bool{`{}`: true, `{"a":null}`: true, `{"a":""}`: true, `{"a":" "}`: false, `{"a":0}`: false} {
		b, err := Read(&api.In{Raw: []byte(raw)})
		if err != nil {
			t.Fatal(err)
		}
		b.Required("a", func() {})
		if b.Refused("a") != refused {
			t.Errorf("%s: refused %v, want %v", raw, !refused, refused)
		}
	}
}

// TestNumberStays: a number that is equal to what is there leaves how it was written.
func TestNumberStays(t *testing.T) {
	b, err := Read(&api.In{Raw: []byte(`{"same":"2.0","other":"2.50"}`)})
	if err != nil {
		t.Fatal(err)
	}
	same, other := decimal.RequireFromString("2.000"), decimal.RequireFromString("2")
	b.Number("same", &same)
	b.Number("other", &other)
	if same.Exponent() != -3 || other.StringFixed(2) != "2.50" {
		t.Errorf("got %s and %s", same.StringFixed(3), other)
	}
}
