package client_test

import (
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// A product that was just created has all that it was created with, and what a merchant changes is named.
func TestProductDifferences(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()
	tea := must[*client.Category](t)(v202503.Categories(c).Create(ctx, client.CategoryInput{Name: client.Plain("Tea")}))
	ten := client.Set(client.MustMoney("10.5"))
	in := client.ProductInput{
		Name: client.Text{"en": "Mug"}, Description: client.Plain("<p>Clay</p>"), Handle: client.Text{"en": "the-mug"},
		Variants: []client.VariantInput{
			{Values: little, SKU: client.Set("M-S"), Price: ten, Stock: client.Set(client.Stock(5)), Weight: client.Set(client.Measure("0.25"))},
			{Values: middle, SKU: client.Set("M-M"), Price: ten, Stock: client.Set(client.StockUnlimited), Barcode: client.Null[string]()},
		},
		Images: []client.ImageInput{{Src: "https://img.example/1.png"}}, Categories: client.Set([]client.ID{tea.ID}),
		Brand: client.Set("Potter"), Published: client.Set(false), FreeShipping: client.Set(true),
		VideoURL: client.Set("https://video.example/1"), SEOTitle: client.Plain("Mug"), SEODescription: client.Plain("A mug"),
		Attributes: size, Tags: client.Set(client.JoinTags("clay", "blue")), RequiresShipping: client.Set(true),
	}
	p, made, err := v202503.Products(c).CreateOrGet(ctx, in)
	if err != nil || !made {
		t.Fatalf("made %v, %v", made, err)
	}
	if got := in.Differences(p); got != nil {
		t.Errorf("as it was created: got differences %q of %+v", got, p)
	}
	slices.Reverse(p.Variants)
	if got := in.Differences(p); got != nil || *p.Variants[0].SKU != "M-M" {
		t.Errorf("variants in another order: got differences %q", got)
	}
	must[*client.Product](t)(v202503.Products(c).Update(ctx, p.ID, client.ProductInput{
		Name: client.Text{"en": "Cup", "es": "Taza"}, Published: client.Set(true), Categories: client.Set([]client.ID{}), Brand: client.Null[string](),
	}))
	must[*client.Variant](t)(v202503.Variants(c).Update(ctx, p.ID, p.Variants[0].ID, client.VariantInput{Price: client.Null[client.Money](), Stock: client.Set(client.Stock(3))}))
	changed, made, err := v202503.Products(c).CreateOrGet(ctx, in)
	want := []string{"brand", "categories", "name.en", "published", "variants[1].price", "variants[1].stock"}
	if got := in.Differences(changed); err != nil || made || !slices.Equal(got, want) {
		t.Errorf("after changes: got differences %q, made %v, %v, want %q", got, made, err, want)
	}
	if err := v202503.Variants(c).Delete(ctx, p.ID, p.Variants[0].ID); err != nil {
		t.Fatal(err)
	}
	changed, _, err = v202503.Products(c).CreateOrGet(ctx, in)
	if got := in.Differences(changed); err != nil || !slices.Contains(got, "variants") {
		t.Errorf("with a variant less: got differences %q, %v", got, err)
	}
}

func TestCouponDifferences(t *testing.T) {
	srv := newServer(t)
	api, ctx := srv.Client(), t.Context()
	mugs := must[*client.Category](t)(v202503.Categories(api).Create(ctx, client.CategoryInput{Name: client.Plain("Mugs")}))
	in := client.CouponInput{
		Code: "SUMMER10", Type: client.CouponPercentage, Value: client.Set(client.MustMoney("10")), Valid: client.Set(true),
		StartDate: client.Set(client.Date{Year: 2030, Month: 1, Day: 2}), EndDate: client.Null[client.Date](), MaxUses: client.Set(client.Int(7)),
		MinPrice: client.Set(client.Cents(15050)), Categories: client.Set([]client.ID{mugs.ID}), IncludesShipping: client.Set(true),
		FirstConsumerPurchase: client.Set(true), CombinesWithOtherDiscounts: client.Set(false),
	}
	c, made, err := v202503.Coupons(api).CreateOrGet(ctx, in)
	if err != nil || !made || in.Differences(c) != nil {
		t.Fatalf("made %v, %v, differences %q of %+v", made, err, in.Differences(c), c)
	}
	in.Value, in.MaxUses, in.EndDate = client.Set(client.MustMoney("12.5")), client.Null[client.Int](), client.Set(client.Date{Year: 2031, Month: 1, Day: 2})
	c, made, err = v202503.Coupons(api).CreateOrGet(ctx, in)
	want := []string{"end_date", "max_uses", "value"}
	if got := in.Differences(c); err != nil || made || !slices.Equal(got, want) {
		t.Errorf("made %v, %v, differences %q, want %q", made, err, got, want)
	}
	free := client.CouponInput{Code: "SHIP", Type: client.CouponShipping, Value: client.Null[client.Money]()}
	if c, made, err = v202503.Coupons(api).CreateOrGet(ctx, free); err != nil || !made || free.Differences(c) != nil {
		t.Errorf("a coupon without a value: made %v, %v, differences %q", made, err, free.Differences(c))
	}
}
