package paymentstest_test

import (
	"crypto/rand"
	"crypto/rsa"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments/paymentstest"
)

// Every call of the reference server is recorded as what it is, and can be made again.
func TestCallsOfTheServer(t *testing.T) {
	ctx := t.Context()
	srv := clienttest.New(t)
	charge, err := srv.Charge(client.Cents(2550))
	if err != nil {
		t.Fatal(err)
	}
	urls := clienttest.PaymentURLs{Process: "https://pay.example/process", Cancel: "https://pay.example/cancel", Status: "https://pay.example/status"}
	if err := srv.SetPaymentURLs(urls); err != nil {
		t.Fatal(err)
	}
	tx, err := v202503.Transactions(srv.Client()).Get(ctx, charge.OrderID, charge.TransactionID)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]int{"/process": 201, "/cancel": 200, "/status": 200}
	app := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		status := answers[r.URL.Path]
		if status == 0 { // the refund_url of the transaction
			status = http.StatusAccepted
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"transactions":[]}`)
	})
	var file strings.Builder
	recorder := &paymentstest.Recorder{Handler: app, Out: &file}
	if err := srv.Partner("https://pay.example", recorder); err != nil {
		t.Fatal(err)
	}
	var seen []string
	note := func(c clienttest.PaymentCall, err error) {
		t.Helper()
		if err != nil || c.Outcome != "accepted" {
			t.Errorf("got %+v, %v", c, err)
		}
		seen = append(seen, string(c.Kind))
	}
	note(srv.ProcessPayment(ctx, clienttest.PaymentAttempt{
		OrderID: charge.OrderID, ProviderID: tx.PaymentProviderID, MethodType: "credit_card", MethodID: "visa", Amount: client.Cents(100),
	}))
	note(srv.CancelPayment(ctx, tx.PaymentProviderID, "try 1"))
	note(srv.PaymentStatus(ctx, tx.PaymentProviderID, charge.OrderID))
	note(srv.Refund(ctx, charge.TransactionID, client.Cents(100)))
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	var again []string
	err = paymentstest.Replay(ctx, strings.NewReader(file.String()), paymentstest.Sender{Handler: app, Key: key}, func(r paymentstest.Result) error {
		if again = append(again, r.Record.Operation); len(r.Changes) > 0 {
			t.Errorf("%s: %v", r.Record.Operation, r.Changes)
		}
		return nil
	})
	if err != nil || !slices.Equal(again, seen) || len(seen) != 4 {
		t.Errorf("got %v, %v of the calls %v: %s", err, again, seen, file.String())
	}
}
