package client

import (
	"testing"

	"github.com/oklog/ulid/v2"
)

func TestUpdateStockPrice(t *testing.T) {
	v, seen := answering(t, VersionV1, `[{"id":53786462,"variants":[{"id":147085180,"success":true},{"id":147085181,"success":false,"reason":"gone"}]}]`)
	got, err := (*ProductService)(v).UpdateStockPrice(t.Context(), []StockPrice{{ProductID: 53786462, Variants: []VariantStockPrice{
		{VariantID: 147085180, Price: Set(MustMoney("1000")), InventoryLevels: []InventoryLevelInput{{LocationID: ulid.MustParse("01GQ2ZHK064BQRHGDB7CCV0Y6N"), Stock: 300}}},
		{VariantID: 147085181, Price: Null[Money]()},
		{VariantID: 147085182, InventoryLevels: []InventoryLevelInput{{}}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	want := `PATCH /v1/123/products/stock-price [{"id":53786462,"variants":[` +
		`{"id":147085180,"inventory_levels":[{"location_id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","stock":300}],"price":1000.00},` +
		`{"id":147085181,"price":null},{"id":147085182,"inventory_levels":[{"stock":0}]}]}]`
	if x := (*seen)[0].String(); x != want {
		t.Errorf("asked\n%s, want\n%s", x, want)
	}
	if len(got) != 1 || got[0].ProductID != 53786462 || !got[0].Variants[0].Success || got[0].Variants[1].Success {
		t.Errorf("got %+v", got)
	}
	if reason := string(got[0].Variants[1].Extra["reason"]); reason != `"gone"` {
		t.Errorf("reason = %s, want it kept", reason)
	}
}

func TestUpdateStockPriceIsChecked(t *testing.T) {
	fifty := make([]VariantStockPrice, 50)
	for i := range fifty {
		fifty[i].VariantID = ID(i + 1)
	}
	one := []VariantStockPrice{{VariantID: 1}}
	for _, test := range []struct {
		name string
		in   []StockPrice
		want string
	}{
		{"50 variants", []StockPrice{{1, fifty}}, ""},
		{"51 variants of two products", []StockPrice{{1, fifty}, {2, one}}, `variants: "51": must be 1 to 50 variants over all products`},
		{"none", nil, `variants: "0": must be 1 to 50 variants`},
		{"a product without variants", []StockPrice{{1, one}, {2, nil}}, `[1].variants: "0": must be at least one variant`},
		{"no product", []StockPrice{{0, one}}, `[0].id: "0": must be the id of a product`},
		{"no variant", []StockPrice{{1, []VariantStockPrice{{}}}}, `[0].variants[0].id: "0": must be the id of a variant`},
		{"price of three decimals", []StockPrice{{1, []VariantStockPrice{{VariantID: 1, Price: Set(MustMoney("0.005"))}}}}, `[0].variants[0].price: "0.005": must be two decimals at most`},
		{"negative price", []StockPrice{{1, []VariantStockPrice{{VariantID: 1, Price: Set(Cents(-1))}}}}, `[0].variants[0].price: "-0.01": must be 0 or more`},
		{"negative stock", []StockPrice{{1, []VariantStockPrice{{VariantID: 1, InventoryLevels: []InventoryLevelInput{{Stock: -1}}}}}},
			`[0].variants[0].inventory_levels[0].stock: "-1": must be 0 or more`},
	} {
		t.Run(test.name, func(t *testing.T) { refusal(t, checkStockPrices(test.in), test.want) })
	}
}
