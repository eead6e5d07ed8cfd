package res_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// query is a list with a query and the records it has, by their place among those
// that were made. Every parameter of an operation is used by one of them.
type query struct {
	query string
	want  []int
}

// wantQueries plays the queries of an operation and wants each of its parameters
// to be among them.
func (f *shop) wantQueries(op, path string, made []int64, queries []query) {
	f.Helper()
	used := url.Values{}
	for _, q := range queries {
		var want []int64
		for _, i := range q.want {
			want = append(want, made[i])
		}
		f.wantIDs("GET "+path+"?"+q.query, want...)
		values, err := url.ParseQuery(q.query)
		if err != nil {
			f.Fatal(err)
		}
		maps.Copy(used, values)
	}
	for _, o := range res.Ops() {
		if o.ID != op {
			continue
		}
		for _, parameter := range o.Query {
			if !used.Has(parameter) {
				f.Errorf("%s: nothing uses %s", op, parameter)
			}
		}
	}
}

// windows are the queries of a list whose records were made and changed at
// 12:01, 12:02, ... and of which the first was changed at 13:00.
func windows(made []int64) []query {
	last := len(made) - 1
	all := make([]int, len(made))
	for i := range all {
		all[i] = i
	}
	return []query{
		{fmt.Sprint("since_id=", made[0]), all[1:]},
		{"created_at_min=2025-01-01T12:02:00Z", all[1:]},
		{"created_at_max=2025-01-01T12:01:00Z", all[:1]},
		{"created_at_max=2025-01-01T09:01:00-0300", all[:1]},
		{"updated_at_min=2025-01-01T13:00:00%2B00:00", all[:1]},
		{"updated_at_max=2025-01-01T12:59:59", all[1:]},
		{"created_at_min=2025-01-01T12:01:00Z&created_at_max=2025-01-01T12:01:00Z", all[:1]},
		{fmt.Sprint("since_id=", made[last]), nil},
		{"created_at_min=not+a+time", all},
	}
}

// made plays calls a minute apart and changes the first record at 13:00.
func (f *shop) made(call string, bodies []object, change object) []int64 {
	f.Helper()
	var out []int64
	for _, b := range bodies {
		f.clock.Advance(time.Minute)
		out = append(out, id(f.object("2025-03 POST "+call, b)))
	}
	f.clock.Advance(time.Date(2025, 1, 1, 13, 0, 0, 0, time.UTC).Sub(f.clock.Now()))
	f.do(fmt.Sprintf("PUT %s/%d", call, out[0]), change)
	return out
}

func TestProductQueries(t *testing.T) {
	f := open(t)
	k := f.category(object{"name": "K"})
	box := object{"price": "30.00", "weight": "1", "width": 2, "height": "3.5", "depth": 4, "sku": "BOX-1", "stock": 7}
	made := f.made("/products", []object{
		{"name": object{"en": "Zebra box", "es": "Caja"}, "tags": "wood,toy", "categories": array{k}, "variants": array{box}},
		{"name": object{"en": "apple"}, "published": false, "free_shipping": true, "variants": array{object{"price": "10.00", "promotional_price": "9.00", "weight": "0.5", "stock": 2}}},
		{"name": object{"en": "Mango", "es": "zebra box"}, "variants": array{object{"price": "20.00", "width": 1, "height": 1, "depth": 1}}},
		{"name": object{"en": "Quince"}},
	}, object{"brand": "B"})
	f.order(0, func(o *world.Order) { o.Lines = []world.Line{{ProductID: made[2], Quantity: 3}} })
	f.order(0, func(o *world.Order) { o.Lines = []world.Line{{ProductID: made[1], Quantity: 2}} })
	f.order(0, func(o *world.Order) {
		o.Status, o.Lines = "cancelled", []world.Line{{ProductID: made[3], Quantity: 9}}
	})
	f.wantQueries("products.list", "/products", made, append(windows(made), []query{
		{fmt.Sprintf("ids=%d,%d,5,x,%d", made[2], made[0], made[0]), []int{0, 2}},
		{fmt.Sprintf("ids=%d,%d&category_id=%d", made[2], made[0], k), []int{0}},
		{"ids=5", nil},
		{"q=zebra", []int{0, 2}}, {"q=TOY", []int{0}}, {"q=box-1", []int{0}}, {"q=nothing", nil},
		{"handle=zebra-box", []int{0, 2}}, {"handle=zebra-box&language=en", []int{0}}, {"handle=zebra-box&language=es", []int{2}},
		{fmt.Sprint("category_id=", k), []int{0}}, {"category_id=5", nil},
		{"published=true", []int{0, 2, 3}}, {"published=false", []int{1}}, {"published=maybe", []int{0, 1, 2, 3}},
		{"visibility=visible", []int{0, 2, 3}}, {"visibility=hidden", []int{1}}, {"visibility=unlisted", nil},
		{"free_shipping=true", []int{1}}, {"free_shipping=0", []int{0, 2, 3}},
		{"max_stock=2", []int{1}}, {"max_stock=7", []int{0, 1}}, {"min_stock=3", []int{0, 2, 3}}, {"min_stock=3&max_stock=7", []int{0}},
		{"has_promotional_price=true", []int{1}}, {"has_promotional_price=false", []int{0, 2, 3}},
		{"has_weight=true", []int{0, 1}}, {"has_weight=false", []int{2, 3}},
		{"has_all_dimensions=true", []int{0, 2}}, {"has_all_dimensions=false", []int{1, 3}},
		{"has_weight_and_all_dimensions=true", []int{0}}, {"has_weight_and_all_dimensions=false", []int{1, 2, 3}},
		{"sort_by=user", []int{0, 1, 2, 3}}, {"sort_by=nonsense", []int{0, 1, 2, 3}},
		{"sort_by=price-ascending", []int{1, 2, 0, 3}}, {"sort_by=cost-ascending", []int{1, 2, 0, 3}},
		{"sort_by=price-descending", []int{0, 2, 1, 3}}, {"sort_by=cost-descending", []int{0, 2, 1, 3}},
		{"sort_by=alpha-ascending", []int{1, 2, 3, 0}}, {"sort_by=name-ascending", []int{1, 2, 3, 0}},
		{"sort_by=alpha-descending", []int{0, 3, 2, 1}}, {"sort_by=name-descending", []int{0, 3, 2, 1}},
		{"sort_by=created-at-ascending", []int{0, 1, 2, 3}}, {"sort_by=created-at-descending", []int{3, 2, 1, 0}},
		{"sort_by=best-selling", []int{2, 1, 0, 3}},
		{fmt.Sprintf("sort_by=created-at-descending&since_id=%d", made[0]), []int{1, 2, 3}},
	}...))
}

func TestVariantAndImageQueries(t *testing.T) {
	f := open(t)
	p := f.object("POST /products", object{"name": "P", "attributes": array{"Size"}})
	path := fmt.Sprintf("/products/%d/", id(p))
	variants := f.made(path+"variants", []object{{"values": array{"S"}}, {"values": array{"M"}}, {"values": array{"L"}}}, object{"mpn": "1"})
	f.wantQueries("variants.list", path+"variants", variants, windows(variants))
	var images []int64
	for _, name := range []string{"a", "b", "c"} {
		images = append(images, id(f.object("POST "+path+"images", object{"src": "https://img.example/" + name + ".png", "position": 1})))
	}
	src, _ := f.object(fmt.Sprintf("GET %simages/%d", path, images[1]), nil)["src"].(string)
	f.wantQueries("images.list", path+"images", images, []query{
		{"", []int{2, 1, 0}},
		{fmt.Sprint("since_id=", images[0]), []int{1, 2}},
		{"position=1", []int{2}},
		{"src=" + url.QueryEscape(src), []int{1}},
	})
}

func TestCategoryQueries(t *testing.T) {
	f := open(t)
	made := f.made("/categories", []object{{"name": "A"}, {"name": object{"en": "B", "es": "A"}}, {"name": "C"}}, object{"feed_shopping_category": "X > Y"})
	for _, c := range made[1:] {
		f.do(fmt.Sprintf("PUT /categories/%d", c), object{"description": ""})
	}
	f.clock.Advance(time.Minute)
	child := id(f.object("POST /categories", object{"name": "D", "parent": made[0]}))
	// The child and what happened to the others later are out of these windows.
	f.do(fmt.Sprintf("DELETE /categories/%d", child), nil)
	f.wantQueries("categories.list", "/categories", made, append(windows(made), []query{
		{"language=es&handle=a", []int{0}}, {"language=es&handle=a-1", []int{1}}, {"language=en&handle=b", []int{1}},
		{"language=pt&handle=a", nil}, {"language=es", []int{0, 1, 2}},
		{fmt.Sprint("parent_id=", made[0]), nil}, {"parent_id=0", []int{0, 1, 2}},
	}...))
	child = id(f.object("POST /categories", object{"name": "D", "parent": made[0]}))
	f.wantIDs(fmt.Sprint("GET /categories?parent_id=", made[0]), child)
}

func TestCustomerQueries(t *testing.T) {
	f := open(t)
	made := f.made("/customers", []object{
		{"name": "Ana Paz", "email": "ana@mail.example", "identification": "28111"},
		{"name": "Bruno", "email": "BRUNO@mail.example"},
	}, object{"note": "N"})
	f.wantQueries("customers.list", "/customers", made, append(windows(made), []query{
		{"q=paz", []int{0}}, {"q=mail.example", []int{0, 1}}, {"q=8111", []int{0}}, {"q=nobody", nil},
		{"email=bruno@MAIL.example", []int{1}}, {"email=bruno", nil},
	}...))
}

func TestWebhookQueries(t *testing.T) {
	f := open(t)
	made := f.made("/webhooks", []object{
		{"event": "product/created", "url": "https://app.example/a"},
		{"event": "order/created", "url": "https://app.example/a"},
		{"event": "customer/created", "url": "https://app.example/b"},
	}, object{"url": "https://app.example/c"})
	f.send(f.install(world.AllScopes()), "POST /webhooks", object{"event": "product/created", "url": "https://other.example/c"})
	f.wantQueries("webhooks.list", "/webhooks", made, append(windows(made), []query{
		{"url=https://app.example/a", []int{1}}, {"event=product/created", []int{0}}, {"event=order/created&url=https://app.example/c", nil},
	}...))
}

func TestOrderQueries(t *testing.T) {
	f := open(t)
	c := id(f.object("POST /customers", object{"name": "Ana", "email": "ana@mail.example"}))
	var made []int64
	for i, change := range []func(*world.Order){
		func(o *world.Order) { o.AppID, o.PaymentMethod, o.Gateway = 7, "custom", "offline" },
		func(o *world.Order) {
			o.Status, o.PaymentStatus, o.ShippingStatus = "closed", "pending", "fulfilled"
			o.Storefront, o.Total, o.ContactName = "api", decimal.NewFromInt(80), "Zoe"
		},
	} {
		f.clock.Advance(time.Minute)
		customer := int64(0)
		if i == 0 {
			customer = c
		}
		made = append(made, f.order(customer, func(o *world.Order) {
			change(o)
			if i == 0 {
				o.UpdatedAt = time.Date(2025, 1, 1, 13, 0, 0, 0, time.UTC)
			}
		}))
	}
	newestFirst := windows(made)
	for i := range newestFirst {
		newestFirst[i].want = slices.Clone(newestFirst[i].want)
		slices.Reverse(newestFirst[i].want)
	}
	f.wantQueries("orders.list", "/orders", made, append(newestFirst, []query{
		{"", []int{1, 0}}, {"status=any", []int{1, 0}}, {"status=open", []int{0}}, {"status=closed", []int{1}}, {"status=cancelled", nil},
		{"channels=api", []int{1}}, {"channels=store,api", []int{1, 0}}, {"payment_status=paid", []int{0}}, {"shipping_status=fulfilled", []int{1}},
		{"total_min=50.00", []int{1, 0}}, {"total_min=50.01", []int{1}}, {"total_max=80", []int{1, 0}}, {"total_max=79.99", []int{0}},
		{fmt.Sprint("customer_ids=5,", c), []int{0}}, {"q=101", []int{1}}, {"q=zoe", []int{1}}, {"q=ANA@mail", []int{0}},
		{"app_id=7", []int{0}}, {"payment_methods=custom", []int{0}}, {"payment_provider=offline", []int{0}}, {"aggregates=fulfillment_orders", []int{1, 0}},
	}...))
}

// A crawl by id goes up; every other list of orders begins with the newest.
func TestOrdersSinceAnIDAscend(t *testing.T) {
	f := open(t)
	var made []int64
	for range 3 {
		made = append(made, f.order(0, func(*world.Order) {}))
	}
	f.wantIDs(fmt.Sprintf("GET /orders?since_id=%d", made[0]), made[1], made[2])
	f.wantIDs("GET /orders", made[2], made[1], made[0])
}

func TestCouponQueries(t *testing.T) {
	f := open(t)
	var made []int64
	for i, c := range []world.Coupon{
		{Code: "BETA", Type: "percentage", Valid: true, MaxUses: 3, Used: 1, StartDate: "2025-01-10", EndDate: "2025-02-10", IncludesShipping: true},
		{Code: "alpha", Type: "shipping", MinPrice: decimal.NewNullDecimal(decimal.NewFromInt(5)), Categories: []int64{1}, Used: 9},
		{Code: "GONE", Type: "shipping", DeletedAt: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		f.clock.Advance(time.Minute)
		if err := f.World().Update(0, f.store.ID, func(tx *world.Tx) error {
			c.ID, c.CreatedAt, c.UpdatedAt = tx.NewID(), tx.Now(), tx.Now()
			if i == 0 {
				c.UpdatedAt = time.Date(2025, 1, 1, 13, 0, 0, 0, time.UTC)
			}
			made = append(made, c.ID)
			return tx.Coupons.Put(c.ID, c)
		}); err != nil {
			t.Fatal(err)
		}
	}
	f.wantQueries("coupons.list", "/coupons", made, append(windows(made[:2]), []query{
		{"q=bet", []int{0}}, {"min_start_date=2025-01-10", []int{0}}, {"max_start_date=2025-01-09", nil},
		{"min_end_date=2025-02-11", nil}, {"max_end_date=2025-02-10", []int{0}},
		{"valid=true", []int{0}}, {"valid=false", []int{1}}, {"status=activated", []int{0}}, {"status=deactivated", []int{1}},
		{"limitation_type=quantity", []int{0}}, {"limitation_type=cart_value", []int{1}}, {"limitation_type=categories", []int{1}},
		{"term_type=limited", []int{0}}, {"term_type=unlimited", []int{1}}, {"discount_type=shipping", []int{1}}, {"includes_shipping=true", []int{0}},
		{"sort_by=created-at-descending", []int{1, 0}}, {"sort_by=alpha-ascending", []int{1, 0}}, {"sort_by=alpha-descending", []int{0, 1}},
		{"sort_by=uses-descending", []int{1, 0}}, {"sort_by=uses-ascending", []int{0, 1}},
	}...))
	if w := f.send(f.token, fmt.Sprintf("GET /coupons/%d", made[2]), nil); w.Code != 404 {
		t.Errorf("a deleted coupon: %d", w.Code)
	}
}

func TestCheckoutQueries(t *testing.T) {
	f := open(t)
	var made []int64
	for i := range 2 {
		f.clock.Advance(time.Minute)
		if err := f.World().Update(0, f.store.ID, func(tx *world.Tx) error {
			c := world.Checkout{ID: tx.NewID(), Sale: world.Sale{CreatedAt: tx.Now(), UpdatedAt: tx.Now()}}
			if i == 0 {
				c.UpdatedAt = time.Date(2025, 1, 1, 13, 0, 0, 0, time.UTC)
			}
			made = append(made, c.ID)
			return tx.Checkouts.Put(c.ID, c)
		}); err != nil {
			t.Fatal(err)
		}
	}
	f.wantQueries("checkouts.list", "/checkouts", made, windows(made))
	f.clock.Advance(30*24*time.Hour - time.Second)
	f.wantIDs("GET /checkouts", made[1])
	if w := f.send(f.token, fmt.Sprintf("GET /checkouts/%d", made[0]), nil); w.Code != 404 {
		t.Errorf("a checkout of more than 30 days: %d", w.Code)
	}
}
