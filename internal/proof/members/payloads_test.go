package members_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/payments"
)

// TestMembersOfCallbacks has the platform call the app in every way. Each field of a payload must have its member in a
// body, and a value when a function of the app gets it, and each member must have a field.
func TestMembersOfCallbacks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := openPartner(t)
		p.fillCart(t)
		p.askForRates(t)
		p.askForLabels(t)
		p.askForPayments(t)
		p.sendEvents(t)
		p.mu.Lock()
		defer p.mu.Unlock()
		r := &p.received
		// A name that differs shows in each of these, so that only the first one is reported that finds something.
		for _, found := range [][]string{r.unnamed(), r.failures(), r.unfilled(), r.spares()} {
			for _, text := range found {
				t.Error(text)
			}
			if len(found) > 0 {
				return
			}
		}
	})
}

// unnamed returns the fields whose member is in no body, or is listed as such and is in one.
func (r *received) unnamed() (all []string) {
	for kind, came := range r.kinds {
		if !came {
			all = append(all, kind.String()+": no callback with this payload was sent")
		}
	}
	for field, met := range r.named {
		switch why, listed := unsent[field]; {
		case !met && !listed:
			all = append(all, field+": the server never sends the member")
		case met && listed:
			all = append(all, field+": is listed as never sent ("+why+"), but it is")
		}
	}
	for field := range unsent {
		if _, ok := r.named[field]; !ok {
			all = append(all, field+": is listed as never sent, but no payload has it")
		}
	}
	return all
}

// failures returns what handlers have reported, each text once.
func (r *received) failures() []string { return slices.Compact(slices.Sorted(slices.Values(r.failed))) }

// unfilled returns the fields of companion packages that never had a value.
func (r *received) unfilled() (all []string) {
	for field, filled := range r.filled {
		switch why, listed := unfilled[field]; {
		case !filled && !listed && unsent[field] == "" && !strings.HasPrefix(field, "client."):
			all = append(all, field+": no payload has a value in it")
		case filled && listed:
			all = append(all, field+": is listed as never filled ("+why+"), but it is")
		}
	}
	for field := range unfilled {
		if _, ok := r.filled[field]; !ok {
			all = append(all, field+": is listed as never filled, but no payload has it")
		}
	}
	return all
}

// spares returns the members of records that no field takes.
func (r *received) spares() (all []string) {
	for record, members := range r.extra {
		for name := range members {
			if spare[record+" "+name] == "" {
				all = append(all, record+": no field takes the member "+name)
			}
		}
	}
	return all
}

// spare are the members that have no field, with the reason.
var spare = map[string]string{"webhook.Fulfillment id": "the contract shows no member of the event"}

// unsent are the fields whose member no callback has, with the reason.
var unsent = map[string]string{
	"client.FreeShippingInfo.ConsumerOriginalCost": "no delivery is free by a rule of the store",
	"client.FreeShippingInfo.FreeShippingID":       "no delivery is free by a rule of the store",
	"client.FulfillmentLine.CustomFields":          "only responses to requests that ask for them have it",
}

// unfilled are the fields whose member is always null or empty, with the reason.
var unfilled = map[string]string{
	"shipping.Requester.UserID": "the server has no users of a store",
}

// fillCart has carts sent in which nothing is empty.
func (p *partner) fillCart(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	_, err := unstable.Promotions(p.client).Create(ctx, promotions.Input{
		Name: "Bundle", Tier: promotions.TierCrossItems, Active: client.Set(true),
	})
	must(t, err)
	p.commands = func(cart *discounts.Cart, own []promotions.Promotion, out *discounts.Commands) error {
		for _, promotion := range own {
			if promotion.Tier == promotions.TierLineItems && cart.Tier == promotion.Tier {
				line := discounts.LineDiscount{Line: cart.Products[0].ID, Amount: amounts()[0].(discounts.Amount)}
				out.DiscountLines(promotion.ID, cart.Currency, nil, line)
			}
		}
		return nil
	}
	basket := p.cart(t)
	to := clienttest.Destination{Country: "AR", City: "Rosario", Zipcode: "2000", Cost: client.Cents(500)}
	_, err = basket.SetDestination(ctx, to)
	must(t, err)
	_, err = basket.ApplyCoupon(ctx, "BACK")
	must(t, err)
	_, err = basket.SetPayment(ctx, clienttest.Payment{Method: "credit_card", CreditCardCompany: "visa", Installments: 3})
	must(t, err)
}

// cart begins a cart with an article that has all that articles can have, and a kit.
func (p *partner) cart(t *testing.T) *clienttest.Basket {
	t.Helper()
	ctx := t.Context()
	below := func(parent client.ID) client.ID {
		c, err := unstable.Categories(p.client).Create(ctx, client.CategoryInput{Name: client.Plain("Green"), Parent: client.Set(parent)})
		must(t, err)
		return c.ID
	}
	category := below(p.id(t, "/categories"))
	below(category)
	product, err := unstable.Products(p.client).Create(ctx, client.ProductInput{
		Name: client.Plain("Pot"), Attributes: []client.Text{client.Plain("Size")}, FreeShipping: client.Set(true),
		Categories: client.Set([]client.ID{category}),
		Variants: []client.VariantInput{{
			Values: []client.Text{client.Plain("S")}, Price: client.Set(client.Cents(12050)),
			PromotionalPrice: client.Set(client.Cents(10050)), Weight: client.Set(client.Measure("1.5")),
		}},
	})
	must(t, err)
	kit, err := unstable.Products(p.client).Get(ctx, p.id(t, "/kits"))
	must(t, err)
	basket, err := p.srv.Shop(clienttest.ShopOptions{Signed: true}).NewCart(clienttest.Visitor{
		CustomerID: p.id(t, "/customers"), SoldBy: "77", Language: "es",
		UTM: []clienttest.UTM{{Source: "s", Medium: "m", Campaign: "c", Term: "t", Content: "n", Timestamp: 1700000000}},
	})
	must(t, err)
	_, err = basket.Add(ctx, product.Variants[0].ID, 2)
	must(t, err)
	_, err = basket.Add(ctx, kit.Variants[0].ID, 1)
	must(t, err)
	return basket
}

// id returns an id of the shop.
func (p *partner) id(t *testing.T, collection string) client.ID {
	t.Helper()
	id, err := client.ParseID(p.ids[collection])
	must(t, err)
	return id
}

// askForRates has a rate callback sent in which nothing is empty.
func (p *partner) askForRates(t *testing.T) {
	t.Helper()
	carrier, option := p.id(t, "/shipping_carriers"), p.id(t, "/shipping_carriers/{}/options")
	_, err := unstable.Carriers(p.client).UpdateOption(t.Context(), carrier, option, optionInput())
	must(t, err)
	quote, err := p.srv.Quote(t.Context(), parcel(1500))
	must(t, err)
	for _, c := range quote.Calls {
		if c.Status != http.StatusUnprocessableEntity { // which the app answers where it does not go
			p.noted("rates", c.Reason)
		}
	}
}

// noted adds the reason why a callback was not answered as it should be to what handlers have reported; "" is none.
func (p *partner) noted(callback, reason string) {
	if p.mu.Lock(); reason != "" {
		p.received.failed = append(p.received.failed, callback+": "+reason)
	}
	p.mu.Unlock()
}

// optionInput is what the merchant adds to the option of a carrier.
func optionInput() carriers.OptionInput {
	return carriers.OptionInput{
		AdditionalDays: client.Set(2), AllowFreeShipping: client.Set(true),
		AdditionalCost: client.Set(client.MoneyNumber{Money: client.Cents(1500)}),
	}
}

// parcel returns a parcel in which nothing is empty.
func parcel(grams int) clienttest.Parcel {
	return clienttest.Parcel{
		CartID: 5, Language: "es",
		To: clienttest.ShippingAddress{
			Name: "Ana", Address: "Mitre", Number: "25", Floor: "2 B", Locality: "Centro", City: "Rosario",
			Province: "Santa Fe", Country: "AR", PostalCode: "2000", Phone: "+543415550000",
		},
		Items: []clienttest.ParcelItem{{
			ID: 11, ProductID: 1, Name: "Mate", SKU: "MATE", Quantity: 2, FreeShipping: true, Grams: grams,
			Price: client.Cents(1999), Cost: client.Cents(850), Width: "12", Height: "10", Depth: "10.5",
		}},
	}
}

// askForLabels has a label asked for that fails, and another that is made and changed. Both are of a fulfillment order
// with an event that has a place.
func (p *partner) askForLabels(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	parcel := ulid.MustParse(p.ids["/orders/{}/fulfillment-orders"])
	event := values[client.TrackingEventInput](newFiller(nil))
	_, err := unstable.TrackingEvents(p.client).Create(ctx, p.id(t, "/orders"), parcel, event)
	must(t, err)
	must(t, unstable.Labels(p.client).Request(ctx, parcel)) // the platform calls for it too, and names the app
	must(t, p.srv.Settle(ctx))
	var label ulid.ULID
	for _, in := range []client.LabelInput{
		{
			Status: client.LabelFailed,
			Reason: client.Set(client.LabelReasonInput{Type: "OTHER_ERROR", Message: "no address"}),
		},
		{
			Status:       client.LabelReadyToDownload,
			TrackingInfo: client.Set(client.LabelTrackingInput{Code: "T1", URL: "https://post.example/T1"}),
			Documents: []client.LabelDocumentInput{
				{Type: "LABEL", Format: "PDF", Size: 10, DownloadURLFromApp: "https://post.example/1.pdf"},
			},
		},
	} {
		calls, err := p.srv.RequestLabels(ctx, parcel)
		must(t, err)
		label = calls[0].Labels[0].LabelID
		must(t, unstable.Labels(p.client).Update(ctx, parcel, label, client.LabelInput{Status: client.LabelInProgress}))
		must(t, unstable.Labels(p.client).Update(ctx, parcel, label, in))
	}
	for _, change := range []func(context.Context, ...ulid.ULID) ([]clienttest.LabelCall, error){
		p.srv.SuspendLabels, p.srv.ReactivateLabels, p.srv.CancelLabels,
	} {
		calls, err := change(ctx, label)
		must(t, err)
		p.noted(calls[0].Kind, calls[0].Reason)
	}
}

// askForPayments has the platform make each call about payments.
func (p *partner) askForPayments(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	p.tokens = payments.Tokens{AccessToken: "access", RefreshToken: "second", ExpiresIn: time.Hour}
	provider := uuid.MustParse(p.ids["/payment_providers"])
	accepted := func(c clienttest.PaymentCall, err error) {
		t.Helper()
		must(t, err)
		p.noted(c.Kind, c.Reason)
	}
	accepted(p.srv.ProcessPayment(ctx, p.attempt(t)))
	accepted(p.srv.CancelPayment(ctx, provider, "attempt"))
	accepted(p.srv.PaymentStatus(ctx, provider, p.id(t, "/orders")))
	accepted(p.srv.Refund(ctx, uuid.MustParse(p.ids["/orders/{}/transactions"]), client.Cents(100)))
	accepted(p.srv.RefreshPaymentToken(ctx, provider))
}

func (p *partner) attempt(t *testing.T) clienttest.PaymentAttempt {
	return clienttest.PaymentAttempt{
		OrderID: p.id(t, "/orders"), ProviderID: uuid.MustParse(p.ids["/payment_providers"]),
		MethodType: "credit_card", MethodID: "visa", Amount: client.Cents(100),
	}
}

// sendEvents has every operation called with filled arguments, which sends most events, and the platform do what no
// operation does.
func (p *partner) sendEvents(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	_, err := unstable.AppSubscriptions(p.client).Update(ctx, "app-cost", p.srv.App().ID,
		client.AppSubscriptionInput{PlanID: p.plan(t, "large")})
	must(t, err)
	parcel := ulid.MustParse(p.ids["/orders/{}/fulfillment-orders"])
	delivered := client.FulfillmentOrderInput{Status: client.FulfillmentDelivered}
	_, err = unstable.FulfillmentOrders(p.client).Update(ctx, p.id(t, "/orders"), parcel, delivered)
	must(t, err)
	charge := p.charge(t)
	must(t, p.srv.FailCharge(charge))
	must(t, p.srv.PayCharge(charge))
	for event, fields := range emitted {
		must(t, p.srv.Emit(event, fields))
	}
	must(t, p.srv.Settle(ctx))
	p.bare = false
	config := p.config(t)
	before := p.srv.Snapshot()
	for _, o := range operations(t, config, p.srv.App()) {
		if !strings.HasPrefix(o.name, "unstable") {
			continue
		}
		for _, zero := range o.variants() {
			p.srv.Restore(before)
			_, _ = o.invoke(ctx, newFiller(zero)) // a refusal sends nothing
			must(t, p.srv.Settle(ctx))
		}
	}
	p.srv.Restore(before)
	must(t, p.srv.Uninstall())
	must(t, p.srv.Settle(ctx))
}

// charge returns a charge that is to be paid.
func (p *partner) charge(t *testing.T) uuid.UUID {
	t.Helper()
	charge, err := unstable.Charges(p.client).Create(t.Context(), p.srv.App().ID, client.ChargeInput{
		Description: "A month", FromDate: day(1), ToDate: day(2), ConceptCode: "app-cost", AmountCurrency: "ARS",
		AmountValue: client.MoneyNumber{Money: client.Cents(1000)},
	})
	must(t, err)
	return charge.ID
}

// emitted are the events that only the platform itself causes, with their members by the contract.
var emitted = map[string]map[string]any{
	"app/suspended": nil, "app/resumed": nil, "domain/updated": nil, "fulfillment/updated": nil,
	"customers/redact": {
		"customer":         map[string]any{"id": 1, "email": "a@shop.example", "phone": "+5511999", "identification": "123"},
		"orders_to_redact": []int{213, 3415},
	},
	"customers/data_request": {
		"customer":         map[string]any{"id": 1, "email": "a@shop.example", "phone": "+5511999", "identification": "123"},
		"orders_requested": []int{213}, "checkouts_requested": []int{214}, "drafts_orders_requested": []int{10},
		"data_request": map[string]any{"id": 456},
	},
}
