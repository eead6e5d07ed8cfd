package payments_test

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

func (d *till) refund(cents int64) payments.RefundRequest {
	return payments.RefundRequest{
		StoreID: d.srv.StoreID(), PaymentProviderID: d.first.PaymentProviderID, TransactionID: d.charge.TransactionID,
		Amount: providers.Amount{Value: client.Cents(cents), Currency: d.first.CapturedAmount.Currency},
	}
}

// ofCharge is a cashier's OrderOf: the ledger does not have the charge.
func (d *till) ofCharge(context.Context, client.ID, uuid.UUID) (client.ID, error) {
	return d.charge.OrderID, nil
}

// refunded is what the platform knows to be paid back.
func (d *till) refunded(t *testing.T) string {
	t.Helper()
	tx, err := v202503.Transactions(d.client).Get(t.Context(), d.charge.OrderID, d.charge.TransactionID)
	if err != nil {
		t.Fatal(err)
	}
	if tx.RefundedAmount == nil {
		return "0.00"
	}
	return tx.RefundedAmount.Value.String()
}

// Whether a call is a repetition or a second refund follows from when the platform signed it and when it recorded the
// first refund.
func TestCashierTellsRefundsApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		c.OrderOf = d.ofCharge
		key, err := d.srv.PaymentKey()
		if err != nil {
			t.Fatal(err)
		}
		common := payments.Callback{Keys: []*rsa.PublicKey{key}, Origin: "https://pay.example"}
		h := &payments.RefundHandler{Callback: common, Refund: c.Refund}
		if err := d.srv.Partner("https://pay.example", h); err != nil {
			t.Fatal(err)
		}
		ask := func(cents int64, want string) {
			t.Helper()
			call, err := d.srv.Refund(t.Context(), d.charge.TransactionID, client.Cents(cents))
			if got := strings.TrimSpace(fmt.Sprint(call.Status, " ", call.ErrorCode)); err != nil || got != want {
				t.Errorf("a refund of %d cents: %s, %v, want %s", cents, got, err, want)
			}
		}
		again := func(n int, want string) { // a proxy sends an earlier call to a replica that has not seen it
			t.Helper()
			other := &payments.RefundHandler{Callback: common, Refund: d.refunds(t, c)}
			if got := d.replay(t, other, n); got != want {
				t.Errorf("call %d again: %s, want %s", n, got, want)
			}
		}
		expect := func(moves int, refunded string) {
			t.Helper()
			if got := d.refunded(t); len(d.moved) != moves || got != refunded {
				t.Errorf("moved %v, the platform knows of %s, want %d moves and %s", d.moved, got, moves, refunded)
			}
		}
		ask(1000, "202")
		again(0, "202")
		expect(1, "10.00")
		time.Sleep(time.Second)
		ask(1000, "422 refund_already_in_process") // within the window nobody knows
		ask(200, "202")                            // another amount is another refund
		again(0, "202")
		expect(2, "12.00")
		time.Sleep(payments.DefaultWindow)
		ask(1000, "202")
		again(0, "202")
		again(1, "422 refund_already_in_process")
		expect(3, "22.00")

		time.Sleep(payments.DefaultWindow)
		const events = "POST /orders/{order_id}/transactions/{id}/events"
		down := clienttest.Fault{Operation: events, Status: http.StatusServiceUnavailable}
		if err := d.srv.Fault(down); err != nil {
			t.Fatal(err)
		}
		ask(100, "202") // it moves, and cannot be reported
		time.Sleep(time.Hour)
		ask(100, "202") // so the merchant asks again
		ask(50, "422 refund_already_in_process")
		expect(4, "22.00")
		d.srv.EndFaults()
		stop := run(t, c)
		time.Sleep(11 * time.Minute)
		stop()
		expect(4, "23.00")
	})
}

// refunds is the Refund of another replica.
func (d *till) refunds(t *testing.T, like *payments.Cashier) func(context.Context, payments.RefundRequest) error {
	t.Helper()
	c := d.cashier()
	c.OrderOf = like.OrderOf
	return c.Refund
}

// replay sends a call of the platform to a handler once more, as it was.
func (d *till) replay(t *testing.T, h http.Handler, n int) string {
	t.Helper()
	call := d.srv.PaymentCalls()[n]
	r := newCall(t, call)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if _, code, ok := strings.Cut(w.Body.String(), `"error_code":"`); ok {
		return fmt.Sprint(w.Code, " ", strings.TrimRight(code, "\"}\n"))
	}
	return fmt.Sprint(w.Code)
}

// newCall returns a call as the platform made it.
func newCall(t *testing.T, call clienttest.PaymentCall) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), call.Method, call.URL, strings.NewReader(string(call.Request)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(payments.TimestampHeader, call.Timestamp)
	r.Header.Set(payments.SignatureHeader, call.Signature)
	return r
}

// A refund of a payment in the ledger has its order and its ExternalID. A refusal is the answer to the very call only.
func TestCashierRefunds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		if err := c.Refund(t.Context(), d.refund(100)); !errors.Is(err, payments.ErrNotInLedger) {
			t.Errorf("got %v, want ErrNotInLedger", err)
		}
		if _, err := c.Process(t.Context(), d.request("a")); err != nil {
			t.Fatal(err)
		}
		paid := d.only(t)
		r := d.refund(100)
		r.TransactionID = paid.TransactionID
		calls := 0
		c.Repay = func(_ context.Context, r payments.Repayment) (providers.EventInput, error) {
			if calls++; calls == 1 {
				return providers.EventInput{}, fmt.Errorf("bank: %w", payments.RefundRefusalInsufficientBalance)
			}
			if r.OrderID != d.charge.OrderID || r.Payment == nil || r.Payment.Info.ExternalID != paid.Key {
				t.Errorf("got order %d, %+v", r.OrderID, r.Payment)
			}
			return r.Event(providers.EventSuccess), nil
		}
		if err := c.Refund(t.Context(), r); !errors.Is(err, payments.RefundRefusalInsufficientBalance) {
			t.Errorf("got %v, want the refusal", err)
		}
		if err := c.Refund(t.Context(), r); !errors.Is(err, payments.RefundRefusalInsufficientBalance) || calls != 1 {
			t.Errorf("the very call again: got %v after %d calls, want the refusal", err, calls)
		}
		time.Sleep(time.Second)
		if err := c.Refund(t.Context(), r); err != nil || calls != 2 {
			t.Errorf("a later call: got %v after %d calls", err, calls)
		}
		c.Repay = nil
		if err := c.Refund(t.Context(), r); !errors.Is(err, payments.RefundRefusalRejected) {
			t.Errorf("without Repay: got %v", err)
		}
	})
}
