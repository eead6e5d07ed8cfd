package payments_test

import (
	"context"
	"crypto/rsa"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

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
	mux.Handle("/status", &payments.StatusHandler{Callback: common, Status: func(ctx context.Context, order client.ID) ([]providers.Transaction, error) {
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
	if _, err := v202503.Transactions(c).CreateEvent(ctx, charge.OrderID, charge.TransactionID, refunds[0].Event(providers.EventSuccess)); err != nil {
		t.Error(err)
	}
	p, err := v202503.PaymentProviders(c).Get(ctx, provider)
	if err != nil {
		t.Fatal(err)
	}
	in := p.Input()
	in.Authentication = &providers.Authentication{Type: providers.AuthenticationTypeOAuth, ClientID: "c", ClientSecret: "canary-s", RefreshToken: "canary-r", RefreshTokenURL: "https://pay.example/refresh"}
	if err := v202503.PaymentProviders(c).Update(ctx, provider, in); err != nil {
		t.Fatal(err)
	}
	wants(401, "failed")(srv.RefreshPaymentToken(ctx, provider))
	broken = false
	wants(200, "accepted")(srv.RefreshPaymentToken(ctx, provider))
}
