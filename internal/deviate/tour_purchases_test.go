package deviate_test

import (
	"net/http"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// people visits customers and coupons.
func (t *tour) people() {
	ctx, api := t.ctx, t.client
	ana := see(v202503.Customers(api).Create(ctx, client.CustomerInput{
		Name: "Ana Paz", Email: "ana+1@example.com", Phone: client.Set("5493415550100"), SendEmailInvite: true,
		Addresses: []client.CustomerAddressInput{{
			Name: "Ana", Address: "Mitre", Number: "15", Floor: "2", Locality: "Centro", City: "Rosario", Province: "Santa Fe", Country: "AR", Zipcode: "2000", Phone: "5550100", Default: client.Set(true),
		}},
	})).as(t, "Customer.Create")
	see(v202503.Customers(api).Update(ctx, ana.ID, client.CustomerInput{
		Identification: client.Set("20123"), Note: client.Set("mornings"), CustomInfo: client.Set(map[string]any{"size": "M", "n": 5, "id": 7}),
		CustomerBillingInput: client.CustomerBillingInput{BillingZipcode: client.Set("2001"), BillingPhone: client.Set("5550101"), BillingNumber: client.Set("7")},
	})).as(t, "Customer.Update")
	see(v202503.Customers(api).Get(ctx, ana.ID)).as(t, "Customer.Get")
	crawl(t, "Customer.List", v202503.Customers(api).List(client.CustomerFilter{}))
	walk(t, "Customer.List nobody", v202503.Customers(api).List(client.CustomerFilter{Email: "nobody@example.com"}))
	done(v202503.Customers(api).Delete(ctx, ana.ID)).as(t, "Customer.Delete")

	c := see(v202503.Coupons(api).Create(ctx, client.CouponInput{
		Code: "SUMMER10", Type: client.CouponPercentage, Value: client.Set(client.Cents(1000)), StartDate: client.Set(client.Date{Year: 2030, Month: 1, Day: 2}), MaxUses: client.Set(client.Int(7)),
		MinPrice: client.Set(client.Cents(15050)), IncludesShipping: client.Set(true),
	})).as(t, "Coupon.Create")
	seeMade(v202503.Coupons(api).CreateOrGet(t.searching, client.CouponInput{Code: "SUMMER10", Type: client.CouponPercentage, Value: client.Set(client.Cents(1000))})).as(t, "Coupon.CreateOrGet")
	ship := seeMade(v202503.Coupons(api).CreateOrGet(t.searching, client.CouponInput{Code: "SHIP", Type: client.CouponShipping})).as(t, "Coupon.CreateOrGet new")
	see(v202503.Coupons(api).Update(ctx, c.ID, client.CouponInput{MaxUses: client.Null[client.Int](), MinPrice: client.Null[client.Money](), StartDate: client.Null[client.Date]()})).as(t, "Coupon.Update")
	see(v202503.Coupons(api).Get(ctx, c.ID)).as(t, "Coupon.Get")
	walk(t, "Coupon.List", v202503.Coupons(api).List(client.CouponFilter{}))
	walk(t, "Coupon.List by one", v202503.Coupons(api).List(client.CouponFilter{Paging: client.Paging{PerPage: 1}}))
	done(v202503.Coupons(api).Delete(ctx, ship.ID)).as(t, "Coupon.Delete")
}

// sold returns an order of two pieces of a product.
func (t *tour) sold() (*client.Order, *client.Product) {
	if t.sale == nil {
		t.sale = t.forSale()
	}
	in := client.OrderInput{
		Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"}, Products: []client.OrderProductInput{{VariantID: t.sale.Variants[0].ID, Quantity: 2}}, Note: "call me",
		ShippingAddress: client.OrderAddressInput{Address: "Rua A", Number: "50", City: "Santos", Zipcode: "1100", Phone: "5550123", Customs: map[string]string{"reference": "blue gate"}},
		BillingAddress:  client.OrderAddressInput{Address: "Rua B", Number: "7", City: "Santos", Zipcode: "1101"}, ShippingCostCustomer: client.Set(client.Cents(300)),
	}
	return see(v202503.Orders(t.client).Create(t.ctx, in)).as(t, "Order.Create"), t.sale
}

// forSale returns a new product.
func (t *tour) forSale() *client.Product {
	return see(v202503.Products(t.client).Create(t.ctx, client.ProductInput{Name: client.Plain("Sold"), Variants: []client.VariantInput{
		{Price: client.Set(client.Cents(1050)), SKU: client.Set("777"), Barcode: client.Set("7790001"), Weight: client.Set(client.Measure("0.5")), Stock: client.Set(client.Stock(100))},
	}})).as(t, "Product.Create")
}

// purchases visits orders, drafts, checkouts and carts.
func (t *tour) purchases() {
	ctx, api := t.ctx, t.client
	o, p := t.sold()
	see(v1.Orders(t.client).Get(ctx, o.ID)).as(t, "Order.Get v1")
	see(v1.Orders(t.client).Pack(ctx, o.ID)).as(t, "Order.Pack")
	see(v1.Orders(t.client).Fulfill(ctx, o.ID, v1.OrderFulfill{ShippingTrackingNumber: "881"})).as(t, "Order.Fulfill")
	see(v1.Orders(t.client).Update(ctx, o.ID, client.OrderUpdate{OwnerNote: client.Set("gift"), Status: client.OrderPaid})).as(t, "Order.Update")
	see(v202503.Orders(api).Close(ctx, o.ID)).as(t, "Order.Close")
	see(v202503.Orders(api).Open(ctx, o.ID)).as(t, "Order.Open")
	see(v202503.Orders(api).Cancel(ctx, o.ID, client.OrderCancel{Reason: client.CancelReasonCustomer})).as(t, "Order.Cancel")
	see(v202503.Orders(api).Open(ctx, o.ID)).fails(t, "Order.Open of a cancelled one")
	second, _ := t.sold()
	see(unstable.Orders(t.client).Edit(ctx, second.ID, client.OrderEdit{Products: []client.OrderEditProduct{{LineItemID: second.Products[0].ID, Quantity: 1}}, Reason: "one less"})).as(t, "Order.Edit")
	for _, id := range []client.ID{o.ID, second.ID} {
		see(v202503.Orders(api).Get(ctx, id)).as(t, "Order.Get")
		see(v202503.Orders(api).ValueHistory(ctx, id)).as(t, "DatedOrder.ValueHistory")
		see(v202503.Orders(api).EditionHistory(ctx, id)).as(t, "DatedOrder.EditionHistory")
		see(v202503.Orders(api).Subscriptions(ctx, id)).as(t, "DatedOrder.Subscriptions")
	}
	every := client.OrderFilter{Aggregates: []client.Aggregate{client.AggregateFulfillmentOrders, client.AggregateCustomFields}}
	see(v202503.Orders(api).GetWith(ctx, o.ID, client.OrderOptions{Aggregates: every.Aggregates})).as(t, "Order.GetWith")
	crawl(t, "Order.List", v202503.Orders(api).List(every))
	walk(t, "Order.List v1 by two", v1.Orders(t.client).List(client.OrderFilter{Paging: client.Paging{PerPage: 2}}))
	see(gathered(v202503.Orders(api).Crawl(client.OrderFilter{}).All(ctx))).as(t, "Order.List Crawl")
	see(paged(v202503.Orders(api).Crawl(client.OrderFilter{Paging: client.Paging{PerPage: 2}}).Pages(ctx))).as(t, "Order.List Crawl by two")

	draft := client.DraftOrderInput{
		ContactName: "Ana", ContactLastname: "Lima", ContactEmail: "ana@shop.example", ContactPhone: "5550177", Note: "by phone", PaymentStatus: client.PaymentUnpaid,
		Products: []client.DraftProductInput{{VariantID: p.Variants[0].ID, Quantity: 1}},
		Shipping: client.Set(client.DraftShippingInput{Cost: client.Set(client.Cents(500)), ShippingAddress: client.DraftAddressInput{Address: "Rua A", City: "Santos"}}),
	}
	d := see(v202503.DraftOrders(api).Create(ctx, draft)).as(t, "DraftOrder.Create")
	see(v202503.DraftOrders(api).Get(ctx, d.ID)).as(t, "DraftOrder.Get")
	other := see(v202503.DraftOrders(api).Create(ctx, draft)).as(t, "DraftOrder.Create")
	walk(t, "DraftOrder.List", v202503.DraftOrders(api).List())
	see(v202503.DraftOrders(api).Confirm(ctx, d.ID)).as(t, "DraftOrder.Confirm")
	done(v202503.DraftOrders(api).Delete(ctx, other.ID)).as(t, "DraftOrder.Delete")

	coupon := see(v202503.Coupons(api).Create(ctx, client.CouponInput{Code: "COMEBACK", Type: client.CouponPercentage, Value: client.Set(client.Cents(1000))})).as(t, "Coupon.Create")
	checkouts := crawl(t, "Checkout.List", v202503.Checkouts(api).List(client.CheckoutFilter{}))
	see(v202503.Checkouts(api).AttachCoupon(ctx, checkouts[0].ID, coupon.ID)).as(t, "Checkout.AttachCoupon")
	c := see(v202503.Checkouts(api).Get(ctx, checkouts[0].ID)).as(t, "Checkout.Get")
	see(v202503.Carts(api).Get(ctx, c.ID)).as(t, "DatedCart.Get")
	see(v202503.Carts(api).Discounts(ctx, c.ID)).as(t, "Cart.Discounts")
	done(v202503.Carts(api).RemoveCoupon(ctx, c.ID, coupon.ID)).as(t, "Cart.RemoveCoupon")
	done(v202503.Carts(api).RemoveLineItem(ctx, c.ID, c.Products[0].ID)).as(t, "Cart.RemoveLineItem")
}

// parcels visits fulfillment orders, tracking events, labels and invoices.
func (t *tour) parcels() {
	ctx, c := t.ctx, t.client
	o, _ := t.sold()
	parcels := walk(t, "FulfillmentOrder.List", v202503.FulfillmentOrders(c).List(o.ID, client.FulfillmentOrderFilter{CustomFields: true}))
	id := parcels[0].ID
	place := client.FulfillmentPickupInput{Name: "Sur", PickupHours: client.Set([]client.PickupHoursInput{{Day: client.WeekdayMonday, Start: "0800", End: "1800"}})}
	see(v202503.FulfillmentOrders(c).Update(ctx, o.ID, id, client.FulfillmentOrderInput{
		Destination: client.Set(client.FulfillmentAddressInput{Street: "Mitre", Number: client.Set("15"), Floor: client.Set("8"), Zipcode: "2000", City: "Rosario"}),
		Recipient:   client.Set(client.RecipientInput{Name: "Bia", Phone: client.Set("5550199"), Identifier: client.Set("30")}),
		Shipping: client.Set(client.FulfillmentShippingInput{
			Option: client.Set(client.FulfillmentOptionInput{AllowFreeShipping: client.Set(true)}), MerchantCost: client.Set(client.AmountInput{Value: client.Cents(750), Currency: "ARS"}),
			MinDeliveryDate: client.Set(client.At(time.Date(2030, 1, 2, 3, 0, 0, 0, time.UTC))), PickupDetails: client.Set(place), Extras: client.Set(client.ShippingExtrasInput{AcceptsCOD: client.Set(true)}),
		}),
	})).as(t, "FulfillmentOrder.Update")
	see(v202503.FulfillmentOrders(c).Update(ctx, o.ID, id, client.FulfillmentOrderInput{Status: client.FulfillmentPacked})).as(t, "FulfillmentOrder.Update packed")

	label := t.label(o.ID, id)
	done(unstable.Labels(t.client).Update(ctx, id, label, client.LabelInput{Status: client.LabelInProgress})).as(t, "Label.Update")
	done(unstable.Labels(t.client).Update(ctx, id, label, client.LabelInput{Status: client.LabelReadyToDownload, Documents: []client.LabelDocumentInput{
		{Type: "LABEL", Format: "PDF", Size: 20_480, DownloadURLFromApp: "https://post.example/labels/1.pdf"},
	}})).as(t, "Label.Update ready")
	done(unstable.Labels(t.client).Download(ctx, id, label)).as(t, "Label.Download")
	done(unstable.Labels(t.client).Request(ctx, id)).as(t, "Label.Request")
	done(unstable.Labels(t.client).UpdateStatuses(ctx, []map[string]any{{"id": label.String(), "status": "DOWNLOADED"}})).record(t, "Label.UpdateStatuses")

	see(v202503.FulfillmentOrders(c).Update(ctx, o.ID, id, client.FulfillmentOrderInput{Status: client.FulfillmentDispatched, TrackingInfo: client.Set(client.TrackingInfoInput{Code: client.Set("881")})})).as(t, "FulfillmentOrder.Update dispatched")
	event := see(v202503.TrackingEvents(c).Create(ctx, o.ID, id, client.TrackingEventInput{
		Status: client.TrackingInTransit, Description: "on its way", Geolocation: client.Set(client.Geolocation{Longitude: "-46.33", Latitude: "-23.96"}), HappenedAt: client.At(time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)),
	})).as(t, "TrackingEvent.Create")
	see(v202503.TrackingEvents(c).Update(ctx, o.ID, id, event.ID, client.TrackingEventInput{Status: "custom_drone"})).as(t, "TrackingEvent.Update")
	see(v202503.TrackingEvents(c).Get(ctx, o.ID, id, event.ID)).as(t, "TrackingEvent.Get")
	walk(t, "TrackingEvent.List", v202503.TrackingEvents(c).List(o.ID, id))
	done(v202503.TrackingEvents(c).Delete(ctx, o.ID, id, event.ID)).as(t, "TrackingEvent.Delete")
	see(v202503.FulfillmentOrders(c).Get(ctx, o.ID, id)).as(t, "FulfillmentOrder.Get")
	done(v202503.FulfillmentOrders(c).Delete(ctx, o.ID, id)).fails(t, "FulfillmentOrder.Delete")

	f := see(v202503.Fulfillments(c).Create(ctx, o.ID, client.FulfillmentInput{Status: client.TrackingInTransit, City: "Santos"})).as(t, "Fulfillment.Create")
	see(v202503.Fulfillments(c).Get(ctx, o.ID, f.ID)).as(t, "Fulfillment.Get")
	walk(t, "Fulfillment.List", v202503.Fulfillments(c).List(o.ID))
	done(v202503.Fulfillments(c).Delete(ctx, o.ID, f.ID)).as(t, "Fulfillment.Delete")

	for _, key := range []string{"555", "556"} {
		see(v202503.Invoices(c).Put(t.searching, o.ID, client.Invoice{Key: key, Link: "https://invoices.example/" + key})).as(t, "Invoice.Put")
	}
	see(v202503.Invoices(c).Of(t.searching, o.ID)).as(t, "Invoice.Of")
	t.externalInvoices(o.ID, id)
}

// externalInvoices visits the invoices of another system.
func (t *tour) externalInvoices(order client.ID, parcel ulid.ULID) {
	ctx, invoices := t.ctx, unstable.ExternalInvoices(t.client)
	const key = "3526010000000000019155001000000042100000042"
	for _, last := range []string{"1", "2", "3"} {
		in := client.ExternalInvoiceInput{Key: key + last, Series: client.Set("1"), FulfillmentOrderID: client.Set(parcel)}
		see(invoices.Create(ctx, order, in)).as(t, "ExternalInvoice.Create")
	}
	cancelled := client.ExternalInvoiceInput{Status: client.ExternalInvoiceCancelled, Series: client.Null[string]()}
	done(invoices.Update(ctx, order, key+"1", cancelled)).as(t, "ExternalInvoice.Update")
	see(invoices.Get(ctx, order, key+"1")).as(t, "ExternalInvoice.Get")
	walk(t, "ExternalInvoice.List", invoices.List(order, client.ExternalInvoiceFilter{}))
	walk(t, "ExternalInvoice.List by two", invoices.List(order, client.ExternalInvoiceFilter{PerPage: 2}))
	done(invoices.Delete(ctx, order, key+"1")).as(t, "ExternalInvoice.Delete")
}

// label has the platform ask a carrier for the label of a parcel.
func (t *tour) label(order client.ID, parcel ulid.ULID) ulid.ULID {
	accept := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })
	if err := t.srv.Partner("https://post.example", accept); err != nil {
		panic(err)
	}
	carrier := see(v202503.Carriers(t.client).Create(t.ctx, carriers.CarrierInput{
		Name: "Post", CallbackURL: "https://post.example/rates", Types: carriers.Types{carriers.TypeToDoor}, CallbackLabelsURL: client.Set("https://post.example/labels"),
	})).as(t, "Carrier.Create")
	see(v202503.FulfillmentOrders(t.client).Update(t.ctx, order, parcel, client.FulfillmentOrderInput{Shipping: client.Set(client.FulfillmentShippingInput{
		Carrier: client.Set(client.FulfillmentCarrierInput{CarrierID: carrier.ID.String()}),
	})})).as(t, "FulfillmentOrder.Update carrier")
	calls, err := t.srv.RequestLabels(t.ctx, parcel)
	if err != nil {
		panic(err)
	}
	return calls[0].Labels[0].LabelID
}
