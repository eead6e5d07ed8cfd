package main

import (
	"github.com/commerceplatform/commerce-go/client/providers"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/scenariotest"
	"github.com/commerceplatform/commerce-go/payments"
)

func TestMain(m *testing.M) {
	proctest.Main(map[string]func() error{scenariotest.Role: scenariotest.Program(scenarioApp)})
	proctest.Example(main)
	goleak.VerifyTestMain(m)
}

func TestConsole(t *testing.T) { proctest.Console(t) }

func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), "", &out); err != nil {
		t.Fatal(err)
	}
	const want = `The customer pays 60.00 ARS by card
   process: 201 accepted
   the transaction is authorized, the order authorized
The goods leave, and the app captures the reserved amount
   the transaction is paid, the order paid
The merchant refunds 20.00, and the platform repeats its call
   refund: 202 accepted
   refund: 202 accepted
   the bank moved money 2 times: the payment and one refund
   the transaction is partially_refunded, the order partially_refunded
Somebody asks for money in the platform's name
   refund: 401
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := newApp(nil, payments.Callback{Origin: origin}); err == nil {
		t.Error("handlers without a key were made")
	}
}

// The report of a payment is lost, and the payment is cancelled. It was taken and released once, and both are recorded.
func TestPaymentIsCancelled(t *testing.T) {
	platform, ctx := clienttest.New(t), t.Context()
	s, err := begin(ctx, platform, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	lost := clienttest.Fault{Operation: "POST /orders/{order_id}/transactions", Count: 1, Reset: true, After: true}
	if err := platform.Fault(lost); err != nil {
		t.Fatal(err)
	}
	call, err := platform.ProcessPayment(ctx, s.attempt())
	if err != nil || call.Outcome != "accepted" {
		t.Fatalf("got %+v, %v", call, err)
	}
	if call, err = platform.CancelPayment(ctx, s.app.provider, call.Attempt); err != nil || call.Outcome != "accepted" {
		t.Errorf("got %+v, %v", call, err)
	}
	if _, err := s.recorded(ctx, providers.StatusVoided, client.PaymentVoided); err != nil {
		t.Error(err)
	}
	if len(s.app.bank.moved) != 2 {
		t.Errorf("the bank moved %v, want one payment and its release", s.app.bank.moved)
	}
}

// The platform finds nothing wrong with the app behind a real listener.
func TestDoctor(t *testing.T) {
	platform := clienttest.New(t)
	s, err := begin(t.Context(), platform, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	listener := httptest.NewServer(s.app.routes)
	defer listener.Close()
	if err := platform.Forward(origin, listener.URL); err != nil {
		t.Fatal(err)
	}
	proctest.BuildDoctor(t).Examine(t, platform.Control(), listener.URL, "--as", "payments", "--origin", origin)
}
