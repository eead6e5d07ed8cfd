package document

import (
	"encoding/json"
	"strings"
	"testing"
)

// form is the schema of some JSON values together.
func form(t *testing.T, values ...string) schema {
	t.Helper()
	out := schema{}
	for _, raw := range values {
		v, err := decode([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		out.merge(infer(v))
	}
	return out
}

func TestFormsOfValues(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   string
	}{
		{[]string{`1`}, `{"type":"integer"}`},
		{[]string{`1`, `1.5`}, `{"type":"number"}`},
		{[]string{`null`, `"a"`}, `{"type":["string","null"]}`},
		{[]string{`[]`, `[1,"a"]`}, `{"items":{"type":["integer","string"]},"type":"array"}`},
		{[]string{`{"a":1}`, `{"a":null,"b":[]}`}, `{"properties":{"a":{"type":["integer","null"]},"b":{"type":"array"}},` +
			`"required":["a"],"type":"object"}`},
		{[]string{`{"es":"a"}`, `{"pt_BR":"b","en":null}`}, `{"additionalProperties":{"type":["string","null"]},"type":"object"}`},
	} {
		got, err := json.Marshal(form(t, c.values...))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.values, got, err, c.want)
		}
		var again schema
		if err := json.Unmarshal(got, &again); err != nil {
			t.Fatal(err)
		}
		if lacks := again.lacks("", form(t, c.values...)); lacks != nil {
			t.Errorf("%s: read from JSON it lacks %s", c.values, lacks)
		}
	}
}

// A member that a schema lacks is named, in whatever depth it is.
func TestLacksNamesTheMember(t *testing.T) {
	const known = `{"id":1,"lines":[{"price":"1.00","note":null}],"name":{"es":"a"}}`
	for with, want := range map[string]string{
		known: "",
		`{"id":1,"lines":[{"price":"1.00","note":null,"tax":1}],"name":{}}`: "it.lines[].tax: no such member",
		`{"id":1,"lines":[{"price":1,"note":null}],"name":{}}`:              "it.lines[].price: type integer",
		`{"id":1,"lines":[{"price":"1.00"}],"name":{}}`:                     "it.lines[].note: is not always there",
		`{"id":1,"lines":[],"name":{"es":null}}`:                            "it.name.*: type null",
	} {
		seen, stored := Observed{}, Observed{}
		stored.Note("it", nil, []byte(known))
		seen.Note("it", nil, []byte(with))
		got := strings.Join(stored.Lacks(seen), "\n")
		if got != strings.Replace(want, "it", "it answer", 1) {
			t.Errorf("%s: got %q, want %q", with, got, want)
		}
		stored.Add(seen)
		if got := stored.Lacks(seen); got != nil {
			t.Errorf("%s: after Add it lacks %s", with, got)
		}
	}
}

// The schema of a struct has its members, with the ones that can be null or missing.
func TestTypesOfTheServer(t *testing.T) {
	src := &source{root: root, packages: map[string]*parsed{}}
	for kind, want := range map[string]string{
		"payment.amountJSON": `{"properties":{"currency":{"type":"string"},"value":{"type":"string"}},` +
			`"required":["currency","value"],"type":"object"}`,
		"payment.methodJSON": `{"properties":{"id":{"type":["string","null"]},"type":{"type":"string"}},` +
			`"required":["id","type"],"type":"object"}`,
		"world.Tier":         `{"type":"string"}`,
		"carrier.placeJSON":  "postal_code",            // of an embedded struct
		"rules.customerJSON": `"required":["id"]`,      // the others are left out if they are empty
		"res.categoryJSON":   `"additionalProperties"`, // texts by language
	} {
		is, err := src.of(kind)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(is)
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: got %s, %v, want %s", kind, got, err, want)
		}
	}
	if _, err := src.of("payment.noSuchJSON"); err == nil || !strings.Contains(err.Error(), "noSuchJSON") {
		t.Errorf("a type that does not exist: got %v", err)
	}
}
