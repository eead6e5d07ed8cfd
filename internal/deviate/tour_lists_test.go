package deviate_test

import (
	"errors"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// pagesOfLists reads single pages, and goes on from their cursors.
func (t *tour) pagesOfLists() {
	ctx, c := t.ctx, t.client
	var made []client.ID
	for range 7 {
		made = append(made, see(v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Plain("One of many"), Tags: client.Set("many")})).as(t, "Product.Create").ID)
	}
	many := client.ProductFilter{IDs: made}
	crawl(t, "Product.List of seven", v202503.Products(c).List(many))
	many.PerPage = 1
	l := v202503.Products(c).List(many)
	p, err := l.Page(ctx)
	cursor := seePage(t, "Product.List Page", p, err)
	see(l.After(cursor).Collect(ctx)).as(t, "Product.List From")
	third := many
	third.Page = 3
	p, err = v202503.Products(c).List(third).Page(ctx)
	seePage(t, "Product.List third Page", p, err)
	third.Page = 8
	see(v202503.Products(c).List(third).Collect(ctx)).as(t, "Product.List after the last page")
	for _, per := range []int{2, 3, 4, 7} {
		many.PerPage = per
		walk(t, "Product.List of seven, few a page", v202503.Products(c).List(many))
	}
	for _, id := range made {
		done(v202503.Products(c).Delete(ctx, id)).as(t, "Product.Delete")
	}
}

// endsOfLists reads lists of each kind in every way: an array, an array by since_id, and an object around the items.
func (t *tour) endsOfLists() {
	var made []client.ID
	for range 7 {
		made = append(made, see(v202503.Products(t.client).Create(t.ctx, client.ProductInput{Name: client.Plain("One of many")})).as(t, "Product.Create").ID)
	}
	crawl(t, "Product.List", v202503.Products(t.client).List(client.ProductFilter{IDs: made}))
	walk(t, "Product.List by four", v202503.Products(t.client).List(client.ProductFilter{IDs: made, Paging: client.Paging{PerPage: 4}}))
	locations := walk(t, "Location.List", v202503.Locations(t.client).List())
	walk(t, "Location.Levels", v202503.Locations(t.client).Levels(locations[0].ID, client.InventoryLevelFilter{}))
	see(gathered(v202503.Orders(t.client).Crawl(client.OrderFilter{}).All(t.ctx))).as(t, "Order.List Crawl")
}

// seePage records a page of one record, and returns its cursor. Where the list goes on may be written in another way.
func seePage[T any](t *tour, name string, p *client.Page[T], err error) string {
	if p == nil {
		p = new(client.Page[T])
	}
	see(p.Items, err).as(t, name)
	see(total(p.Total), nil).as(t, name+" total")
	see(p.Number, nil).as(t, name+" number")
	see(p.Next(), nil).as(t, name+" next")
	return p.Cursor
}

// record records a call that may succeed or fail, as it does without deviations.
func (r returned[T]) record(t *tour, name string) { t.record(entry{name, r.value, r.err}) }

// changes reads what changed since a mark, as apps do that keep a copy.
func (t *tour) changes() {
	ctx, c := t.ctx, t.client
	p := see(v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Plain("Changing")})).as(t, "Product.Create")
	o, _ := t.sold()
	time.Sleep(3 * time.Hour)
	products := v202503.Products(c).List(client.ProductFilter{}).UpdatedSince(time.Time{})
	orders := v202503.Orders(c).UpdatedSince(client.OrderFilter{}, time.Time{})
	see(ids(gathered(products.All(ctx)))(func(p client.Product) client.ID { return p.ID })).as(t, "Product.List UpdatedSince")
	see(ids(gathered(orders.All(ctx)))(func(o client.Order) client.ID { return o.ID })).as(t, "Order.List UpdatedSince")
	for _, later := range []time.Duration{10 * time.Minute, 3 * time.Hour} {
		time.Sleep(later)
		see(v202503.Products(c).Update(ctx, p.ID, client.ProductInput{Brand: client.Set(later.String())})).as(t, "Product.Update")
		see(v202503.Orders(c).Update(ctx, o.ID, client.OrderUpdate{OwnerNote: client.Set(later.String())})).as(t, "Order.Update")
		time.Sleep(time.Minute)
		products = v202503.Products(c).List(client.ProductFilter{}).UpdatedSince(products.Mark())
		orders = v202503.Orders(c).UpdatedSince(client.OrderFilter{}, orders.Mark())
		see(ids(gathered(products.All(ctx)))(func(p client.Product) client.ID { return p.ID })).as(t, "Product.List UpdatedSince again")
		see(ids(gathered(orders.All(ctx)))(func(o client.Order) client.ID { return o.ID })).as(t, "Order.List UpdatedSince again")
	}
}

// ids returns the ids of records.
func ids[T any](all []T, err error) func(func(T) client.ID) (changed, error) {
	return func(id func(T) client.ID) (changed, error) {
		var found changed
		for _, r := range all {
			found = append(found, id(r))
		}
		return found, err
	}
}

// failures gets errors of every kind.
func (t *tour) failures() {
	ctx, c := t.ctx, t.client
	see(v202503.Products(c).Get(ctx, 1)).fails(t, "Product.Get of nobody")
	see(v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Text{"en": ""}})).fails(t, "Product.Create without a name")
	see(v202503.Webhooks(c).Create(ctx, client.WebhookInput{URL: "https://localhost/a", Event: "planet/moved"})).fails(t, "Webhook.Create refused")
	see(v202503.Coupons(c).Create(ctx, client.CouponInput{Code: "SUMMER10", Type: client.CouponShipping})).fails(t, "Coupon.Create twice")
	see(v202503.Metafields(c).Create(ctx, client.MetafieldInput{Namespace: "a", Key: "b", Value: "c", OwnerResource: client.MetafieldOwnerProduct, OwnerID: 999999})).fails(t, "Metafield.Create for nobody")
	done(v202503.Discounts(c).Set(ctx, "https://localhost/carts")).fails(t, "Callback.Set refused")

	fault := func(f clienttest.Fault) {
		if err := t.srv.Fault(f); err != nil {
			panic(err)
		}
	}
	for _, status := range []int{400, 401, 402, 403, 404, 409, 410, 415, 418, 422, 451} {
		fault(clienttest.Fault{Operation: "GET /store", Status: status, Count: 1})
		see(v202503.Store(c).Get(ctx)).fails(t, "Store.Get "+http.StatusText(status))
		fault(clienttest.Fault{Operation: "POST /products", Status: status, Count: 1})
		see(v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Plain("No")})).fails(t, "Product.Create "+http.StatusText(status))
	}
	for _, status := range []int{500, 502, 503, 504} {
		fault(clienttest.Fault{Operation: "GET /store", Status: status, Count: 3})
		see(v202503.Store(c).Get(ctx)).fails(t, "Store.Get "+http.StatusText(status))
		fault(clienttest.Fault{Operation: "POST /products", Status: status, Count: 3})
		see(v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Plain("No")})).fails(t, "Product.Create "+http.StatusText(status))
		t.srv.EndFaults()
		time.Sleep(10 * time.Minute) // the breaker closes
	}
	fault(clienttest.Fault{
		Operation: "GET /store", Status: 422, Count: 1, Header: http.Header{"Content-Type": {"application/json"}},
		Body: `{"code":422,"message":"Unprocessable \"Entity\"","description":"The + and the 😀 failed\/","name":["can't be blank","is too short"],"id":["is 5"]}`,
	})
	see(v202503.Store(c).Get(ctx)).fails(t, "Store.Get with fields refused")
	for _, wait := range []string{"2", "20"} {
		fault(clienttest.Fault{Operation: "GET /store", Status: 429, Count: 1, Header: http.Header{"Retry-After": {wait}}})
		began := time.Now()
		see(v202503.Store(c).Get(ctx)).as(t, "Store.Get after a wait")
		see(time.Since(began).Round(2*time.Second), nil).as(t, "Store.Get waited")
		t.settle()
	}
	fault(clienttest.Fault{Operation: "GET /store", Status: 429, Count: 1, Header: http.Header{"Retry-After": {"600"}}})
	see(v202503.Store(c).Get(ctx)).fails(t, "Store.Get too long a wait")
	time.Sleep(time.Hour)
	fault(clienttest.Fault{Operation: "GET /store", Status: 503, Count: 1, Header: http.Header{"Retry-After": {"3"}}})
	see(v202503.Store(c).Get(ctx)).as(t, "Store.Get after an outage")

	see((*client.OrderService)(engine.At((*engine.Core)(t.srv.Client("read_products")), string(client.Version202503))).List(client.OrderFilter{}).Page(ctx)).fails(t, "Order.List without its scope")
	if err := t.srv.Suspend(true); err != nil {
		panic(err)
	}
	see(v202503.Store(c).Get(ctx)).fails(t, "Store.Get of a suspended store")
	if err := errors.Join(t.srv.Suspend(false), t.srv.Uninstall()); err != nil {
		panic(err)
	}
	see(v202503.Store(c).Get(ctx)).fails(t, "Store.Get after the end of the installation")
}
