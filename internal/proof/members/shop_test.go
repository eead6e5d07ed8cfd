package members_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"reflect"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/disputes"
)

// shop is a server with a record of every kind. It is the transport of its clients, which replaces the ids that a
// filler makes by those of the records.
type shop struct {
	srv *clienttest.Server
	// ids are the ids of records by the path of their collection, in which {} is an id.
	ids map[string]string

	sent   request             // by the client
	status int                 // of the response
	body   []byte              // of it
	files  *described          // compares the calls with the files of the contract
	bare   bool                // ids are left alone
	change func([]byte) []byte // what the server gets in place of a body; nil changes nothing
}

func (s *shop) RoundTrip(q *http.Request) (*http.Response, error) {
	var body []byte
	s.sent = request{method: q.Method, path: q.URL.Path, query: q.URL.RawQuery}
	if q.Body != nil {
		s.sent.body, _ = io.ReadAll(q.Body)
		body = s.sent.body
		if !s.bare {
			body = s.ownIDs(body, path.Base(q.URL.Path))
		}
		if s.change != nil {
			body = s.change(body)
		}
		q = q.Clone(q.Context())
		q.Body, q.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	if !s.bare {
		q = q.Clone(q.Context())
		q.URL.Path = s.own(q.URL.Path)
		q.URL.RawPath = ""
	}
	res, err := s.srv.Transport().RoundTrip(q)
	if err == nil {
		s.status = res.StatusCode
		s.body, _ = io.ReadAll(res.Body)
		_ = res.Body.Close()
		res.Body = io.NopCloser(bytes.NewReader(s.body))
		if s.change == nil {
			s.files.api(q, body, res.StatusCode, s.body)
		}
	}
	return res, err
}

// own returns the path with ids of the shop.
func (s *shop) own(address string) string {
	address = strings.ReplaceAll(address, texts["argument"][0], "argument")
	at, shape := strings.Split(address, "/"), ""
	first := 3 // after the version and the store
	if len(at) > 2 && at[2] == "apps" {
		first = 2
	}
	for i := first; i < len(at); i++ {
		id, ok := s.ids[shape]
		if ok && placeholder[at[i]] {
			at[i], shape = id, shape+"/{}"
		} else {
			shape += "/" + at[i]
		}
	}
	if len(at) > 5 && at[5] == "transactions" {
		at[4] = s.ids["paid"]
	}
	return strings.Join(at, "/")
}

// ownIDs returns a body with ids of the shop.
func (s *shop) ownIDs(body []byte, resource string) []byte {
	v := visit(body, func(path string, object map[string]any) {
		if collection, ok := identified[resource+path]; ok {
			object["id"] = s.value(collection, object["id"])
		}
		for name, collection := range named {
			switch v := object[name].(type) {
			case string, float64, json.Number:
				object[name] = s.value(collection, v)
			case []any:
				for i := range v {
					v[i] = s.value(collection, v[i])
				}
			}
		}
	})
	if v == nil {
		return body
	}
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return body
}

// value returns the id of the record in the place of a filler's.
func (s *shop) value(collection string, v any) any {
	if text := fmt.Sprint(v); !placeholder[text] {
		return v
	} else if _, isText := v.(string); isText {
		return s.ids[collection]
	}
	return json.Number(s.ids[collection])
}

// named are the collections of the ids in bodies, by the name of the member.
var named = map[string]string{
	"categories": "/categories", "parent": "/categories", "products": "/products", "product_id": "/products",
	"owner_id":   "/products",
	"variant_id": "/products/{}/variants", "image_id": "/products/{}/images",
	"location_id": "/locations", "payment_provider_id": "/payment_providers", "script_id": "script",
	"coupon_id": "/coupons",
}

// identified are the collections of objects that are named by their id in a body, by the end of the path and their
// place.
var identified = map[string]string{
	"stock-price[]": "/products", "stock-price[].variants[]": "/products/{}/variants",
	"variants[]": "/products/{}/variants",
}

var placeholder = map[string]bool{
	"7": true, "argument": true, "text": true,
	"8c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c11": true, "01HZXW5Z5QJ3V8N6Q4T2R0P9M7": true,
}

// open returns a shop with a record of every kind.
func open(t *testing.T) *shop {
	t.Helper()
	srv, err := clienttest.Start(clienttest.Options{
		Demo: true, RealTime: true, Features: []string{client.FeatureFulfillmentLabels},
	})
	must(t, err)
	t.Cleanup(srv.Close)
	s := &shop{srv: srv, files: newDescribed(t), ids: map[string]string{}, bare: true}
	ctx, c := t.Context(), srv.Client()
	set := func(collection string, id interface{ String() string }) { s.ids[collection] = id.String() }

	category, err := unstable.Categories(c).Create(ctx, client.CategoryInput{Name: client.Plain("Tea")})
	must(t, err)
	set("/categories", category.ID)
	product, err := unstable.Products(c).Create(ctx, client.ProductInput{
		Name: client.Plain("Mug"), Attributes: []client.Text{client.Plain("Size")},
		Images: []client.ImageInput{{Src: "https://img.example/1.png"}},
		Variants: []client.VariantInput{
			{
				Values: []client.Text{client.Plain("S")}, Price: client.Set(client.Cents(1050)),
				SKU: client.Set("777"), Stock: client.Set(client.Stock(100)),
			},
		},
	})
	must(t, err)
	set("/products", product.ID)
	set("/products/{}/variants", product.Variants[0].ID)
	set("/products/variants", product.Variants[0].ID)
	set("/products/{}/images", product.Images[0].ID)
	s.ids["/products/sku"], s.ids["script"] = "777", "3001"
	for collection, fields := range map[string]*client.CustomFieldService{
		"/products": unstable.ProductCustomFields(c), "/products/variants": unstable.VariantCustomFields(c),
		"/categories": unstable.CategoryCustomFields(c),
		"/customers":  unstable.CustomerCustomFields(c), "/orders": unstable.OrderCustomFields(c),
	} {
		field, err := fields.Create(ctx, client.CustomFieldInput{
			Name: "Size", ValueType: client.ValueTypeTextList, Values: []string{"S", "L"},
		})
		must(t, err)
		set(collection+"/custom-fields", field.ID)
		if collection == "/products" {
			must(t, fields.SetValues(ctx, product.ID, client.CustomFieldSetting{ID: field.ID, Value: client.Set("S")}))
		}
	}
	customer, err := unstable.Customers(c).Create(ctx, client.CustomerInput{Name: "Ana Lima", Email: "ana.lima@shop.example"})
	must(t, err)
	set("/customers", customer.ID)
	coupon, err := unstable.Coupons(c).Create(ctx, client.CouponInput{
		Code: "BACK", Type: client.CouponPercentage, Value: client.Set(client.Cents(1000)),
	})
	must(t, err)
	set("/coupons", coupon.ID)
	locations, err := unstable.Locations(c).List().Collect(ctx)
	must(t, err)
	set("/locations", locations[len(locations)-1].ID)
	kits, err := unstable.Products(c).List(client.ProductFilter{Query: "Camping set"}).Collect(ctx)
	must(t, err)
	set("/kits", kits[0].ID)
	script, err := unstable.Scripts(c).Associate(ctx, client.ScriptInput{ScriptID: 3001})
	must(t, err)
	set("/scripts", script.ID)
	table, err := unstable.PriceTables(c).Create(ctx, client.PriceTableInput{Name: "Wholesale", DefaultDiscount: client.Set(client.Cents(500))})
	must(t, err)
	set("/products/price-tables", table.ID)
	set("/products/price-tables/customers", customer.ID)
	set("/products/price-tables/{}/customers", customer.ID)
	set("/products/price-tables/{}/product-variants", product.Variants[0].ID)
	set("/products/price-tables/{}/categories", category.ID)
	must(t, unstable.PriceTables(c).AddCustomers(ctx, table.ID, customer.ID))
	must(t, unstable.PriceTables(c).SetCategories(ctx, table.ID, client.PriceTableCategoryInput{CategoryID: category.ID}))
	must(t, unstable.PriceTables(c).SetVariants(ctx, table.ID, client.PriceTableVariantInput{ProductID: product.ID, VariantID: product.Variants[0].ID}))
	page, err := unstable.Pages(c).Create(ctx, client.ContentPageInput{
		Texts: map[string]client.ContentPageText{"es_AR": {Title: "Nosotros"}},
	})
	must(t, err)
	set("/pages", page.ID)
	s.ids["/email-templates"] = "1"
	blog, err := unstable.Blogs(c).Get(ctx)
	must(t, err)
	set("/blogs", blog.ID)
	posts, err := unstable.Blogs(c).Posts(blog.ID, 0).Collect(ctx)
	must(t, err)
	set("/blogs/{}/posts", posts[0].ID)
	hook, err := unstable.Webhooks(c).Create(ctx, client.WebhookInput{URL: "https://app.example/hooks", Event: "product/created"})
	must(t, err)
	set("/webhooks", hook.ID)
	meta, err := unstable.Metafields(c).Create(ctx, client.MetafieldInput{
		Namespace: "own", Key: "own", Value: "1", OwnerID: product.ID, OwnerResource: client.MetafieldOwnerProduct,
	})
	must(t, err)
	set("/metafields", meta.ID)
	s.sell(t, c, product.Variants[0].ID, kits[0].Variants[0].ID)
	s.ids["/apps/"+srv.App().ID.String()+"/plans"] = s.plan(t, "pro")
	s.pay(t, c)
	s.bare = false
	return s
}

// plan adds a plan of the app, with a reference of the app's own, and returns its id.
func (s *shop) plan(t *testing.T, code string) string {
	t.Helper()
	known := s.srv.App()
	app, err := client.NewApp(client.AppConfig{ID: client.ID(known.ID), Secret: known.Secret, Config: client.Config{
		BaseURL: s.srv.URL(), UserAgent: "Tests (tests@app.example)", HTTPClient: &http.Client{Transport: s},
	}})
	must(t, err)
	in := client.PlanInput{Code: code, ExternalReference: client.Set(code + "-1")}
	plan, err := unstable.Plans(app).Create(t.Context(), in)
	must(t, err)
	return string(plan.ID)
}

// sell adds an order with a parcel, a label and a carrier, a draft, a checkout and a cart.
func (s *shop) sell(t *testing.T, c *client.Client, variant, kit client.ID) {
	t.Helper()
	ctx := t.Context()
	set := func(collection string, id interface{ String() string }) { s.ids[collection] = id.String() }
	order, err := unstable.Orders(c).Create(ctx, client.OrderInput{
		Customer:        client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"},
		Products:        []client.OrderProductInput{{VariantID: variant, Quantity: 2}, {VariantID: kit, Quantity: 1}},
		ShippingAddress: client.OrderAddressInput{Address: "Rua A", Number: "50", City: "Santos"},
	})
	must(t, err)
	set("/orders", order.ID)
	draft, err := unstable.DraftOrders(c).Create(ctx, client.DraftOrderInput{
		ContactName: "Ana", ContactLastname: "Lima", ContactEmail: "ana@shop.example", PaymentStatus: client.PaymentUnpaid,
		Products: []client.DraftProductInput{{VariantID: variant, Quantity: 1}},
	})
	must(t, err)
	set("/draft_orders", draft.ID)
	checkouts, err := unstable.Checkouts(c).List(client.CheckoutFilter{}).Collect(ctx)
	must(t, err)
	set("/checkouts", checkouts[0].ID)
	set("/carts", checkouts[0].ID)
	set("/carts/{}/line-items", checkouts[0].Products[0].ID)
	s.ids["/carts/{}/coupons"] = s.ids["/coupons"]
	coupon, err := client.ParseID(s.ids["/coupons"])
	must(t, err)
	_, err = unstable.Checkouts(c).AttachCoupon(ctx, checkouts[0].ID, coupon)
	must(t, err)

	parcels, err := unstable.FulfillmentOrders(c).List(order.ID, client.FulfillmentOrderFilter{}).Collect(ctx)
	must(t, err)
	parcel := parcels[0].ID
	set("/orders/{}/fulfillment-orders", parcel)
	invoice, err := unstable.ExternalInvoices(c).Create(ctx, order.ID, client.ExternalInvoiceInput{
		Key: strings.Repeat("7", 44), Series: client.Set("1"), Number: client.Set("42"), FulfillmentOrderID: client.Set(parcel),
	})
	must(t, err)
	s.ids["/orders/{}/invoices/external"] = invoice.Key
	set("/fulfillment-orders", parcel)
	accept := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })
	must(t, s.srv.Partner("https://post.example", accept))
	carrier, err := unstable.Carriers(c).Create(ctx, carriers.CarrierInput{
		Name: "Post", CallbackURL: "https://post.example/rates", Types: carriers.Types{carriers.TypeToDoor},
		CallbackLabelsURL: client.Set("https://post.example/labels"),
	})
	must(t, err)
	set("/shipping_carriers", carrier.ID)
	option, err := unstable.Carriers(c).CreateOption(ctx, carrier.ID, carriers.OptionInput{Code: "Slow", Name: "Slow"})
	must(t, err)
	set("/shipping_carriers/{}/options", option.ID)
	_, err = unstable.FulfillmentOrders(c).Update(ctx, order.ID, parcel, client.FulfillmentOrderInput{
		Status: client.FulfillmentPacked,
		Shipping: client.Set(client.FulfillmentShippingInput{
			Carrier:         client.Set(client.FulfillmentCarrierInput{CarrierID: carrier.ID.String()}),
			MinDeliveryDate: client.Set(day(5)), MaxDeliveryDate: client.Set(day(6)),
		}),
	})
	must(t, err)
	calls, err := s.srv.RequestLabels(ctx, parcel)
	must(t, err)
	set("/fulfillment-orders/{}/labels", calls[0].Labels[0].LabelID)
	dispatched := client.FulfillmentOrderInput{Status: client.FulfillmentDispatched}
	_, err = unstable.FulfillmentOrders(c).Update(ctx, order.ID, parcel, dispatched)
	must(t, err)
	event, err := unstable.TrackingEvents(c).Create(ctx, order.ID, parcel, client.TrackingEventInput{
		Status: client.TrackingInTransit, Description: "on its way",
	})
	must(t, err)
	set("/orders/{}/fulfillment-orders/{}/tracking-events", event.ID)
	legacy, err := unstable.Fulfillments(c).Create(ctx, order.ID, client.FulfillmentInput{Status: client.TrackingInTransit})
	must(t, err)
	set("/orders/{}/fulfillments", legacy.ID)
	promotion, err := unstable.Promotions(c).Create(ctx, promotions.Input{Name: "3 for 2", Tier: promotions.TierLineItems})
	must(t, err)
	set("/promotions", promotion)
}

// pay adds a payment provider, a transaction with a dispute, and a subscription to the app.
func (s *shop) pay(t *testing.T, c *client.Client) {
	t.Helper()
	ctx := t.Context()
	f := newFiller(nil)
	in := f.argument(ctx, reflect.TypeFor[providers.ProviderInput]()).Interface().(providers.ProviderInput)
	provider, err := unstable.PaymentProviders(c).Create(ctx, in)
	must(t, err)
	s.ids["/payment_providers"] = provider.String()
	paid, err := s.srv.Charge(client.Cents(2550))
	must(t, err)
	amount := disputes.Amount{Value: client.Cents(2550), Currency: paid.Currency}
	dispute, err := unstable.Disputes(c).Create(ctx, paid.OrderID, paid.TransactionID, disputes.Input{
		Reason: disputes.ReasonProductNotReceived, ExternalReason: "13.1", InitiatedAt: day(1),
		Amount: amount, RetainedTotal: amount,
		RetainedSettledAmount: disputes.SettledAmount{
			Value: client.Cents(300), Currency: "USD", ExchangeRate: disputes.ExchangeRate{Value: "0.1", From: paid.Currency},
		},
	})
	must(t, err)
	_, err = s.srv.Install()
	must(t, err)
	s.ids["/orders/{}/transactions"] = paid.TransactionID.String()
	s.ids["paid"] = paid.OrderID.String()
	s.ids["/orders/{}/transactions/{}/disputes"] = dispute
	app := s.srv.App().ID.String()
	s.ids["/services"], s.ids["/concepts"], s.ids["/concepts/{}/services"] = app, "app-cost", app
}

// config is that of a client of the shop's app.
func (s *shop) config(t *testing.T) client.Config {
	t.Helper()
	token, err := s.srv.Install()
	must(t, err)
	return client.Config{
		BaseURL: s.srv.URL(), UserAgent: "Tests (tests@app.example)", HTTPClient: &http.Client{Transport: s},
		StoreID: s.srv.StoreID(), Token: client.StaticToken(token),
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
