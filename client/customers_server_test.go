package client_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func TestCustomersAgainstTheServer(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()
	ana := must[*client.Customer](t)(v202503.Customers(c).Create(ctx, client.CustomerInput{
		Name: "Ana Paz", Email: "ana@example.com", Phone: client.Set("+5493415550100"), SendEmailInvite: true, Password: "s3cret99",
		Addresses: []client.CustomerAddressInput{{
			Name: "Ana", Address: "Mitre", Number: "15", Floor: "2", Locality: "Centro", City: "Rosario", Province: "Santa Fe", Country: "AR", Zipcode: "2000", Phone: "5550100", Default: client.Set(true),
		}},
	}))
	if ana.Phone != "+5493415550100" || !ana.Active || !ana.DefaultAddress.Valid || ana.DefaultAddress.V.City != "Rosario" || ana.LastOrderID != nil || len(ana.Extra) > 0 || len(ana.Addresses[0].Extra) > 0 {
		t.Errorf("created %+v", ana)
	}
	ana = must[*client.Customer](t)(v202503.Customers(c).Update(ctx, ana.ID, client.CustomerInput{
		Identification: client.Set("20123"), Note: client.Set("mornings"), Active: client.Set(false), CustomInfo: client.Set(map[string]any{"size": "M"}),
		CustomerBillingInput: client.CustomerBillingInput{
			BillingName: client.Set("Ana"), BillingAddress: client.Set("San Martin"), BillingNumber: client.Set("7"), BillingFloor: client.Set("8"), BillingLocality: client.Set("Norte"),
			BillingZipcode: client.Set("2001"), BillingCity: client.Set("Salta"), BillingProvince: client.Set("Salta"), BillingCountry: client.Set("AR"), BillingPhone: client.Set("5550101"),
		},
	}))
	var shirt string
	if ok, err := ana.CustomInfo.Decode("size", &shirt); !ok || err != nil || shirt != "M" || ana.BillingCity != "Salta" || ana.Identification != "20123" || ana.Name != "Ana Paz" || ana.Active {
		t.Errorf("updated to %+v", ana)
	}
	must[*client.Customer](t)(v202503.Customers(c).Create(ctx, client.CustomerInput{Name: "Bea", Email: "bea@example.com"}))
	for _, f := range []client.CustomerFilter{{Query: "20123"}, {Email: "ana@example.com"}} {
		if found := must[[]client.Customer](t)(v202503.Customers(c).List(f).Collect(ctx)); len(found) != 1 || found[0].ID != ana.ID {
			t.Errorf("%+v found %+v, want %d", f, found, ana.ID)
		}
	}
	crawled := 0
	for _, err := range v202503.Customers(c).List(client.CustomerFilter{}).Since(ctx, ana.ID) {
		if crawled++; err != nil {
			t.Error(err)
		}
	}
	if crawled != 1 {
		t.Errorf("%d customers behind the first, want 1", crawled)
	}
	if err := v202503.Customers(c).Delete(ctx, ana.ID); err != nil {
		t.Error(err)
	}
	if _, err := v202503.Customers(c).Get(ctx, ana.ID); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("deleted: got %v, want ErrNotFound", err)
	}
	if _, err := v1.Customers(srv.Client("read_products")).List(client.CustomerFilter{}).Page(ctx); !errors.Is(err, client.ErrForbidden) {
		t.Errorf("without scope: got %v, want ErrForbidden", err)
	}
	allRead(t, srv)
}

func TestCouponsAgainstTheServer(t *testing.T) {
	srv := newServer(t)
	api, ctx := srv.Client(), t.Context()
	mugs := must[*client.Category](t)(v1.Categories(api).Create(ctx, client.CategoryInput{Name: client.Text{"en": "Mugs"}}))
	c := must[*client.Coupon](t)(v1.Coupons(api).Create(ctx, client.CouponInput{
		Code: "SUMMER10", Type: client.CouponPercentage, Value: client.Set(client.Cents(1000)), Valid: client.Set(true),
		StartDate: client.Set(client.Date{Year: 2030, Month: 1, Day: 2}), EndDate: client.Set(client.Date{Year: 2030, Month: 12, Day: 31}),
		MaxUses: client.Set(client.Int(7)), MinPrice: client.Set(client.Cents(15050)), Categories: client.Set([]client.ID{mugs.ID}),
		IncludesShipping: client.Set(true), FirstConsumerPurchase: client.Set(true), CombinesWithOtherDiscounts: client.Set(false), OnlyCheapestShipping: client.Set(true),
	}))
	if c.Used != nil || c.StartDate.String() != "2030-01-02" || *c.MaxUses != 7 || !c.MinPrice.Equal(client.Cents(15050)) || c.CombinesWithOtherDiscounts || len(c.Categories) != 1 || c.Categories[0].ID != mugs.ID || len(c.Extra) > 0 {
		t.Errorf("created %+v", c)
	}
	ship := must[*client.Coupon](t)(v1.Coupons(api).Create(ctx, client.CouponInput{Code: "SHIP", Type: client.CouponShipping}))
	for name, f := range map[string]client.CouponFilter{
		"code": {Query: "SUMMER"}, "start": {MinStartDate: client.Date{Year: 2030, Month: 1, Day: 1}, MaxStartDate: client.Date{Year: 2030, Month: 1, Day: 3}},
		"end": {MinEndDate: client.Date{Year: 2030, Month: 12, Day: 1}, MaxEndDate: client.Date{Year: 2031, Month: 1, Day: 1}}, "uses": {Limitation: client.CouponLimitationQuantity},
		"cart": {Limitation: client.CouponLimitationCartValue}, "categories": {Limitation: client.CouponLimitationCategories}, "term": {Term: client.CouponTermLimited},
		"kind": {Discount: client.CouponPercentage}, "shipping": {IncludesShipping: client.Set(true)},
	} {
		if found := must[[]client.Coupon](t)(v1.Coupons(api).List(f).Collect(ctx)); len(found) != 1 || found[0].ID != c.ID {
			t.Errorf("by %s: found %+v, want %d", name, found, c.ID)
		}
	}
	sorted := must[[]client.Coupon](t)(v1.Coupons(api).List(client.CouponFilter{Sort: client.CouponSortAlphaAscending}).Collect(ctx))
	if len(sorted) != 2 || sorted[0].ID != ship.ID {
		t.Errorf("by code: %+v, want SHIP first", sorted)
	}
	c = must[*client.Coupon](t)(v1.Coupons(api).Update(ctx, c.ID, client.CouponInput{Valid: client.Set(false), MaxUses: client.Null[client.Int](), EndDate: client.Null[client.Date](), MinPrice: client.Null[client.Money]()}))
	if c.Valid || c.MaxUses != nil || !c.EndDate.IsZero() || c.Code != "SUMMER10" {
		t.Errorf("updated to %+v", c)
	}
	if found := must[[]client.Coupon](t)(v1.Coupons(api).List(client.CouponFilter{Status: client.CouponDeactivated, Valid: client.Set(false)}).Collect(ctx)); len(found) != 1 || found[0].ID != c.ID {
		t.Errorf("deactivated: %+v, want %d", found, c.ID)
	}
	if _, err := v1.Coupons(api).Create(ctx, client.CouponInput{Code: "SHIP", Type: client.CouponShipping}); !errors.Is(err, client.ErrValidation) {
		t.Errorf("the same code again: got %v, want ErrValidation", err)
	}
	if err := v1.Coupons(api).Delete(ctx, ship.ID); err != nil {
		t.Error(err)
	}
	allRead(t, srv)
}

func TestLocationsAgainstTheServer(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()
	first := must[[]client.Location](t)(v202503.Locations(c).List().Collect(ctx))
	rosario := client.LocationAddressInput{
		Zipcode: "2000", Street: "Mitre", Number: "15", Floor: "1", Locality: "Centro", City: "Rosario", Reference: "blue door", BetweenStreets: "A y B",
		Province: client.NamedInput{Name: "Santa Fe", Code: "S"}, Region: client.NamedInput{Name: "Litoral", Code: "LIT"}, Country: client.NamedInput{Name: "Argentina", Code: "AR"},
	}
	south := must[*client.Location](t)(v202503.Locations(c).Create(ctx, client.LocationInput{Name: client.Text{"es_AR": "Sur"}, Address: client.Set(rosario)}))
	if south.Address.Reference != "blue door" || south.Address.Country.Code != "AR" || len(south.Tags) != 2 || len(south.Extra)+len(south.Address.Extra) > 0 {
		t.Errorf("created %+v", south)
	}
	south = must[*client.Location](t)(v202503.Locations(c).Update(ctx, south.ID, client.LocationInput{Name: client.Text{"es_AR": "Sur 2"}, Address: client.Set(rosario), Tags: []client.LocationTag{client.LocationOffline}}))
	if south.Name.Get("es_AR") != "Sur 2" || !slices.Equal(south.Tags, []client.LocationTag{client.LocationOffline}) {
		t.Errorf("updated to %+v", south)
	}
	if named := must[*client.Location](t)(v202503.Locations(c).Update(ctx, south.ID, client.LocationInput{Name: client.Text{"es_AR": "Sur 3"}})); !slices.Equal(named.Tags, south.Tags) {
		t.Errorf("an update without tags: got %v, want %v as the comment says", named.Tags, south.Tags)
	}
	chosen := must[*client.Location](t)(v202503.Locations(c).MakeDefault(ctx, south.ID))
	if !chosen.IsDefault || chosen.Priority != 0 {
		t.Errorf("chosen as default: %+v", chosen)
	}
	if _, err := v202503.Locations(c).MakeDefault(ctx, south.ID); err == nil {
		t.Error("the default was chosen again")
	}
	order := []client.LocationPriority{{ID: south.ID, Priority: client.Int(len(first))}}
	for i, l := range first {
		order = append(order, client.LocationPriority{ID: l.ID, Priority: client.Int(i)})
	}
	if stored := must[[]client.LocationPriority](t)(v202503.Locations(c).Prioritize(ctx, order)); len(stored) != len(order) {
		t.Errorf("priorities: got %v, want %v", stored, order)
	}
	if got := must[*client.Location](t)(v202503.Locations(c).Get(ctx, first[0].ID)); !got.IsDefault {
		t.Errorf("priority 0: %+v, want the default", got)
	}
	if err := v202503.Locations(c).Delete(ctx, first[0].ID); err == nil {
		t.Error("the default was deleted")
	}
	if err := v202503.Locations(c).Delete(ctx, south.ID); err != nil {
		t.Error(err)
	}
	mug := must[*client.Product](t)(v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Plain("Mug"), Attributes: size, Variants: []client.VariantInput{
		{Values: little, Stock: client.Set(client.Stock(3))}, {Values: middle, Stock: client.Set(client.Stock(4))},
	}}))
	levels := must[[]client.InventoryLevel](t)(v202503.Locations(c).Levels(first[0].ID, client.InventoryLevelFilter{}).Collect(ctx))
	if len(levels) != 2 || *levels[0].Stock+*levels[1].Stock != 7 || levels[0].LocationID != first[0].ID {
		t.Errorf("levels: %+v, want 3 and 4", levels)
	}
	one := must[[]client.InventoryLevel](t)(v202503.Locations(c).Levels(first[0].ID, client.InventoryLevelFilter{VariantID: mug.Variants[1].ID}).Collect(ctx))
	if len(one) != 1 || *one[0].Stock != 4 {
		t.Errorf("level of one variant: %+v, want 4", one)
	}
	page := must[*client.Page[client.InventoryLevel]](t)(v202503.Locations(c).Levels(first[0].ID, client.InventoryLevelFilter{}).Page(ctx))
	if len(page.Items) != 1 || page.Total != 2 || !page.Next() {
		t.Errorf("a page: %+v, want 1 of 2", page)
	}
	allRead(t, srv)
}

// A server that insists on what is documented took no default location: its PATCH has no body, and had no Content-Type.
func TestMakeDefaultOnAStrictServer(t *testing.T) {
	srv := newServer(t, clienttest.Options{Demo: true, Strict: true})
	c, ctx := srv.Client(), t.Context()
	locations := must[[]client.Location](t)(v202503.Locations(c).List().Collect(ctx))
	chosen := must[*client.Location](t)(v202503.Locations(c).MakeDefault(ctx, locations[1].ID))
	if !chosen.IsDefault {
		t.Errorf("got %+v, want the default location", chosen)
	}
}
