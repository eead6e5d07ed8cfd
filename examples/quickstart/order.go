package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// standing is the expected state of an order.
type standing struct {
	payment  client.PaymentStatus
	shipping []client.ShippingStatus // one of them
	total    client.Money
	paid     client.Money
}

// sell takes an order from creation to shipping: it is created, paid, packed and shipped, and remains in the store. It
// does not change the stock, so the catalog still equals the file.
func (s *session) sell(ctx context.Context) error {
	if !s.o.order {
		s.t.note("skipped: -order creates an order, which remains in the store")
		return nil
	}
	goods := s.priced(2)
	if len(goods) == 0 {
		s.t.note("skipped: no imported variant has a price")
		return nil
	}
	order, must, err := s.takeOrder(ctx, goods)
	if err != nil {
		return err
	}
	paid, err := s.pay(ctx, order)
	if err != nil {
		return err
	}
	if paid {
		must.payment, must.paid = client.PaymentPaid, must.total
		if err := s.checkOrder(ctx, "paid", order.ID, must, webhook.OrderPaid, webhook.OrderUpdated); err != nil {
			return err
		}
	}
	return s.ship(ctx, order, must)
}

// takeOrder creates an order of one piece of each variant, and returns its expected state.
func (s *session) takeOrder(ctx context.Context, goods []client.Variant) (*client.Order, standing, error) {
	shipping := client.Cents(500)
	in := client.OrderInput{
		Customer:             client.OrderCustomerInput{Name: "Ana Lima", Email: "ana@mail.example"},
		ShippingAddress:      client.OrderAddressInput{FirstName: "Ana", LastName: "Lima", Address: "Example Street", Number: "1", City: "Springfield", Zipcode: "1000"},
		ShippingPickupType:   client.PickupTypeShip,
		Shipping:             "not-provided",
		ShippingOption:       "Courier",
		ShippingCostCustomer: client.Set(shipping),
		InventoryBehaviour:   client.InventoryBehaviourBypass,
	}
	prices := []client.Money{shipping}
	for _, v := range goods {
		in.Products = append(in.Products, client.OrderProductInput{VariantID: v.ID, Quantity: 1})
		prices = append(prices, *v.Price)
	}
	total, err := client.Money{}.Add(prices...)
	if err != nil {
		return nil, standing{}, err
	}
	order, err := v202503.Orders(s.client).Create(ctx, in)
	if err != nil {
		return nil, standing{}, err
	}
	must := standing{payment: client.PaymentPending, shipping: []client.ShippingStatus{client.ShippingStatusUnpacked}, total: total}
	s.t.check(len(order.Products) == len(goods), "order %d of %s, and %s for shipping", order.Number, count(len(order.Products), "product", "products"), shipping)
	return order, must, s.checkOrder(ctx, "created", order.ID, must, webhook.OrderCreated)
}

// checkOrder reads the order after an action, and expects the webhooks of the action.
func (s *session) checkOrder(ctx context.Context, act string, id client.ID, must standing, tell ...webhook.Event[webhook.Entity]) error {
	for _, e := range tell {
		s.inbox.expect(e, id)
	}
	o, err := v202503.Orders(s.client).Get(ctx, id)
	if err != nil {
		return err
	}
	var c comparison
	c.that(o.Status == client.OrderOpen, "status", o.Status, client.OrderOpen)
	c.that(o.PaymentStatus == must.payment, "payment_status", o.PaymentStatus, must.payment)
	c.that(slices.Contains(must.shipping, o.ShippingStatus.Common()), "shipping_status", o.ShippingStatus, must.shipping)
	c.that(o.Total.Equal(must.total), "total", o.Total, must.total)
	c.that(o.TotalPaid().Equal(must.paid), "total_paid", o.TotalPaid(), must.paid)
	s.t.check(len(c.differ) == 0, "%-8s %s, payment %s, shipping %s, total %s %s, paid %s", act+":", o.Status, o.PaymentStatus, o.ShippingStatus, o.Total, o.Currency, o.TotalPaid())
	s.t.list(c.differ)
	return nil
}

// pay reports a payment of the whole order. Only payment apps may, and only for their own provider. If this app may
// not, paid is false.
func (s *session) pay(ctx context.Context, o *client.Order) (paid bool, err error) {
	provider, err := s.provider(ctx, o.Currency)
	if errors.Is(err, client.ErrForbidden) {
		s.t.note("not paid: the app is no payment app")
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if provider == uuid.Nil {
		s.t.note("not paid: the app has no payment provider in the store")
		return false, nil
	}
	tx, err := v202503.Transactions(s.client).Create(ctx, o.ID, providers.TransactionInput{
		PaymentProviderID: provider,
		PaymentMethod:     providers.PaymentMethodInput{Type: providers.MethodTypeCash},
		FirstEvent: providers.EventInput{
			Amount: providers.Amount{Value: o.Total, Currency: o.Currency}, Type: providers.EventTypeSale, Status: providers.EventSuccess,
		},
		Info: providers.InfoInput{ExternalID: fmt.Sprintf("quickstart-%d", o.ID)},
	})
	if err != nil {
		return false, err
	}
	s.t.check(tx.Status == providers.StatusPaid, "transaction by %s: %s", tx.PaymentMethod.Type, tx.Status)
	return true, nil
}

// provider returns the app's payment provider in the store; uuid.Nil if there is none. The demonstration creates one.
// In a real store, customers would see it.
func (s *session) provider(ctx context.Context, currency string) (uuid.UUID, error) {
	there, err := v202503.PaymentProviders(s.client).List().Collect(ctx)
	switch {
	case err != nil:
		return uuid.Nil, err
	case len(there) > 0:
		return there[0].ID, nil
	case s.demo == nil:
		return uuid.Nil, nil
	}
	return v202503.PaymentProviders(s.client).Create(ctx, cash(currency, s.store.Country))
}

// cash describes a payment provider that counts cash.
func cash(currency, country string) providers.ProviderInput {
	const site = "https://app.example"
	return providers.ProviderInput{
		Name:          "Quickstart",
		Description:   "Cash, counted by the quickstart",
		LogoURLs:      map[providers.LogoSize]string{providers.LogoWide: site + "/wide.png", providers.LogoSmall: site + "/small.png"},
		Currencies:    []string{currency},
		Methods:       []providers.MethodOffer{{Type: providers.MethodTypeCash, Methods: []string{"cash"}}},
		CheckoutJSURL: site + "/checkout.js",
		Options: []providers.CheckoutOption{{
			ID: "5f0c4a56-8d0e-4c0e-9c38-3a1f6f1d2b70", Name: "Cash", BillingCountries: []string{country},
			MethodTypes: []providers.MethodType{providers.MethodTypeCash}, Integration: providers.IntegrationTypeRedirect,
		}},
	}
}

// ship packs all of the order and sends it on its way with a tracking code.
func (s *session) ship(ctx context.Context, o *client.Order, must standing) error {
	parts, err := s.parts(ctx, o.ID)
	if err != nil {
		return err
	}
	pack := client.FulfillmentOrderInput{Status: client.FulfillmentPacked}
	if err := s.advance(ctx, o.ID, parts, pack); err != nil {
		return err
	}
	must.shipping = []client.ShippingStatus{client.ShippingStatusPacked, client.ShippingStatusUnfulfilled} // equivalent words
	if err := s.checkOrder(ctx, "packed", o.ID, must, webhook.OrderPacked, webhook.OrderUpdated); err != nil {
		return err
	}
	code := fmt.Sprintf("QS-%d", o.Number)
	dispatch := client.FulfillmentOrderInput{
		Status: client.FulfillmentDispatched,
		TrackingInfo: client.Set(client.TrackingInfoInput{
			Code: client.Set(code), URL: client.Set("https://tracking.example/" + code),
		}),
	}
	if err := s.advance(ctx, o.ID, parts, dispatch); err != nil {
		return err
	}
	must.shipping = []client.ShippingStatus{client.ShippingStatusFulfilled}
	return s.checkOrder(ctx, "shipped", o.ID, must, webhook.OrderFulfilled, webhook.OrderUpdated)
}

// parts returns the fulfillment orders of an order. The platform creates them some time after the order.
func (s *session) parts(ctx context.Context, order client.ID) ([]client.FulfillmentOrder, error) {
	const pause = time.Second
	limit := time.Now().Add(s.o.wait)
	for {
		parts, err := v202503.FulfillmentOrders(s.client).List(order, client.FulfillmentOrderFilter{}).Collect(ctx)
		if err != nil || len(parts) > 0 {
			return parts, err
		}
		if time.Now().After(limit) {
			return nil, fmt.Errorf("order %d has no fulfillment orders after %s", order, s.o.wait)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// advance brings every fulfillment order to the status of in, and expects a webhook for each.
func (s *session) advance(ctx context.Context, order client.ID, parts []client.FulfillmentOrder, in client.FulfillmentOrderInput) error {
	tracking, tracked := in.TrackingInfo.Get()
	for _, part := range parts {
		got, err := v202503.FulfillmentOrders(s.client).Update(ctx, order, part.ID, in)
		if err != nil {
			return err
		}
		s.inbox.want(statusFact(part.ID.String(), string(in.Status)))
		ok, with := got.Status == in.Status, ""
		if tracked {
			code := trackingCode(got)
			ok, with = ok && code == tracking.Code.Or(""), fmt.Sprintf(", tracking code %q", code)
		}
		s.t.check(ok, "fulfillment order %s of %s: %s%s", got.Number, count(int(got.TotalQuantity), "piece", "pieces"), got.Status, with)
	}
	return nil
}

// trackingCode returns the tracking code of a fulfillment order; empty if it has none.
func trackingCode(f *client.FulfillmentOrder) string {
	if f.TrackingInfo == nil || f.TrackingInfo.Code == nil {
		return ""
	}
	return string(*f.TrackingInfo.Code)
}
