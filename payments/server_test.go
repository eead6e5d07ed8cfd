package payments_test

import (
	"context"
	"crypto/rsa"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

// provider returns what a payment app describes in the reference server's store.
func provider() payments.ProviderInput {
	return payments.ProviderInput{
		Name: "Cards", Description: "Cards", CheckoutJSURL: "https://pay.example/checkout.js", Currencies: []string{"ARS", "USD"},
		LogoURLs: map[payments.LogoSize]string{payments.LogoWide: "https://pay.example/w.png", payments.LogoSmall: "https://pay.example/s.png"},
		Methods: []payments.MethodOffer{{Type: payments.MethodTypeCreditCard, Methods: []string{"visa"}, Installments: &payments.InstallmentRules{
			Specification:       []payments.InstallmentOption{{Installments: 6, InterestRate: "0.065", MinimumPurchaseValue: []payments.Minimum{{Value: client.Cents(100), Currency: "ARS"}}}},
			MinInstallmentValue: []payments.Minimum{{Value: client.Cents(500), Currency: "ARS"}},
		}}, {Type: payments.MethodTypeCash}},
		Options: []payments.CheckoutOption{{
			ID: "8c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c11", Name: "Cards", Integration: payments.IntegrationTypeTransparent,
			BillingCountries: []string{"AR"}, MethodTypes: []payments.MethodType{payments.MethodTypeCreditCard},
		}},
		Rates: []payments.Rates{{Type: payments.MethodTypeCreditCard, Definition: []payments.RateDefinition{
			{PercentFee: "3.49", Days: 14, FlatFee: &payments.Amount{Value: client.Cents(40), Currency: "ARS"}, PlusTax: true},
		}}},
		Features: []payments.Feature{payments.FeatureGateway},
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
	in.Authentication = &payments.Authentication{Type: payments.AuthenticationTypeOAuth, ClientID: "c", ClientSecret: "canary-s", RefreshToken: "canary-r", RefreshTokenURL: "https://pay.example/refresh"}
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
	for name, list := range map[string]client.List[payments.StoreProvider]{
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

// Every call of the platform is believed and answered as the platform wants it.
func TestCallsOfTheServer(t *testing.T) {
	ctx := t.Context()
	srv := clienttest.New(t)
	key, err := srv.PaymentKey()
	if err != nil {
		t.Fatal(err)
	}
	charge, err := srv.Charge(client.Cents(2550))
	if err != nil {
		t.Fatal(err)
	}
	c := srv.Client()
	common := payments.Callback{
		Keys: []*rsa.PublicKey{key}, Origin: "https://pay.example", Now: srv.Clock().Now,
		OnFailure: func(_ context.Context, f *payments.Failure) { t.Log(f) },
	}
	var refunds []payments.RefundRequest
	cancelled, broken := 0, true
	mux := http.NewServeMux()
	mux.Handle("/refunds", &payments.RefundHandler{Callback: common, Refund: func(ctx context.Context, r payments.RefundRequest) error {
		if refunds = append(refunds, r); len(refunds) == 2 {
			return payments.RefundRefusalRejected
		}
		if len(refunds) == 3 {
			return clienttest.Spend(ctx, 30*time.Second)
		}
		return nil
	}})
	mux.Handle("/process", &payments.ProcessHandler{Callback: common, Process: func(_ context.Context, r payments.ProcessRequest) (any, error) {
		if r.OrderID != charge.OrderID || r.StoreID != srv.StoreID() || r.PaymentAttemptID == "" || r.PaymentMethod.ID != "visa" || !r.Amount.Value.Equal(client.Cents(100)) || len(r.Extra) > 0 {
			t.Errorf("processed %+v", r)
		}
		return nil, nil
	}})
	mux.Handle("/cancel", &payments.CancelHandler{Callback: common, Cancel: func(context.Context, string) error {
		if cancelled++; cancelled < 3 {
			return errors.New("not now")
		}
		return nil
	}})
	mux.Handle("/status", &payments.StatusHandler{Callback: common, Status: func(ctx context.Context, order client.ID) ([]payments.Transaction, error) {
		return v202503.Transactions(c).List(order).Collect(ctx)
	}})
	mux.Handle("/refresh", &payments.RefreshHandler{Refresh: func(_ context.Context, r payments.RefreshRequest) (payments.Tokens, error) {
		if broken || !r.Proves("canary-s") {
			return payments.Tokens{}, payments.ErrInvalidClient
		}
		return payments.Tokens{AccessToken: "canary-a", RefreshToken: "canary-r2", ExpiresIn: time.Hour}, nil
	}})
	if err := errors.Join(srv.Partner("https://pay.example", mux), srv.SetPaymentURLs(clienttest.PaymentURLs{
		Process: "https://pay.example/process", Cancel: "https://pay.example/cancel", Status: "https://pay.example/status",
	})); err != nil {
		t.Fatal(err)
	}
	wants := func(status int, outcome string) func(clienttest.PaymentCall, error) {
		return func(c clienttest.PaymentCall, err error) {
			t.Helper()
			if err != nil || c.Status != status || c.Outcome != outcome {
				t.Errorf("got %s %d %s (%s), %v; want %d %s", c.Kind, c.Status, c.Outcome, c.Reason, err, status, outcome)
			}
		}
	}
	tx, err := v202503.Transactions(c).Get(ctx, charge.OrderID, charge.TransactionID)
	if err != nil {
		t.Fatal(err)
	}
	provider := tx.PaymentProviderID
	wants(201, "accepted")(srv.ProcessPayment(ctx, clienttest.PaymentAttempt{OrderID: charge.OrderID, ProviderID: provider, MethodType: "credit_card", MethodID: "visa", Amount: client.Cents(100)}))
	wants(503, "failed")(srv.CancelPayment(ctx, provider, "try 1"))
	srv.Clock().Advance(time.Hour)
	if calls := srv.PaymentCalls(); cancelled != 3 || calls[len(calls)-1].Outcome != "accepted" {
		t.Errorf("cancelled after %d calls, %+v", cancelled, calls[len(calls)-1])
	}
	wants(200, "accepted")(srv.PaymentStatus(ctx, provider, charge.OrderID))
	wants(202, "accepted")(srv.Refund(ctx, charge.TransactionID, client.Cents(1000)))
	wants(422, "rejected")(srv.Refund(ctx, charge.TransactionID, client.Cents(550)))
	wants(0, "failed")(srv.Refund(ctx, charge.TransactionID, client.Cents(551)))
	if len(refunds) != 3 || refunds[0].TransactionID != charge.TransactionID || refunds[0].PaymentProviderID != provider || !refunds[1].Amount.Value.Equal(client.Cents(550)) || len(refunds[0].Extra) > 0 {
		t.Errorf("refunds %+v", refunds)
	}
	if _, err := v202503.Transactions(c).CreateEvent(ctx, charge.OrderID, charge.TransactionID, refunds[0].Event(payments.EventSuccess)); err != nil {
		t.Error(err)
	}
	p, err := v202503.PaymentProviders(c).Get(ctx, provider)
	if err != nil {
		t.Fatal(err)
	}
	in := p.Input()
	in.Authentication = &payments.Authentication{Type: payments.AuthenticationTypeOAuth, ClientID: "c", ClientSecret: "canary-s", RefreshToken: "canary-r", RefreshTokenURL: "https://pay.example/refresh"}
	if err := v202503.PaymentProviders(c).Update(ctx, provider, in); err != nil {
		t.Fatal(err)
	}
	wants(401, "failed")(srv.RefreshPaymentToken(ctx, provider))
	broken = false
	wants(200, "accepted")(srv.RefreshPaymentToken(ctx, provider))
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
	amount := func(cents int64) payments.Amount {
		return payments.Amount{Value: client.Cents(cents), Currency: order.Currency}
	}
	in := payments.TransactionInput{
		PaymentProviderID: id, PaymentMethod: payments.PaymentMethodInput{Type: payments.MethodTypeCash}, Info: payments.InfoInput{ExternalID: "p-77"},
		FirstEvent: payments.EventInput{
			Type: payments.EventTypeSale, Status: payments.EventSuccess, Amount: amount(1800), DiscountAmount: amount(201),
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
	refund.Type = payments.EventTypeRefund
	if _, err := v202503.Transactions(c).CreateEvent(ctx, order.ID, made.ID, refund); !errors.Is(err, client.ErrValidation) {
		t.Errorf("a discount of a later event: %v", err)
	}
	if _, _, err := v202503.Transactions(c).CreateEventOrGet(ctx, order.ID, made.ID, refund); !errors.Is(err, client.ErrValidation) {
		t.Errorf("a discount of a later event: %v", err)
	}
}
