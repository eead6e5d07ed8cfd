package providers_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// provider returns what a payment app describes in the reference server's store.
func provider() providers.ProviderInput {
	return providers.ProviderInput{
		Name: "Cards", Description: "Cards", CheckoutJSURL: "https://pay.example/checkout.js", Currencies: []string{"ARS", "USD"},
		LogoURLs: map[providers.LogoSize]string{providers.LogoWide: "https://pay.example/w.png", providers.LogoSmall: "https://pay.example/s.png"},
		Methods: []providers.MethodOffer{{Type: providers.MethodTypeCreditCard, Methods: []string{"visa"}, Installments: &providers.InstallmentRules{
			Specification:       []providers.InstallmentOption{{Installments: 6, InterestRate: "0.065", MinimumPurchaseValue: []providers.Minimum{{Value: client.Cents(100), Currency: "ARS"}}}},
			MinInstallmentValue: []providers.Minimum{{Value: client.Cents(500), Currency: "ARS"}},
		}}, {Type: providers.MethodTypeCash}},
		Options: []providers.CheckoutOption{{
			ID: "8c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c11", Name: "Cards", Integration: providers.IntegrationTypeTransparent,
			BillingCountries: []string{"AR"}, MethodTypes: []providers.MethodType{providers.MethodTypeCreditCard},
		}},
		Rates: []providers.Rates{{Type: providers.MethodTypeCreditCard, Definition: []providers.RateDefinition{
			{PercentFee: "3.49", Days: 14, FlatFee: &providers.Amount{Value: client.Cents(40), Currency: "ARS"}, PlusTax: true},
		}}},
		Features: []providers.Feature{providers.FeatureGateway},
	}
}

// The reference server, which knows the rules from the contract alone, takes what Check lets
// pass, and gives it back.
func TestProvidersOnTheServer(t *testing.T) {
	ctx := t.Context()
	srv := clienttest.New(t)
	c := srv.Client()
	id, err := v202503.PaymentProviders(c).Create(ctx, provider())
	if err != nil {
		t.Fatal(err)
	}
	p, err := v202503.PaymentProviders(c).Get(ctx, id)
	if err != nil || p.ID != id || p.StoreID != srv.StoreID() || p.PublicName != "Cards" || p.Enabled == nil || !*p.Enabled {
		t.Fatalf("got %+v, %v", p, err)
	}
	if allowed := p.Methods[0].Installments.Allowed(client.Cents(3000), "ARS"); len(allowed) != 1 {
		t.Errorf("allowed %v", allowed)
	}
	in := p.Input()
	in.Enabled, in.PublicName = client.Set(false), "Your card"
	in.Authentication = &providers.Authentication{Type: providers.AuthenticationTypeOAuth, ClientID: "c", ClientSecret: "canary-s", RefreshToken: "canary-r", RefreshTokenURL: "https://pay.example/refresh"}
	if err := v202503.PaymentProviders(c).Update(ctx, id, in); err != nil {
		t.Fatal(err)
	}
	all, err := v1.PaymentProviders(srv.Client()).List().Collect(ctx)
	if err != nil || len(all) != 1 || *all[0].Enabled || all[0].PublicName != "Your card" {
		t.Errorf("got %+v, %v", all, err)
	}
	if err := in.CheckBeside(all, uuid.Nil); err == nil {
		t.Error("the ids of the options are free")
	}
	if _, err := v202503.PaymentProviders(c).Create(ctx, in); !errors.Is(err, client.ErrValidation) || strings.Contains(err.Error(), "canary") {
		t.Errorf("a second provider with the same option: got %v", err)
	}
	if all, err := v202503.PaymentProviders(srv.Client("read_payments")).List().Collect(ctx); err != nil || len(all) != 0 {
		t.Errorf("another app sees %v, %v", all, err)
	}
	if _, err := v202503.PaymentProviders(srv.Client("read_payments")).Create(ctx, provider()); !errors.Is(err, client.ErrForbidden) {
		t.Errorf("without write_payments: got %v", err)
	}
	in.Enabled = client.Set(true)
	if err := v202503.PaymentProviders(c).Update(ctx, id, in); err != nil {
		t.Error(err)
	}
	for name, list := range map[string]client.List[providers.StoreProvider]{
		"of the store": v202503.PaymentProviders(c).Options(), "switched on": v202503.PaymentOptions(c).List(), "in v1": v1.PaymentOptions(srv.Client()).List(),
	} {
		all, err := list.Collect(ctx)
		if err != nil || len(all) != 1 || string(all[0].ID) != id.String() || all[0].LogoURL == "" || len(all[0].Options) != 1 {
			t.Fatalf("options %s: %v, %v", name, all, err)
		}
		if o := all[0].Options[0]; string(o.ID) != in.Options[0].ID || o.Name != in.Options[0].Name || len(o.MethodTypes) == 0 || o.Integration == "" {
			t.Errorf("options %s: %+v", name, o)
		}
	}
	if err := v202503.PaymentProviders(c).Delete(ctx, id); err != nil {
		t.Error(err)
	}
	if _, err := v202503.PaymentProviders(c).Get(ctx, id); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("deleted: got %v", err)
	}
}

// What a provider takes off at its own checkout counts as paid, and is read back with the transaction.
func TestDiscountOnTheServer(t *testing.T) {
	ctx := t.Context()
	srv := clienttest.New(t)
	c := srv.Client()
	id, err := v202503.PaymentProviders(c).Create(ctx, provider())
	if err != nil {
		t.Fatal(err)
	}
	mug, err := v202503.Products(c).Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(2000))}},
	})
	if err != nil {
		t.Fatal(err)
	}
	order, err := v202503.Orders(c).Create(ctx, client.OrderInput{
		Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@mail.example"},
		Products: []client.OrderProductInput{{VariantID: mug.Variants[0].ID, Quantity: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	amount := func(cents int64) providers.Amount {
		return providers.Amount{Value: client.Cents(cents), Currency: order.Currency}
	}
	in := providers.TransactionInput{
		PaymentProviderID: id, PaymentMethod: providers.PaymentMethodInput{Type: providers.MethodTypeCash}, Info: providers.InfoInput{ExternalID: "p-77"},
		FirstEvent: providers.EventInput{
			Type: providers.EventTypeSale, Status: providers.EventSuccess, Amount: amount(1800), DiscountAmount: amount(201),
			HappenedAt: client.At(srv.Clock().Now()),
		},
	}
	if _, err := v202503.Transactions(c).Create(ctx, order.ID, in); !errors.Is(err, client.ErrValidation) || !strings.Contains(err.Error(), "discount_amount") {
		t.Errorf("more than the order costs: %v", err)
	}
	in.FirstEvent.DiscountAmount = amount(200)
	made, err := v202503.Transactions(c).Create(ctx, order.ID, in)
	if err != nil {
		t.Fatal(err)
	}
	if made.DiscountAmount == nil || *made.DiscountAmount != amount(200) || in.Differences(made) != nil {
		t.Errorf("took off %v, differs in %v", made.DiscountAmount, in.Differences(made))
	}
	if o, err := v202503.Orders(c).Get(ctx, order.ID); err != nil || o.PaymentStatus != client.PaymentPaid || o.TotalPaidByCustomer.String() != "18.00" {
		t.Errorf("the order: %+v, %v", o, err)
	}
	refund := in.FirstEvent
	refund.Type = providers.EventTypeRefund
	if _, err := v202503.Transactions(c).CreateEvent(ctx, order.ID, made.ID, refund); !errors.Is(err, client.ErrValidation) {
		t.Errorf("a discount of a later event: %v", err)
	}
	if _, _, err := v202503.Transactions(c).CreateEventOrGet(ctx, order.ID, made.ID, refund); !errors.Is(err, client.ErrValidation) {
		t.Errorf("a discount of a later event: %v", err)
	}
}
