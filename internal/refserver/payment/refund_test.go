package payment_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func amount(s string) decimal.Decimal { return decimal.RequireFromString(s) }

func TestRefundOnTheWire(t *testing.T) {
	a := open(t)
	a.answers(202, "")
	c, err := a.pay.Refund(t.Context(), a.store, a.paid.ID, amount("10"))
	if err != nil || c.Outcome != payment.Accepted || c.Reason != "" || c.HTTPStatus != 202 || c.N != 1 {
		t.Fatalf("got %+v, %v", c, err)
	}
	r := a.last()
	want := fmt.Sprintf(`{"store_id":%d,"payment_provider_id":"%s","transaction_id":"%s","amount":{"value":"10.00","currency":"%s"}}`,
		a.store, a.paid.ProviderID, a.paid.ID, a.paid.Currency)
	if r.method != "POST" || r.url != "https://pay.example/refunds" || string(r.body) != want || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("got %s %s %v %s, want %s", r.method, r.url, r.header, r.body, want)
	}
	if got := r.header.Get("X-Timestamp"); got != fmt.Sprint(a.clock.Now().Unix()) {
		t.Errorf("X-Timestamp: got %q, want the server's time", got)
	}
	if calls := a.pay.Calls(); len(calls) != 1 || !reflect.DeepEqual(calls[0], c) || !bytes.Equal(c.Request, r.body) {
		t.Errorf("the records: got %+v", calls)
	}
}

// TestRefundAnswers: whatever is answered, transaction and order stay as they are.
func TestRefundAnswers(t *testing.T) {
	a := open(t) // once: each server makes a key for itself
	code := func(s string) string { return `{"error_code":"` + s + `"}` }
	for _, c := range []struct {
		status  int
		answer  string
		takes   time.Duration
		outcome payment.Outcome
		code    string
	}{
		{202, "", 0, payment.Accepted, ""},
		{202, "not read", 20*time.Second - 1, payment.Accepted, ""},
		{202, "", 20 * time.Second, payment.Failed, ""},
		{422, code("insufficient_account_balance"), 0, payment.Rejected, "insufficient_account_balance"},
		{422, code("refund_already_in_process"), 0, payment.Rejected, "refund_already_in_process"},
		{422, code("refund_rejected"), 0, payment.Rejected, "refund_rejected"},
		{422, code("transaction_date_too_old"), 0, payment.Rejected, "transaction_date_too_old"},
		{422, code("no_such_code"), 0, payment.Failed, ""},
		{422, "", 0, payment.Failed, ""},
		{422, `[]`, 0, payment.Failed, ""},
		{200, "", 0, payment.Failed, ""},
		{401, "", 0, payment.Failed, ""},
		{500, code("refund_rejected"), 0, payment.Failed, ""},
	} {
		t.Run(fmt.Sprint(c.status, c.answer, c.takes), func(t *testing.T) {
			a.answers(c.status, c.answer)
			a.takes = c.takes
			before := a.World().Snapshot()
			got, err := a.pay.Refund(t.Context(), a.store, a.paid.ID, amount("25.50"))
			late := c.takes >= 20*time.Second
			if err != nil || got.Outcome != c.outcome || got.ErrorCode != c.code || got.Late != late || (got.Reason == "") != (c.outcome == payment.Accepted) {
				t.Errorf("got %+v, %v", got, err)
			}
			if got.DecidedBy != "virtual" || got.Duration != c.takes {
				t.Errorf("took %s by the %s clock, want %s", got.Duration, got.DecidedBy, c.takes)
			}
			if !reflect.DeepEqual(before, a.World().Snapshot()) {
				t.Error("an answer changed something")
			}
			if a.clock.Pending() != 0 {
				t.Error("a refund is repeated")
			}
		})
	}
}

func TestRefundsThatAreNotAsked(t *testing.T) {
	info := func(name, value string) func(*world.Transaction) {
		return func(x *world.Transaction) {
			all := map[string]json.RawMessage{}
			for k, v := range x.Info {
				all[k] = v
			}
			all[name] = json.RawMessage(value)
			x.Info = all
		}
	}
	for _, c := range []struct {
		value, want string
		change      func(*world.Transaction)
	}{
		{"0", "more than 0", nil},
		{"-1", "more than 0", nil},
		{"1.001", "two decimals", nil},
		{"25.51", "at most 25.50", nil},
		{"20", "at most 15.50", func(x *world.Transaction) { x.Refunded, x.Status = amount("10"), world.TransactionPartiallyRefunded }},
		{"25.50", "must be paid", func(x *world.Transaction) { x.Status = world.TransactionAuthorized }},
		{"25.50", "must be paid", func(x *world.Transaction) { x.Status = world.TransactionRefunded }},
		{"10", "supports_partial_refund", info("supports_partial_refund", "false")},
		{"25.50", "refund_url", info("refund_url", "null")},
		{"25.50", "refund_url", info("refund_url", `"http://pay.example/refunds"`)},
	} {
		a := open(t)
		if c.change != nil {
			a.alter(c.change)
		}
		_, err := a.pay.Refund(t.Context(), a.store, a.paid.ID, amount(c.value))
		if err == nil || !strings.Contains(err.Error(), c.want) || len(a.got) != 0 || len(a.pay.Calls()) != 0 {
			t.Errorf("%s: got %v and %d calls, want %q", c.value, err, len(a.got), c.want)
		}
	}
	a := open(t)
	if _, err := a.pay.Refund(t.Context(), a.store, "none", amount("1")); err == nil {
		t.Error("a transaction that does not exist")
	}
	if err := a.Uninstall(a.id, a.store); err != nil {
		t.Fatal(err)
	}
	if _, err := a.pay.Refund(t.Context(), a.store, a.paid.ID, amount("25.50")); err == nil || len(a.got) != 0 {
		t.Errorf("an app that is not installed: got %v", err)
	}
}

func TestRefundEndsWithItsContext(t *testing.T) {
	a := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.pay.Refund(ctx, a.store, a.paid.ID, amount("25.50")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if n := len(a.pay.Calls()); n != 0 {
		t.Errorf("%d calls on record", n)
	}
}

func TestEachPlatformHasItsKey(t *testing.T) {
	a, b := open(t), open(t)
	a.answers(202, "")
	if _, err := a.pay.Refund(t.Context(), a.store, a.paid.ID, amount("25.50")); err != nil {
		t.Fatal(err)
	}
	r := a.last()
	other, err := b.pay.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	if verify(other, r) == nil {
		t.Error("the key of another platform verifies the signature")
	}
	key, err := a.pay.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	r.body = append(r.body, ' ')
	if verify(key, r) == nil {
		t.Error("another body has the signature")
	}
}
