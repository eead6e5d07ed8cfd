package deviate_test

import (
	"net/http"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/shipping"
)

// people visits customers and coupons.
func (t *tour) people() {
	ctx, api := t.ctx, t.api
	ana := see(api.Customers.Create(ctx, client.CustomerInput{
		Name: "Ana Paz", Email: "ana+1@example.com", Phone: client.Set("5493415550100"), SendEmailInvite: true,
		Addresses: []client.CustomerAddressInput{{
			Name: "Ana", Address: "Mitre", Number: "15", Floor: "2", Locality: "Centro", City: "Rosario", Province: "Santa Fe", Country: "AR", Zipcode: "2000", Phone: "5550100", Default: client.Set(true),
		}},
	})).as(t, "Customer.Create")
	see(api.Customers.Update(ctx, ana.ID, client.CustomerInput{
		Identification: client.Set("20123"), Note: client.Set("mornings"), CustomInfo: client.Set(map[string]any{"size": "M", "n": 5, "id": 7}),
		CustomerBillingInput: client.CustomerBillingInput{BillingZipcode: client.Set("2001"), BillingPhone: client.Set("5550101"), BillingNumber: client.Set("7")},
	})).as(t, "Customer.Update")
	see(api.Customers.Get(ctx, ana.ID)).as(t, "Customer.Get")
	crawl(t, "Customer.List", api.Customers.List(client.CustomerFilter{}))
	walk(t, "Customer.List nobody", api.Customers.List(client.CustomerFilter{Email: "nobody@example.com"}))
	done(api.Customers.Delete(ctx, ana.ID)).as(t, "Customer.Delete")

	c := see(api.Coupons.Create(ctx, client.CouponInput{
		Code: "SUMMER10", Type: client.CouponPercentage, Value: client.Set(client.Cents(1000)), StartDate: client.Set(client.Date{Year: 2030, Month: 1, Day: 2}), MaxUses: client.Set(client.Int(7)),
		MinPrice: client.Set(client.Cents(15050)), IncludesShipping: client.Set(true),
	})).as(t, "Coupon.Create")
	seeMade(api.Coupons.CreateOrGet(t.searching, client.CouponInput{Code: "SUMMER10", Type: client.CouponPercentage, Value: client.Set(client.Cents(1000))})).as(t, "Coupon.CreateOrGet")
	ship := seeMade(api.Coupons.CreateOrGet(t.searching, client.CouponInput{Code: "SHIP", Type: client.CouponShipping})).as(t, "Coupon.CreateOrGet new")
	see(api.Coupons.Update(ctx, c.ID, client.CouponInput{MaxUses: client.Null[client.Int](), MinPrice: client.Null[client.Money](), StartDate: client.Null[client.Date]()})).as(t, "Coupon.Update")
	see(api.Coupons.Get(ctx, c.ID)).as(t, "Coupon.Get")
	walk(t, "Coupon.List", api.Coupons.List(client.CouponFilter{}))
	walk(t, "Coupon.List by one", api.Coupons.List(client.CouponFilter{Paging: client.Paging{PerPage: 1}}))
	done(api.Coupons.Delete(ctx, ship.ID)).as(t, "Coupon.Delete")
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
	return see(t.api.Orders.Create(t.ctx, in)).as(t, "Order.Create"), t.sale
}

// forSale returns a new product.
func (t *tour) forSale() *client.Product {
	return see(t.api.Products.Create(t.ctx, client.ProductInput{Name: client.Plain("Sold"), Variants: []client.VariantInput{
		{Price: client.Set(client.Cents(1050)), SKU: client.Set("777"), Barcode: client.Set("7790001"), Weight: client.Set(client.Measure("0.5")), Stock: client.Set(client.Stock(100))},
	}})).as(t, "Product.Create")
}

// purchases visits orders, drafts, checkouts and carts.
func (t *tour) purchases() {
	ctx, api := t.ctx, t.api
	o, p := t.sold()
	see(t.old.Orders.Get(ctx, o.ID)).as(t, "Order.Get v1")
	see(t.old.Orders.Pack(ctx, o.ID)).as(t, "Order.Pack")
	see(t.old.Orders.Fulfill(ctx, o.ID, v1.OrderFulfill{ShippingTrackingNumber: "881"})).as(t, "Order.Fulfill")
	see(t.old.Orders.Update(ctx, o.ID, client.OrderUpdate{OwnerNote: client.Set("gift"), Status: client.OrderPaid})).as(t, "Order.Update")
	see(api.Orders.Close(ctx, o.ID)).as(t, "Order.Close")
	see(api.Orders.Open(ctx, o.ID)).as(t, "Order.Open")
	see(api.Orders.Cancel(ctx, o.ID, client.OrderCancel{Reason: client.CancelReasonCustomer})).as(t, "Order.Cancel")
	see(api.Orders.Open(ctx, o.ID)).fails(t, "Order.Open of a cancelled one")
	second, _ := t.sold()
	see(t.newest.Orders.Edit(ctx, second.ID, client.OrderEdit{Products: []client.OrderEditProduct{{LineItemID: second.Products[0].ID, Quantity: 1}}, Reason: "one less"})).as(t, "Order.Edit")
	for _, id := range []client.ID{o.ID, second.ID} {
		see(api.Orders.Get(ctx, id)).as(t, "Order.Get")
		see(api.Orders.ValueHistory(ctx, id)).as(t, "DatedOrder.ValueHistory")
		see(api.Orders.EditionHistory(ctx, id)).as(t, "DatedOrder.EditionHistory")
		see(api.Orders.Subscriptions(ctx, id)).as(t, "DatedOrder.Subscriptions")
	}
	every := client.OrderFilter{Aggregates: []client.Aggregate{client.AggregateFulfillmentOrders, client.AggregateCustomFields}}
	see(api.Orders.GetWith(ctx, o.ID, client.OrderOptions{Aggregates: every.Aggregates})).as(t, "Order.GetWith")
	crawl(t, "Order.List", api.Orders.List(every))
	walk(t, "Order.List v1 by two", t.old.Orders.List(client.OrderFilter{Paging: client.Paging{PerPage: 2}}))
	see(gathered(api.Orders.Crawl(client.OrderFilter{}).All(ctx))).as(t, "Order.List Crawl")
	see(paged(api.Orders.Crawl(client.OrderFilter{Paging: client.Paging{PerPage: 2}}).Pages(ctx))).as(t, "Order.List Crawl by two")

	draft := client.DraftOrderInput{
		ContactName: "Ana", ContactLastname: "Lima", ContactEmail: "ana@shop.example", ContactPhone: "5550177", Note: "by phone", PaymentStatus: client.PaymentUnpaid,
		Products: []client.DraftProductInput{{VariantID: p.Variants[0].ID, Quantity: 1}},
		Shipping: client.Set(client.DraftShippingInput{Cost: client.Set(client.Cents(500)), ShippingAddress: client.DraftAddressInput{Address: "Rua A", City: "Santos"}}),
	}
	d := see(api.DraftOrders.Create(ctx, draft)).as(t, "DraftOrder.Create")
	see(api.DraftOrders.Get(ctx, d.ID)).as(t, "DraftOrder.Get")
	other := see(api.DraftOrders.Create(ctx, draft)).as(t, "DraftOrder.Create")
	walk(t, "DraftOrder.List", api.DraftOrders.List())
	see(api.DraftOrders.Confirm(ctx, d.ID)).as(t, "DraftOrder.Confirm")
	done(api.DraftOrders.Delete(ctx, other.ID)).as(t, "DraftOrder.Delete")

	coupon := see(api.Coupons.Create(ctx, client.CouponInput{Code: "COMEBACK", Type: client.CouponPercentage, Value: client.Set(client.Cents(1000))})).as(t, "Coupon.Create")
	checkouts := crawl(t, "Checkout.List", api.Checkouts.List(client.CheckoutFilter{}))
	see(api.Checkouts.AttachCoupon(ctx, checkouts[0].ID, coupon.ID)).as(t, "Checkout.AttachCoupon")
	c := see(api.Checkouts.Get(ctx, checkouts[0].ID)).as(t, "Checkout.Get")
	see(api.Carts.Get(ctx, c.ID)).as(t, "DatedCart.Get")
	see(api.Carts.Discounts(ctx, c.ID)).as(t, "Cart.Discounts")
	done(api.Carts.RemoveCoupon(ctx, c.ID, coupon.ID)).as(t, "Cart.RemoveCoupon")
	done(api.Carts.RemoveLineItem(ctx, c.ID, c.Products[0].ID)).as(t, "Cart.RemoveLineItem")
}

// parcels visits fulfillment orders, tracking events, labels and invoices.
func (t *tour) parcels() {
	ctx, api := t.ctx, t.api
	o, _ := t.sold()
	parcels := walk(t, "FulfillmentOrder.List", api.FulfillmentOrders.List(o.ID, client.FulfillmentOrderFilter{CustomFields: true}))
	id := parcels[0].ID
	place := client.FulfillmentPickupInput{Name: "Sur", PickupHours: client.Set([]client.PickupHoursInput{{Day: client.WeekdayMonday, Start: "0800", End: "1800"}})}
	see(api.FulfillmentOrders.Update(ctx, o.ID, id, client.FulfillmentOrderInput{
		Destination: client.Set(client.FulfillmentAddressInput{Street: "Mitre", Number: client.Set("15"), Floor: client.Set("8"), Zipcode: "2000", City: "Rosario"}),
		Recipient:   client.Set(client.RecipientInput{Name: "Bia", Phone: client.Set("5550199"), Identifier: client.Set("30")}),
		Shipping: client.Set(client.FulfillmentShippingInput{
			Option: client.Set(client.FulfillmentOptionInput{AllowFreeShipping: client.Set(true)}), MerchantCost: client.Set(client.AmountInput{Value: client.Cents(750), Currency: "ARS"}),
			MinDeliveryDate: client.Set(client.At(time.Date(2030, 1, 2, 3, 0, 0, 0, time.UTC))), PickupDetails: client.Set(place), Extras: client.Set(client.ShippingExtrasInput{AcceptsCOD: client.Set(true)}),
		}),
	})).as(t, "FulfillmentOrder.Update")
	see(api.FulfillmentOrders.Update(ctx, o.ID, id, client.FulfillmentOrderInput{Status: client.FulfillmentPacked})).as(t, "FulfillmentOrder.Update packed")

	label := t.label(o.ID, id)
	done(t.newest.Labels.Update(ctx, id, label, client.LabelInput{Status: client.LabelInProgress})).as(t, "Label.Update")
	done(t.newest.Labels.Update(ctx, id, label, client.LabelInput{Status: client.LabelReadyToDownload, Documents: []client.LabelDocumentInput{
		{Type: "LABEL", Format: "PDF", Size: 20_480, DownloadURLFromApp: "https://post.example/labels/1.pdf"},
	}})).as(t, "Label.Update ready")
	done(t.newest.Labels.Download(ctx, id, label)).as(t, "Label.Download")
	done(t.newest.Labels.Request(ctx, id)).as(t, "Label.Request")
	done(t.newest.Labels.UpdateStatuses(ctx, []map[string]any{{"id": label.String(), "status": "DOWNLOADED"}})).record(t, "Label.UpdateStatuses")

	see(api.FulfillmentOrders.Update(ctx, o.ID, id, client.FulfillmentOrderInput{Status: client.FulfillmentDispatched, TrackingInfo: client.Set(client.TrackingInfoInput{Code: client.Set("881")})})).as(t, "FulfillmentOrder.Update dispatched")
	event := see(api.TrackingEvents.Create(ctx, o.ID, id, client.TrackingEventInput{
		Status: client.TrackingInTransit, Description: "on its way", Geolocation: client.Set(client.Geolocation{Longitude: "-46.33", Latitude: "-23.96"}), HappenedAt: client.At(time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)),
	})).as(t, "TrackingEvent.Create")
	see(api.TrackingEvents.Update(ctx, o.ID, id, event.ID, client.TrackingEventInput{Status: "custom_drone"})).as(t, "TrackingEvent.Update")
	see(api.TrackingEvents.Get(ctx, o.ID, id, event.ID)).as(t, "TrackingEvent.Get")
	walk(t, "TrackingEvent.List", api.TrackingEvents.List(o.ID, id))
	done(api.TrackingEvents.Delete(ctx, o.ID, id, event.ID)).as(t, "TrackingEvent.Delete")
	see(api.FulfillmentOrders.Get(ctx, o.ID, id)).as(t, "FulfillmentOrder.Get")
	done(api.FulfillmentOrders.Delete(ctx, o.ID, id)).fails(t, "FulfillmentOrder.Delete")

	f := see(api.Fulfillments.Create(ctx, o.ID, client.FulfillmentInput{Status: client.TrackingInTransit, City: "Santos"})).as(t, "Fulfillment.Create")
	see(api.Fulfillments.Get(ctx, o.ID, f.ID)).as(t, "Fulfillment.Get")
	walk(t, "Fulfillment.List", api.Fulfillments.List(o.ID))
	done(api.Fulfillments.Delete(ctx, o.ID, f.ID)).as(t, "Fulfillment.Delete")

	for _, key := range []string{"555", "556"} {
		see(api.Invoices.Put(t.searching, o.ID, client.Invoice{Key: key, Link: "https://invoices.example/" + key})).as(t, "Invoice.Put")
	}
	see(api.Invoices.Of(t.searching, o.ID)).as(t, "Invoice.Of")
	t.externalInvoices(o.ID, id)
}

// externalInvoices visits the invoices of another system.
func (t *tour) externalInvoices(order client.ID, parcel ulid.ULID) {
	ctx, invoices := t.ctx, t.newest.ExternalInvoices
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
	carrier := see(t.api.Carriers.Create(t.ctx, shipping.CarrierInput{
		Name: "Post", CallbackURL: "https://post.example/rates", Types: shipping.Types{shipping.TypeToDoor}, CallbackLabelsURL: client.Set("https://post.example/labels"),
	})).as(t, "Carrier.Create")
	see(t.api.FulfillmentOrders.Update(t.ctx, order, parcel, client.FulfillmentOrderInput{Shipping: client.Set(client.FulfillmentShippingInput{
		Carrier: client.Set(client.FulfillmentCarrierInput{CarrierID: carrier.ID.String()}),
	})})).as(t, "FulfillmentOrder.Update carrier")
	calls, err := t.srv.RequestLabels(t.ctx, parcel)
	if err != nil {
		panic(err)
	}
	return calls[0].Labels[0].LabelID
}
