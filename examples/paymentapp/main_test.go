package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/payments"
)

func TestMain(m *testing.M) {
	proctest.Example(main)
	goleak.VerifyTestMain(m)
}

func TestConsole(t *testing.T) { proctest.Console(t) }

// The transcript is the same in every run.
const want = `refused: support_url: "http://pay.example/…": must be an HTTPS URL without a password: validation
described: Pay Example, with providers.Authentication{Type: "api_key"}
   60.00 ARS may be paid in 1 3
   45.00 ARS may be paid in 1 3
   44.99 ARS may be paid in 1

The customer pays 60.00 ARS by card
   process  201 accepted
   the transaction is authorized, the order authorized

The goods leave, and the app captures what was authorized
   the transaction is paid, the order paid

The merchant pays 20.00 back, and then, too soon, 5.00
   refund   202 accepted
   refund   422 rejected refund_already_in_process
   the transaction is partially_refunded, the order partially_refunded

Somebody asks for money in the platform's name
   refund   401
`

func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), "", &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What the story does not come to.
func TestAppIsAskedTwice(t *testing.T) {
	a := &app{}
	if _, err := a.handler(payments.Callback{Origin: origin}); err == nil {
		t.Error("handlers without a key were made")
	}
	tx := &providers.Transaction{ID: [16]byte{1}}
	a.sales = map[client.Code]sale{"a1": {7, tx}}
	if _, err := a.process(t.Context(), payments.ProcessRequest{OrderID: 7, PaymentAttemptID: "a1"}); err != nil { // and no request is made, which would panic
		t.Error(err)
	}
	if all, err := a.status(t.Context(), 7); err != nil || len(all) != 1 {
		t.Errorf("got %v, %v", all, err)
	}
	if all, err := a.status(t.Context(), 8); err != nil || len(all) != 0 {
		t.Errorf("got %v, %v", all, err)
	}
	if err := a.refund(t.Context(), payments.RefundRequest{}); err == nil || a.cancel(t.Context(), "") != nil {
		t.Errorf("got %v", err)
	}
}

// A report whose answer is lost is not repeated blindly: at once, or when the attempt is asked for again.
func TestReportIsLost(t *testing.T) {
	const create = "POST /orders/{order_id}/transactions"
	for _, test := range []struct {
		name     string
		faults   []clienttest.Fault
		outcomes string
	}{
		{"and found", []clienttest.Fault{{Operation: create, Count: 1, Reset: true, After: true}}, "accepted accepted"},
		{"and cannot be looked for", []clienttest.Fault{{Operation: create, Count: 1, Reset: true, After: true}, {Operation: "GET /orders/{order_id}/transactions", Skip: 1, Count: 1, Status: 403}}, "failed accepted"},
		{"before it arrives", []clienttest.Fault{{Operation: create, Count: 1, Reset: true}}, "failed accepted"},
		{"and refused", []clienttest.Fault{{Operation: create, Count: 1, Status: 422}}, "failed accepted"},
	} {
		srv, ctx := clienttest.New(t), t.Context()
		s, err := begin(ctx, srv, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range test.faults {
			if err := srv.Fault(f); err != nil {
				t.Fatal(err)
			}
		}
		call, err := srv.ProcessPayment(ctx, s.attempt())
		if err != nil {
			t.Fatal(err)
		}
		var asked payments.ProcessRequest
		if err := json.Unmarshal(call.Request, &asked); err != nil {
			t.Fatal(err)
		}
		outcomes := call.Outcome + " accepted"
		if err := s.app.refund(ctx, payments.RefundRequest{}); !errors.Is(err, payments.RefundRefusalRejected) {
			t.Errorf("%s: a refund of nothing: %v", test.name, err)
		}
		if _, err := s.app.process(ctx, asked); err != nil {
			outcomes = call.Outcome + " " + err.Error()
		}
		onPlatform, err := v202503.Transactions(s.app.client).List(s.order.ID).Collect(ctx)
		if inBooks, bookErr := s.transaction(ctx); outcomes != test.outcomes || err != nil || bookErr != nil || len(onPlatform) != 1 || onPlatform[0].ID != inBooks {
			t.Errorf("%s: %s, and %d transactions of which %s is known (%v, %v), want %s and one", test.name, outcomes, len(onPlatform), inBooks, err, bookErr, test.outcomes)
		}
	}
}

// A refund whose report was not answered is paid back once, whether the report had arrived or not.
func TestRefundIsReportedOnce(t *testing.T) {
	for _, arrived := range []bool{true, false} {
		srv, ctx := clienttest.New(t), t.Context()
		s, err := begin(ctx, srv, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		_, err = srv.ProcessPayment(ctx, s.attempt())
		id, bookErr := s.transaction(ctx)
		if err := errors.Join(err, bookErr, s.app.capture(ctx, s.order.ID)); err != nil {
			t.Fatal(err)
		}
		for range 2 { // a second refund of the same amount is another one
			if c, err := srv.Refund(ctx, id, client.Cents(1000)); err != nil || c.Outcome != "accepted" {
				t.Fatalf("%+v, %v", c, err)
			}
			if err := srv.Fault(clienttest.Fault{Operation: "POST /orders/{}/transactions/{}/events", Count: 1, Reset: true, After: arrived}); err != nil {
				t.Fatal(err)
			}
			if err := s.app.settle(ctx); !errors.Is(err, client.ErrOutcomeUnknown) {
				t.Errorf("got %v, want an unknown outcome", err)
			}
			if err := s.app.settle(ctx); err != nil {
				t.Error(err)
			}
			srv.Clock().Advance(time.Hour)
		}
		tx, err := v202503.Transactions(s.app.client).Get(ctx, s.order.ID, id)
		if err != nil || refundsOf(tx) != 2 || len(s.app.refunds) != 0 {
			t.Errorf("arrived %v: %+v, %d in process, %v; want two refunds", arrived, tx, len(s.app.refunds), err)
		}
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
