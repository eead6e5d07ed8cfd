package payments_test

import (
	"context"
	"crypto/rsa"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

// desk is a platform with a transaction of 25.50 that was paid by card, and what handlers
// have in common there.
func desk() (*clienttest.Server, clienttest.Charge, payments.Callback, uuid.UUID) {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	key, err := srv.PaymentKey() // a real one is read from a file, by ParseKeys
	if err != nil {
		log.Fatal(err)
	}
	charge, err := srv.Charge(client.Cents(2550))
	if err != nil {
		log.Fatal(err)
	}
	err = srv.SetPaymentURLs(clienttest.PaymentURLs{Process: "https://pay.example/process", Cancel: "https://pay.example/cancel", Status: "https://pay.example/status"})
	if err != nil {
		log.Fatal(err)
	}
	common := payments.Callback{Keys: []*rsa.PublicKey{key}, Origin: "https://pay.example", Now: srv.Clock().Now}
	tx, err := v202503.Transactions(srv.Client()).Get(context.Background(), charge.OrderID, charge.TransactionID)
	if err != nil {
		log.Fatal(err)
	}
	return srv, charge, common, tx.PaymentProviderID
}

// at puts a handler at the address of the app.
func at(srv *clienttest.Server, h http.Handler) {
	if err := srv.Partner("https://pay.example", h); err != nil {
		log.Fatal(err)
	}
}

func show(c clienttest.PaymentCall, err error) {
	fmt.Println(c.Kind, c.Status, c.Outcome, c.ErrorCode, err)
}

// A refund is begun once. While it is in process, another of the transaction is refused.
func ExampleRefundHandler() {
	srv, charge, common, _ := desk()
	defer srv.Close()
	begun := map[uuid.UUID]bool{} // a real one is a table
	at(srv, &payments.RefundHandler{Callback: common, Refund: func(_ context.Context, r payments.RefundRequest) error {
		if begun[r.TransactionID] {
			return payments.RefundRefusalAlreadyInProcess
		}
		begun[r.TransactionID] = true
		return nil
	}})
	show(srv.Refund(context.Background(), charge.TransactionID, client.Cents(1000)))
	show(srv.Refund(context.Background(), charge.TransactionID, client.Cents(500)))
	// Output:
	// refund 202 accepted  <nil>
	// refund 422 rejected refund_already_in_process <nil>
}

// operation is a refund in the journal of the app, which is a table in a real one.
type operation struct {
	event           providers.EventInput
	moved, reported bool
	tried           time.Time // when it was reported last: that may still take effect
}

// The app completes what it has begun, even if its process dies: it writes a refund down before the money moves, again
// when it has, and reports at each start and every minute what is not reported.
func ExampleRefundHandler_journal() {
	srv, charge, common, _ := desk()
	defer srv.Close()
	ctx := context.Background()
	transactions := v202503.Transactions(srv.Client())
	journal := map[uuid.UUID]*operation{}
	complete := func() error {
		for id, op := range journal {
			if !op.moved || op.reported || srv.Clock().Now().Sub(op.tried) < time.Minute {
				continue // ask the bank about those that may have moved
			}
			op.tried = srv.Clock().Now()
			if _, _, err := transactions.CreateEventOrGet(ctx, charge.OrderID, id, op.event); err != nil {
				return err // it stays in the journal
			}
			op.reported = true
		}
		return nil
	}
	at(srv, &payments.RefundHandler{Callback: common, Refund: func(_ context.Context, r payments.RefundRequest) error {
		if op := journal[r.TransactionID]; op != nil && !op.reported {
			return payments.RefundRefusalAlreadyInProcess
		}
		op := &operation{event: r.Event(providers.EventSuccess)}
		op.event.HappenedAt = client.At(srv.Clock().Now())
		journal[r.TransactionID] = op
		op.moved = true // by the bank
		return nil      // and the process dies before it reports
	}})
	show(srv.Refund(ctx, charge.TransactionID, client.Cents(1000)))
	show(srv.Refund(ctx, charge.TransactionID, client.Cents(500)))
	if err := complete(); err != nil { // when the process starts again
		log.Fatal(err)
	}
	journal[charge.TransactionID].reported = false // the process dies once more, before it has written that down
	srv.Clock().Advance(time.Minute)
	if err := complete(); err != nil {
		log.Fatal(err)
	}
	tx, err := transactions.Get(ctx, charge.OrderID, charge.TransactionID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tx.RefundedAmount.Value, tx.Status)
	// Output:
	// refund 202 accepted  <nil>
	// refund 422 rejected refund_already_in_process <nil>
	// 10.00 partially_refunded
}

// A card that is declined is a transaction too: one whose first event failed.
func ExampleProcessHandler() {
	srv, charge, common, provider := desk()
	defer srv.Close()
	ctx := context.Background()
	transactions := v202503.Transactions(srv.Client())
	at(srv, &payments.ProcessHandler{Callback: common, Process: func(ctx context.Context, r payments.ProcessRequest) (any, error) {
		_, _, err := transactions.CreateOrGet(ctx, r.OrderID, r.Transaction(
			providers.EventInput{Amount: r.Amount, Type: providers.EventTypeSale, Status: providers.EventFailure, FailureCode: "card_declined"},
			providers.InfoInput{ExternalID: "sale-2", Installments: client.Set(providers.InstallmentsInput{Quantity: 1})},
		))
		return nil, err
	}})
	show(srv.ProcessPayment(ctx, clienttest.PaymentAttempt{
		OrderID: charge.OrderID, ProviderID: provider, MethodType: "credit_card", MethodID: "visa", Amount: client.Cents(100),
	}))
	all, err := transactions.List(charge.OrderID).Collect(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, tx := range all {
		fmt.Println(tx.Info.ExternalID == "sale-2", tx.Status)
	}
	// Unordered output:
	// process 201 accepted  <nil>
	// false paid
	// true failed
}

// The platform repeats a cancellation until it is answered 200.
func ExampleCancelHandler() {
	srv, _, common, provider := desk()
	defer srv.Close()
	calls := 0
	common.OnFailure = func(_ context.Context, f *payments.Failure) { fmt.Println(f) }
	at(srv, &payments.CancelHandler{Callback: common, Cancel: func(_ context.Context, attempt string) error {
		if calls++; calls == 1 {
			return fmt.Errorf("the bank of attempt %s does not answer", attempt)
		}
		return nil
	}})
	show(srv.CancelPayment(context.Background(), provider, "a1"))
	srv.Clock().Advance(time.Minute)
	fmt.Println(calls, "calls")
	// Output:
	// payments: cancel call, attempt a1: the bank of attempt a1 does not answer
	// cancel 503 failed  <nil>
	// 2 calls
}

func ExampleStatusHandler() {
	srv, charge, common, provider := desk()
	defer srv.Close()
	transactions := v202503.Transactions(srv.Client())
	at(srv, &payments.StatusHandler{Callback: common, Status: func(ctx context.Context, order client.ID) ([]providers.Transaction, error) {
		return transactions.List(order).Collect(ctx)
	}})
	show(srv.PaymentStatus(context.Background(), provider, charge.OrderID))
	// Output: status 200 accepted  <nil>
}

// Refreshes are not signed: the function looks at the secret first.
func ExampleRefreshHandler() {
	h := &payments.RefreshHandler{Refresh: func(_ context.Context, r payments.RefreshRequest) (payments.Tokens, error) {
		if r.ClientID != "store-7" || !r.Proves("s3cret") {
			return payments.Tokens{}, payments.ErrInvalidClient
		}
		return payments.Tokens{AccessToken: "new", RefreshToken: "next", ExpiresIn: time.Hour}, nil
	}}
	for _, secret := range []string{"guess", "s3cret"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/refresh", strings.NewReader(
			`{"grant_type":"refresh_token","client_id":"store-7","client_secret":"`+secret+`","refresh_token":"last"}`)))
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 401 {"error":"invalid_client"}
	// 200 {"access_token":"new","refresh_token":"next","expires_in":3600}
}
