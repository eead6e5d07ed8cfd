package client

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

var (
	fabric = uuid.MustParse("6b3c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10")
	colour = uuid.MustParse("6b3c1c52-5f0e-4f7e-9a55-0d3b6f1f2a11")
)

func TestFieldValueHasTwoForms(t *testing.T) {
	for _, test := range []struct {
		json string
		want FieldValue
	}{
		{`"cotton"`, FieldValue{Value: "cotton"}},
		{`{"value":"cotton","created":true}`, FieldValue{Value: "cotton", Created: new(true)}},
		{`{"value":"wool","created":false,"error":"duplicated"}`, FieldValue{Value: "wool", Created: new(false), Error: "duplicated"}},
		{`{"value":"silk","created":true,"rank":1}`, FieldValue{Value: "silk", Created: new(true), Extra: Extra{"rank": []byte("1")}}},
	} {
		var v FieldValue
		if err := wire.Unmarshal([]byte(test.json), &v); err != nil {
			t.Fatal(err)
		}
		if v.Value != test.want.Value || v.Error != test.want.Error || (v.Created == nil) != (test.want.Created == nil) || v.Created != nil && *v.Created != *test.want.Created {
			t.Errorf("%s reads as %+v, want %+v", test.json, v, test.want)
		}
		if back, err := wire.Marshal(v); err != nil || string(back) != test.json {
			t.Errorf("%s is written as %s, %v", test.json, back, err)
		}
	}
	var v FieldValue
	if err := wire.Unmarshal([]byte(`[7]`), &v); err == nil {
		t.Errorf("[7] reads as %+v, want an error", v)
	}
}

func TestCustomFieldTellsRefusedValues(t *testing.T) {
	f := CustomField{Values: []FieldValue{{Value: "a", Created: new(true)}, {Value: "b", Created: new(false), Error: "duplicated"}, {Value: "c", Created: new(false)}}}
	if got := f.Refused(); len(got) != 1 || got[0].Value != "b" {
		t.Errorf("got %+v, want b", got)
	}
}

// The members of each kind of owner, as the contract names them.
func TestCustomFieldOwnersAreNamedByTheirKind(t *testing.T) {
	for owner, member := range map[FieldOwner]string{
		FieldOwnerProduct: "products", FieldOwnerVariant: "product-variants", FieldOwnerCustomer: "customers", FieldOwnerCategory: "categories", FieldOwnerOrder: "orders",
	} {
		data := `{"owner_resource":"` + string(owner) + `","` + member + `":[{"id":"7","value":42}],"newer":1}`
		var o CustomFieldOwners
		if err := wire.Unmarshal([]byte(data), &o); err != nil {
			t.Fatal(err)
		}
		if len(o.Owners) != 1 || o.Owners[0].ID != 7 || o.Owners[0].Value != "42" || len(o.Extra) != 1 {
			t.Errorf("%s: got %+v", owner, o)
		}
		back, err := wire.Marshal(o)
		if err != nil || !strings.Contains(string(back), `"`+member+`":[{"id":7,"value":"42"}]`) || !strings.Contains(string(back), `"newer":1`) {
			t.Errorf("%s: written as %s, %v", owner, back, err)
		}
		var bare CustomFieldOwners
		if err := wire.Unmarshal([]byte(`{"`+member+`":[{"id":7}]}`), &bare); err != nil || len(bare.Owners) != 1 || !owner.Known() {
			t.Errorf("%s: without owner_resource: got %+v, %v", owner, bare, err)
		}
	}
}

func TestCustomFieldInputIsChecked(t *testing.T) {
	long := strings.Repeat("é", 61)
	for _, test := range []struct {
		name  string
		owner FieldOwner
		in    CustomFieldInput
		want  string
	}{
		{"text", FieldOwnerOrder, CustomFieldInput{Name: "A", ValueType: ValueTypeText}, ""},
		{"no name", FieldOwnerOrder, CustomFieldInput{ValueType: ValueTypeText}, `name: "": must be a name`},
		{"no type", FieldOwnerOrder, CustomFieldInput{Name: "A"}, `value_type: "": must be text_list`},
		{"another type", FieldOwnerOrder, CustomFieldInput{Name: "A", ValueType: "colour"}, `value_type: "colour": must be text_list`},
		{"a list of nothing", FieldOwnerOrder, CustomFieldInput{Name: "A", ValueType: ValueTypeTextList}, `values: "0": must be the values`},
		{"name of 60", FieldOwnerProduct, CustomFieldInput{Name: long[2:], ValueType: ValueTypeNumeric}, ""},
		{"name of 61", FieldOwnerProduct, CustomFieldInput{Name: long, ValueType: ValueTypeNumeric}, `name: "éé`},
		{"name of 61 of a customer", FieldOwnerCustomer, CustomFieldInput{Name: long, ValueType: ValueTypeNumeric}, ""},
		{"description of 150", FieldOwnerProduct, CustomFieldInput{Name: "A", ValueType: ValueTypeDate, Description: strings.Repeat("d", 150)}, ""},
		{"description of 151", FieldOwnerProduct, CustomFieldInput{Name: "A", ValueType: ValueTypeDate, Description: strings.Repeat("d", 151)}, `description: "ddd`},
		{"value of 250", FieldOwnerProduct, CustomFieldInput{Name: "A", ValueType: ValueTypeTextList, Values: []string{strings.Repeat("v", 250)}}, ""},
		{"value of 251", FieldOwnerProduct, CustomFieldInput{Name: "A", ValueType: ValueTypeTextList, Values: []string{"a", strings.Repeat("v", 251)}}, `values[1]: "vvv`},
	} {
		t.Run(test.name, func(t *testing.T) { refusal(t, test.in.check(test.owner), test.want) })
	}
}

// One method calls the same endpoint of five kinds of record.
func TestCustomFieldServiceRequests(t *testing.T) {
	ctx, id := t.Context(), fabric.String()
	for owner, path := range map[FieldOwner]string{
		FieldOwnerProduct: "/products", FieldOwnerVariant: "/products/variants", FieldOwnerCustomer: "/customers", FieldOwnerCategory: "/categories", FieldOwnerOrder: "/orders",
	} {
		at := "/v1/123" + path
		requests(t, VersionV1, func(v *engine.Service) *CustomFieldService { return (*CustomFieldService)(v.For(string(owner))) }, []request[CustomFieldService]{
			{"POST " + at + `/custom-fields {"name":"Fabric","value_type":"text","read_only":false,"values":[]}`, `{"id":"6b3c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10"}`, func(s *CustomFieldService) error {
				_, err := s.Create(ctx, CustomFieldInput{Name: "Fabric", ValueType: ValueTypeText})
				return err
			}},
			{"GET " + at + "/custom-fields", `[]`, func(s *CustomFieldService) error { _, err := s.List().Page(ctx); return err }},
			{"GET " + at + "/custom-fields/" + id, `{"id":"6b3c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10"}`, func(s *CustomFieldService) error { _, err := s.Get(ctx, fabric); return err }},
			{"PUT " + at + "/custom-fields/" + id + ` {"values":["silk"]}`, `{"id":"6b3c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10"}`, func(s *CustomFieldService) error { _, err := s.AddValues(ctx, fabric, "silk"); return err }},
			{"DELETE " + at + "/custom-fields/" + id, ``, func(s *CustomFieldService) error { return s.Delete(ctx, fabric) }},
			{"GET " + at + "/42/custom-fields", `[]`, func(s *CustomFieldService) error { _, err := s.Values(42).Page(ctx); return err }},
			{"PUT " + at + "/42/custom-fields/values " + `[{"id":"` + id + `","value":"cotton"},{"id":"` + colour.String() + `","value":null}]`, ``, func(s *CustomFieldService) error {
				return s.SetValues(ctx, 42, CustomFieldSetting{fabric, Set("cotton")}, CustomFieldSetting{colour, Null[string]()})
			}},
			{"GET " + at + "/custom-fields/" + id + "/owners", `{"id":"6b3c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10"}`, func(s *CustomFieldService) error { _, err := s.Owners(ctx, fabric); return err }},
		})
	}
	products := func(v *engine.Service) *CustomFieldService {
		return (*CustomFieldService)(v.For(string(FieldOwnerProduct)))
	}
	refused(t, VersionV1, products, map[string]func(*CustomFieldService) error{
		"name: ":      func(s *CustomFieldService) error { _, err := s.Create(ctx, CustomFieldInput{}); return err },
		`values: "0"`: func(s *CustomFieldService) error { _, err := s.AddValues(ctx, fabric); return err },
		"values[0]: ": func(s *CustomFieldService) error {
			_, err := s.AddValues(ctx, fabric, strings.Repeat("v", 251))
			return err
		},
		`values: "0": m`: func(s *CustomFieldService) error { return s.SetValues(ctx, 42) },
		"[0].id: ":       func(s *CustomFieldService) error { return s.SetValues(ctx, 42, CustomFieldSetting{Value: Set("a")}) },
		"[0].value: ":    func(s *CustomFieldService) error { return s.SetValues(ctx, 42, CustomFieldSetting{ID: fabric}) },
		"[1].id: ": func(s *CustomFieldService) error {
			return s.SetValues(ctx, 42, CustomFieldSetting{fabric, Set("a")}, CustomFieldSetting{fabric, Set("b")})
		},
	})
}

// A value that a lost attempt had added is called a duplicate of itself by the
// platform, but not by the client. Others stay refused.
func TestAddValuesAfterALostAnswer(t *testing.T) {
	const answer = `{"id":"6b3c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10","values":[{"value":"old","created":false,"error":"duplicated"},{"value":"silk","created":false,"error":"The custom field value with key is duplicated: silk"},
		{"value":"long","created":false,"error":"The value is not a number"}]}` // which was once forgiven, too
	for lost, want := range map[int][]string{0: {"old", "silk", "long"}, 1: {"old", "long"}} {
		attempts := 0
		v := view(t, VersionV1, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			if attempts++; attempts <= lost {
				return nil, io.ErrUnexpectedEOF
			}
			return respond(r, strings.NewReader(answer), int64(len(answer))), nil
		}))
		f, err := (*CustomFieldService)(v.For(string(FieldOwnerOrder))).AddValues(t.Context(), fabric, "silk", "long")
		if err != nil {
			t.Fatal(err)
		}
		var refused []string
		for _, value := range f.Refused() {
			refused = append(refused, value.Value)
		}
		if !slices.Equal(refused, want) || attempts != lost+1 {
			t.Errorf("with %d answers lost: refused %v after %d attempts, want %v", lost, refused, attempts, want)
		}
	}
}

// Half an answer to AddValues means that the values were added: the field is read.
func TestAddValuesWithHalfAnAnswer(t *testing.T) {
	for stored, want := range map[string]error{`{"id":"6b3c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10","values":["old","silk"]}`: nil, ``: ErrOutcomeUnknown} {
		var methods []string
		v := view(t, VersionV1, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			methods = append(methods, r.Method)
			if r.Method == http.MethodPut {
				return respond(r, io.MultiReader(strings.NewReader(`{"val`), iotest.ErrReader(io.ErrUnexpectedEOF)), 500), nil
			}
			return respond(r, strings.NewReader(stored), int64(len(stored))), nil
		}))
		f, err := (*CustomFieldService)(v.For(string(FieldOwnerOrder))).AddValues(t.Context(), fabric, "silk")
		if !errors.Is(err, want) || want == nil && len(f.Values) != 2 || !slices.Equal(methods, []string{"PUT", "GET"}) {
			t.Errorf("with %q stored: got %+v, %v after %v, want %v after PUT, GET", stored, f, err, methods, want)
		}
	}
}
