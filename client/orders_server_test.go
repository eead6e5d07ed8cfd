package client_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// watched returns a client of the server that fails the test on every value of an
// enum that is not known and on every time and amount in an unexpected form. Ids
// and counts in strings are the platform's habit in orders.
func watched(t *testing.T, srv *clienttest.Server) *client.Client {
	t.Helper()
	token, err := srv.Install()
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(client.Config{
		BaseURL: srv.URL(), StoreID: srv.StoreID(), Token: client.StaticToken(token), UserAgent: "Tests (tests@app.example)",
		HTTPClient: &http.Client{Transport: wrapped(srv.Transport())},
		OnDrift: func(_ context.Context, d client.Drift) {
			if *deviation == 0 {
				t.Errorf("%s: want %s, got %s", d.Path, d.Want, d.Got)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// got returns the value of a call that succeeded.
func got[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func bought(variant client.ID) client.OrderInput {
	return client.OrderInput{
		Customer:        client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"},
		Products:        []client.OrderProductInput{{VariantID: variant, Quantity: 2}},
		ShippingAddress: client.OrderAddressInput{Address: "Rua A", Number: "50", City: "Santos", Customs: map[string]string{"reference": "blue gate"}},
	}
}

func TestOrderLifeInEveryVersion(t *testing.T) {
	for name, readings := range map[string]clienttest.Readings{"default": {}, "published words": {PublishedShippingWords: true}} {
		t.Run(name, func(t *testing.T) { orderLife(t, newServer(t, clienttest.Options{Readings: readings})) })
	}
}

func orderLife(t *testing.T, srv *clienttest.Server) {
	c := watched(t, srv)
	ctx := t.Context()
	variant := product(ctx, c)

	old := v1.Orders(c)
	o := got(old.Create(ctx, bought(variant)))(t)
	if o.Status != client.OrderOpen || o.Total.String() != "21.00" || o.Number < 100 || o.ShippingStatus != client.ShippingStatusUnpacked {
		t.Errorf("created %s %s %d %s", o.Status, o.Total, o.Number, o.ShippingStatus)
	}
	if o = got(old.Pack(ctx, o.ID))(t); o.ShippingStatus.Common() != client.ShippingStatusUnfulfilled {
		t.Errorf("packed: %s", o.ShippingStatus)
	}
	if o = got(old.Fulfill(ctx, o.ID, v1.OrderFulfill{ShippingTrackingNumber: "BR1"}))(t); o.ShippingStatus.Common() != client.ShippingStatusFulfilled || o.ShippedAt.IsZero() {
		t.Errorf("fulfilled: %s at %s", o.ShippingStatus, o.ShippedAt)
	}
	if o = got(old.Update(ctx, o.ID, client.OrderUpdate{OwnerNote: client.Set("gift"), Status: client.OrderPaid}))(t); o.PaymentStatus != client.PaymentPaid || *o.OwnerNote != "gift" {
		t.Errorf("updated: %s", o.PaymentStatus)
	}
	if paid := got(old.Get(ctx, o.ID))(t).TotalPaid(); !paid.Equal(got(v202503.Orders(c).Get(ctx, o.ID))(t).TotalPaid()) {
		t.Errorf("v1 tells %s paid, 2025-03 another amount", paid)
	}

	newer := v202503.Orders(c)
	if o = got(newer.Close(ctx, o.ID))(t); o.Status != client.OrderClosed || o.ClosedAt.IsZero() {
		t.Errorf("closed: %s", o.Status)
	}
	if o = got(newer.Open(ctx, o.ID))(t); o.Status != client.OrderOpen || !o.ClosedAt.IsZero() {
		t.Errorf("opened: %s", o.Status)
	}
	if o = got(newer.Cancel(ctx, o.ID, client.OrderCancel{}))(t); o.Status != client.OrderCancelled || o.CancelReason != client.CancelReasonOther {
		t.Errorf("cancelled: %s for %s", o.Status, o.CancelReason)
	}
	if _, err := newer.Open(ctx, o.ID); !errors.Is(err, client.ErrValidation) {
		t.Errorf("opened a cancelled order: %v", err)
	}
	got(newer.ValueHistory(ctx, o.ID))(t)
	got(newer.EditionHistory(ctx, o.ID))(t)
	got(newer.Subscriptions(ctx, o.ID))(t)

	second := got(newer.Create(ctx, bought(variant)))(t)
	line := second.Products[0].ID
	edited := got(unstable.Orders(c).Edit(ctx, second.ID, client.OrderEdit{Products: []client.OrderEditProduct{{LineItemID: line, Quantity: 1}}}))(t)
	if edited.Products[0].Quantity != 1 || edited.Total.String() != "10.50" {
		t.Errorf("edited: %d pieces, %s", edited.Products[0].Quantity, edited.Total)
	}
	all := got(newer.List(client.OrderFilter{Aggregates: []client.Aggregate{client.AggregateFulfillmentOrders, client.AggregateCustomFields}}).Collect(ctx))(t)
	var crawled []client.ID
	for o, err := range newer.Crawl(client.OrderFilter{}).All(ctx) {
		crawled = append(crawled, got(o, err)(t).ID)
	}
	if want := []client.ID{o.ID, second.ID}; len(all) != 2 || !slices.Equal(crawled, want) {
		t.Errorf("%d orders listed, %v crawled, want %v", len(all), crawled, want)
	}
}

func TestFulfillmentOrdersOnTheServer(t *testing.T) {
	srv := newServer(t, clienttest.Options{})
	c := watched(t, srv)
	ctx := t.Context()
	o := got(v202503.Orders(c).Create(ctx, bought(product(ctx, c))))(t)
	list := got(v202503.FulfillmentOrders(c).List(o.ID, client.FulfillmentOrderFilter{CustomFields: true}).Collect(ctx))(t)
	if len(list) != 1 || list[0].Status != client.FulfillmentUnpacked || list[0].LineItems[0].Quantity != 2 {
		t.Fatalf("fulfillment orders: %+v", list)
	}
	id := list[0].ID
	place := client.FulfillmentPickupInput{Name: "Sur", PickupHours: client.Set([]client.PickupHoursInput{{Day: client.WeekdayMonday, Start: "0800", End: "1800"}})}
	moved := got(v202503.FulfillmentOrders(c).Update(ctx, o.ID, id, client.FulfillmentOrderInput{Shipping: client.Set(client.FulfillmentShippingInput{
		Option:        client.Set(client.FulfillmentOptionInput{AllowFreeShipping: client.Set(true)}),
		PickupDetails: client.Set(place), Extras: client.Set(client.ShippingExtrasInput{AcceptsCOD: client.Set(true)}),
	})}))(t)
	if s := moved.Shipping; !s.Option.AllowFreeShipping || !s.Extras.AcceptsCOD || s.PickupDetails.Name != "Sur" || s.PickupDetails.PickupHours[0].Day != client.WeekdayMonday {
		t.Errorf("shipping: %+v", s)
	}
	got(v202503.FulfillmentOrders(c).Update(ctx, o.ID, id, client.FulfillmentOrderInput{Status: client.FulfillmentPacked, Recipient: client.Set(client.RecipientInput{Name: "Bia"})}))(t)
	got(v202503.FulfillmentOrders(c).Update(ctx, o.ID, id, client.FulfillmentOrderInput{Status: client.FulfillmentDispatched, TrackingInfo: client.Set(client.TrackingInfoInput{Code: client.Set("BR1")})}))(t)
	event := got(v202503.TrackingEvents(c).Create(ctx, o.ID, id, client.TrackingEventInput{Status: client.TrackingInTransit, Geolocation: client.Set(client.Geolocation{Longitude: "-46.33", Latitude: "-23.96"})}))(t)
	if event = got(v202503.TrackingEvents(c).Update(ctx, o.ID, id, event.ID, client.TrackingEventInput{Status: "custom_drone"}))(t); event.Status != "custom_drone" {
		t.Errorf("event: %s", event.Status)
	}
	got(v202503.TrackingEvents(c).Get(ctx, o.ID, id, event.ID))(t)
	if err := v202503.TrackingEvents(c).Delete(ctx, o.ID, id, event.ID); err != nil {
		t.Error(err)
	}
	if events := got(v202503.TrackingEvents(c).List(o.ID, id).Collect(ctx))(t); len(events) != 0 {
		t.Errorf("%d events after Delete", len(events))
	}
	if err := v202503.FulfillmentOrders(c).Delete(ctx, o.ID, id); !errors.Is(err, client.ErrValidation) {
		t.Errorf("deleted a fulfillment order with products: %v", err)
	}
	got(v202503.Fulfillments(c).Create(ctx, o.ID, client.FulfillmentInput{Status: client.TrackingInTransit, City: "Santos"}))(t)
	if legacy := got(v202503.Fulfillments(c).List(o.ID).Collect(ctx))(t); len(legacy) == 0 || legacy[0].OrderID != o.ID {
		t.Errorf("legacy fulfillments: %+v", legacy)
	}
	fo := got(v202503.FulfillmentOrders(c).Get(ctx, o.ID, id))(t)
	if fo.Recipient.Name != "Bia" || *fo.TrackingInfo.Code != "BR1" || len(fo.StatusHistory) < 2 {
		t.Errorf("got %+v", fo)
	}
}

// A new destination kept the floor and the reference of the old one, and a new recipient the phone and the document: an
// input could not say that there is none.
func TestFulfillmentOrderMovesToAPlaceWithoutFloor(t *testing.T) {
	ctx, c := t.Context(), watched(t, newServer(t))
	o := got(v202503.Orders(c).Create(ctx, bought(product(ctx, c))))(t)
	move := func(to client.FulfillmentAddressInput, who client.RecipientInput) *client.FulfillmentOrder {
		return got(v202503.FulfillmentOrders(c).Update(ctx, o.ID, o.FulfillmentOrders()[0].ID, client.FulfillmentOrderInput{Destination: client.Set(to), Recipient: client.Set(who)}))(t)
	}
	first := move(client.FulfillmentAddressInput{Street: "Mitre", Number: client.Set("15"), Floor: client.Set("8"), Locality: client.Set("Centro"),
		Reference: client.Set("580A"), BetweenStreets: client.Set("Salta y Jujuy")}, client.RecipientInput{Name: "Ana", Phone: client.Set("555"), Identifier: client.Set("30")})
	if d := first.Destination; d.Floor != "8" || d.Reference != "580A" || first.Recipient.Identifier != "30" {
		t.Fatalf("got %+v, %+v", d, first.Recipient)
	}
	none := client.Null[string]()
	f := move(client.FulfillmentAddressInput{Street: "Route 9", Number: none, Floor: none, Locality: none, Reference: none, BetweenStreets: none},
		client.RecipientInput{Name: "Bia", Phone: none, Identifier: none})
	if d, r := f.Destination, f.Recipient; d.Street != "Route 9" || d.Number+client.Code(d.Floor+d.Locality+d.Reference+d.BetweenStreets) != "" || r.Name != "Bia" || r.Phone+string(r.Identifier) != "" {
		t.Errorf("got %+v, %+v, want nothing of the former place and recipient", d, r)
	}
}

func TestDraftsOnTheServer(t *testing.T) {
	srv := newServer(t, clienttest.Options{})
	c := watched(t, srv)
	ctx := t.Context()
	in := client.DraftOrderInput{ContactName: "Ana", ContactLastname: "Lima", ContactEmail: "ana@shop.example", Note: "by phone", PaymentStatus: client.PaymentUnpaid,
		Products: []client.DraftProductInput{{VariantID: product(ctx, c), Quantity: 1}},
		Shipping: client.Set(client.DraftShippingInput{Cost: client.Set(client.Cents(500)), ShippingAddress: client.DraftAddressInput{Address: "Rua A", City: "Santos"}})}
	d := got(v202503.DraftOrders(c).Create(ctx, in))(t)
	if d = got(v202503.DraftOrders(c).Get(ctx, d.ID))(t); d.Number != 0 || d.OwnerNote == nil || *d.OwnerNote != "by phone" || !d.CompletedAt.IsZero() {
		t.Errorf("draft: %+v", d)
	}
	if drafts := got(v202503.DraftOrders(c).List().Collect(ctx))(t); len(drafts) != 1 {
		t.Errorf("%d drafts, want one", len(drafts))
	}
	if err := v202503.DraftOrders(c).Delete(ctx, d.ID); err != nil {
		t.Error(err)
	}
	if _, err := v202503.DraftOrders(c).Confirm(ctx, d.ID); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("confirmed a deleted draft: %v", err)
	}
	if none := got(v202503.Checkouts(c).List(client.CheckoutFilter{}).Collect(ctx))(t); len(none) != 0 {
		t.Errorf("%d checkouts, want none", len(none))
	}
}
