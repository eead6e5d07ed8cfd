package client

import (
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
	"github.com/oklog/ulid/v2"
)

func TestVariantReadsNullsAsNone(t *testing.T) {
	var v Variant
	err := wire.Unmarshal([]byte(`{"id":1,"image_id":null,"price":null,"promotional_price":null,"stock":null,"weight":null,"width":"0.00",
		"sku":null,"barcode":null,"mpn":null,"age_group":null,"gender":null,"cost":null,"values":[]}`), &v)
	if err != nil {
		t.Fatal(err)
	}
	if v.ImageID != nil || v.Price != nil || v.PromotionalPrice != nil || v.Stock != nil || v.SKU != nil || v.Barcode != nil || v.MPN != nil || v.Cost != nil || v.Visible != nil {
		t.Errorf("got %+v, want nil pointers", v)
	}
	if v.Weight != "" || v.Width != "0.00" || v.AgeGroup != "" || v.Gender != "" {
		t.Errorf("got %+v", v)
	}
}

func TestVariantReadsNumbersInEitherForm(t *testing.T) {
	var v Variant
	if err := wire.Unmarshal([]byte(`{"id":"1","price":10.5,"stock":"7","weight":0.25,"cost":10.99,"inventory_levels":[{"location_id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","stock":7}]}`), &v); err != nil {
		t.Fatal(err)
	}
	if v.Price.String() != "10.50" || *v.Stock != 7 || v.Weight != "0.25" || v.Cost.String() != "10.99" || *v.InventoryLevels[0].Stock != 7 {
		t.Errorf("got %+v", v)
	}
}

func TestVariantEnumsOfTheFuture(t *testing.T) {
	var v Variant
	if err := wire.Unmarshal([]byte(`{"age_group":"teen","gender":"other"}`), &v); err != nil {
		t.Fatal(err)
	}
	if v.AgeGroup.Known() || v.Gender.Known() || v.AgeGroup != "teen" {
		t.Errorf("got %q and %q, want them kept as unknown", v.AgeGroup, v.Gender)
	}
}

func TestVariantInputSendsAbsentNullAndValue(t *testing.T) {
	for _, test := range []struct {
		in   any
		want string
	}{
		{VariantInput{}, `{}`},
		{VariantInput{Price: Null[Money](), SKU: Null[string](), ImageID: Null[ID](), Weight: Null[Measure]()}, `{"image_id":null,"price":null,"weight":null,"sku":null}`},
		{VariantInput{Price: Set(Money{}), Stock: Set(Stock(0)), Visible: Set(false)}, `{"price":"0.00","stock":0,"visible":false}`},
		{VariantInput{Stock: Set(StockUnlimited)}, `{"stock":""}`},
		{VariantInput{Weight: Set(Measure("0.250")), Values: []Text{Plain("S"), {"es": "Rojo"}}}, `{"weight":"0.250","values":["S",{"es":"Rojo"}]}`},
		{VariantInput{AgeGroup: Set(AgeGroupKids), Gender: Null[Gender]()}, `{"age_group":"kids","gender":null}`},
		{VariantInput{InventoryLevels: []InventoryLevelInput{{Stock: 6}}}, `{"inventory_levels":[{"stock":6}]}`},
		{VariantPatch{ID: 5, VariantInput: VariantInput{Cost: Set(Cents(100))}}, `{"id":5,"cost":"1.00"}`},
	} {
		if got, err := wire.Marshal(test.in); err != nil || string(got) != test.want {
			t.Errorf("got %s, %v, want %s", got, err, test.want)
		}
	}
}

func TestVariantInputIsChecked(t *testing.T) {
	for _, test := range []struct {
		name string
		in   VariantInput
		want string
	}{
		{"empty", VariantInput{}, ""},
		{"all good", VariantInput{ImageID: Set(ID(1)), Price: Set(Money{}), Cost: Set(Cents(1)), Stock: Set(StockUnlimited), AgeGroup: Set(AgeGroupAdult), Gender: Set(GenderFemale)}, ""},
		{"nulls", VariantInput{ImageID: Null[ID](), Price: Null[Money](), Cost: Null[Money](), Stock: Null[Stock](), AgeGroup: Null[AgeGroup](), Gender: Null[Gender]()}, ""},
		{"image 0", VariantInput{ImageID: Set(ID(0))}, `image_id: "0": must be the id of an image`},
		{"negative price", VariantInput{Price: Set(MustMoney("-0.01"))}, `price: "-0.01": must be 0 or more`},
		// The platform rounds what it cannot keep, and nobody is told of another price than the one that was sent.
		{"price of three decimals", VariantInput{Price: Set(MustMoney("19.995"))}, `price: "19.995": must be two decimals at most`},
		{"promotional price of three decimals", VariantInput{PromotionalPrice: Set(MustMoney("0.001"))}, `promotional_price: "0.001": must be two decimals`},
		{"cost of six decimals", VariantInput{Cost: Set(MustMoney("1.000001"))}, `cost: "1.000001": must be two decimals`},
		{"zeros behind two decimals", VariantInput{Price: Set(MustMoney("19.990000")), PromotionalPrice: Set(MustMoney("100.000")), Cost: Set(MustMoney("5"))}, ""},
		{"cost 0", VariantInput{Cost: Set(Money{})}, `cost: "0.00": must be more than 0`},
		{"negative stock", VariantInput{Stock: Set(Stock(-1))}, `stock: "-1": must be 0 or more, or Unlimited`},
		{"four values", VariantInput{Values: make([]Text, 4)}, `values: "4": must be at most 3 values`},
		{"unknown age group", VariantInput{AgeGroup: Set(AgeGroup("teen"))}, `age_group: "teen": must be newborn`},
		{"unknown gender", VariantInput{Gender: Set(Gender("other"))}, `gender: "other": must be female`},
		{"negative level", VariantInput{InventoryLevels: []InventoryLevelInput{{}, {Stock: -2}}}, `inventory_levels[1].stock: "-2": must be 0 or more`},
	} {
		t.Run(test.name, func(t *testing.T) { refusal(t, test.in.check(), test.want) })
	}
}

func TestReplaceIsChecked(t *testing.T) {
	s, m := VariantInput{Values: []Text{Plain("S")}}, VariantInput{Values: []Text{Plain("M")}}
	for _, test := range []struct {
		name string
		in   []VariantInput
		want string
	}{
		{"two", []VariantInput{s, m}, ""},
		{"none", nil, `variants: "0": must be 1 to 1000 variants`},
		{"1001", make([]VariantInput, 1001), `variants: "1001": must be 1 to 1000 variants`},
		{"no values", []VariantInput{s, {}}, `[1].values: "[]": must be a value for each attribute`},
		{"empty value", []VariantInput{{Values: []Text{{}}}}, `[0].values: "[]": must be a value for each attribute`},
		{"repeated values", []VariantInput{s, m, s}, `[2].values: "[S]": must be values that no other variant`},
		{"repeated in other words", []VariantInput{{Values: []Text{{"es": "S", "en": "s"}}}, {Values: []Text{{"en": "s", "es": "S"}}}}, `[1].values: "[s]": must be values that no other variant`},
		{"bad price", []VariantInput{{Values: s.Values, Price: Set(Cents(-1))}}, `[0].price: "-0.01"`},
	} {
		t.Run(test.name, func(t *testing.T) { refusal(t, checkReplacement(test.in), test.want) })
	}
}

func TestPatchIsChecked(t *testing.T) {
	s := VariantInput{Values: []Text{Plain("S")}}
	for _, test := range []struct {
		name string
		in   []VariantPatch
		want string
	}{
		{"without values", []VariantPatch{{ID: 1}, {ID: 2}}, ""},
		{"none", nil, `variants: "0": must be 1 to 1000 variants`},
		{"no id", []VariantPatch{{ID: 1}, {}}, `[1].id: "0": must be the id of a variant`},
		{"repeated values", []VariantPatch{{1, s}, {2, s}}, `[1].values: "[S]": must be values that no other variant`},
		{"bad gender", []VariantPatch{{1, VariantInput{Gender: Set(Gender("x"))}}}, `[0].gender: "x"`},
	} {
		t.Run(test.name, func(t *testing.T) { refusal(t, checkPatches(test.in), test.want) })
	}
}

func TestVariantFilterBecomesParameters(t *testing.T) {
	q := VariantFilter{Paging: Paging{Page: 3}, SinceID: 5}.query()
	if got, want := q.values.Encode(), "page=3&since_id=5"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestVariantServiceRequests(t *testing.T) {
	ctx := t.Context()
	in := VariantInput{Values: []Text{Plain("S")}}
	at := StockTarget{VariantID: 144, LocationID: ulid.MustParse("01GQ2ZHK064BQRHGDB7CCV0Y6N")}
	requests(t, Version202503, as[VariantService], []request[VariantService]{
		{"GET /2025-03/123/products/42/variants per_page=200", `[]`, func(s *VariantService) error { _, err := s.List(42, VariantFilter{}).Collect(ctx); return err }},
		{`PUT /2025-03/123/products/42/variants [{"values":["S"]}]`, `[]`, func(s *VariantService) error { _, err := s.Replace(ctx, 42, []VariantInput{in}); return err }},
		{`PATCH /2025-03/123/products/42/variants [{"id":7,"values":["S"]}]`, `[]`, func(s *VariantService) error { _, err := s.Patch(ctx, 42, []VariantPatch{{7, in}}); return err }},
		{`POST /2025-03/123/products/42/variants/stock {"action":"replace","value":10}`, `[]`, func(s *VariantService) error { _, err := s.SetStock(ctx, 42, StockTarget{}, 10); return err }},
		{`POST /2025-03/123/products/42/variants/stock {"action":"replace","value":null,"id":144,"location_id":"01GQ2ZHK064BQRHGDB7CCV0Y6N"}`, `[]`,
			func(s *VariantService) error { _, err := s.SetStock(ctx, 42, at, StockUnlimited); return err }},
		{`POST /2025-03/123/products/42/variants/stock {"action":"variation","value":-2,"id":144}`, `[]`,
			func(s *VariantService) error {
				_, err := s.AdjustStock(ctx, 42, StockTarget{VariantID: 144}, -2)
				return err
			}},
	})
}

func TestVariantServiceRefusesBeforeSending(t *testing.T) {
	v, seen := answering(t, VersionV1, `{}`)
	s := (*VariantService)(v)
	_, err := s.Create(t.Context(), 42, VariantInput{})
	refusal(t, err, "values: ")
	_, err = s.Update(t.Context(), 42, 7, VariantInput{Cost: Set(Money{})})
	refusal(t, err, "cost: ")
	_, err = s.Replace(t.Context(), 42, nil)
	refusal(t, err, "variants: ")
	_, err = s.Patch(t.Context(), 42, []VariantPatch{{}})
	refusal(t, err, "[0].id: ")
	_, err = s.SetStock(t.Context(), 42, StockTarget{}, -1)
	refusal(t, err, "value: ")
	if len(*seen) > 0 {
		t.Errorf("asked %v, want nothing", *seen)
	}
}

// A batch that was applied, but whose answer broke off, must not be written twice
// and must not look like a failure.
func TestBatchReadsAgainAfterABrokenAnswer(t *testing.T) {
	var seen []exchange
	v := view(t, VersionV1, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
		seen = append(seen, exchangeOf(t, r))
		if r.Method == http.MethodGet {
			all := `[{"id":7},{"id":8}]`
			resp := respond(r, strings.NewReader(all), int64(len(all)))
			resp.Header.Set("X-Total-Count", "2")
			return resp, nil
		}
		return respond(r, io.MultiReader(strings.NewReader(`[{"id":`), severed{}), 1000), nil
	}))
	got, err := (*VariantService)(v).Replace(t.Context(), 42, []VariantInput{{Values: []Text{Plain("S")}}})
	if err != nil || len(got) != 2 || got[1].ID != 8 {
		t.Errorf("Replace = %v, %v, want the two variants that were read", got, err)
	}
	if len(seen) != 2 || seen[0].method != http.MethodPut || seen[1].method != http.MethodGet {
		t.Errorf("asked %v, want one PUT and one GET", seen)
	}
}

type severed struct{}

func (severed) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestDuplicateVariantIDs(t *testing.T) {
	v := view(t, VersionV1, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
		body := `{"code":422,"message":"Unprocessable Entity","description":"Variants cannot be repeated","duplicate_variant_ids":[7,"8"]}`
		resp := respond(r, strings.NewReader(body), int64(len(body)))
		resp.StatusCode = http.StatusUnprocessableEntity
		return resp, nil
	}))
	_, err := (*VariantService)(v).Patch(t.Context(), 42, []VariantPatch{{ID: 7}})
	if got, want := DuplicateVariantIDs(err), []ID{7, 8}; !reflect.DeepEqual(got, want) {
		t.Errorf("DuplicateVariantIDs(%v) = %v, want %v", err, got, want)
	}
	if got := DuplicateVariantIDs(io.EOF); got != nil {
		t.Errorf("DuplicateVariantIDs of another error = %v, want nil", got)
	}
}
