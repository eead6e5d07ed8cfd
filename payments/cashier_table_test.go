package payments_test

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/payments"
)

//go:embed testdata/standing.txt
var standingTable string

// standing is a row of the table.
type standing struct {
	events, calls []string
	result        string
}

// readStanding returns the rows of testdata/standing.txt.
func readStanding(t *testing.T) (all []standing) {
	t.Helper()
	for n, line := range strings.Split(standingTable, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, " | ")
		if len(cells) != 4 {
			t.Fatalf("line %d has %d cells, want 4", n+1, len(cells))
		}
		all = append(all, standing{strings.Split(cells[0], ", "), strings.Split(cells[1], ", "), cells[3]})
	}
	return all
}

// A cashier does what the table says, whichever answer is lost and whichever replica is killed.
func TestCashierByTheTable(t *testing.T) {
	for _, row := range readStanding(t) {
		for _, how := range []string{"answered", "lost", "repeated", "killed"} {
			t.Run(fmt.Sprint(row.events, row.calls, how), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { row.play(t, how) })
			})
		}
	}
}

// play makes the calls of a row.
func (row standing) play(t *testing.T, how string) {
	d := newTill(t)
	c, other := d.cashier(), d.cashier()
	row.happen(t, d, c)
	d.lose(t, c, how)
	stop := run(t, other)
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for _, call := range row.calls {
		check := func(err error) {
			if err != nil && !errors.As(err, new(payments.RefundRefusal)) && !errors.Is(err, errDied) {
				t.Errorf("%s: %v", call, err)
			}
		}
		check(d.ask(ctx, c, call))
		if how == "repeated" {
			check(d.ask(ctx, other, call))
		}
		time.Sleep(time.Minute)
	}
	time.Sleep(time.Hour)
	stop()
	if got := d.events(t, "a"); got != row.result {
		t.Errorf("got %s, want %s", got, row.result)
	}
	if moves := strings.Count(row.result, ",") + 2 - len(row.events); len(d.moved) != moves {
		t.Errorf("the bank moved %v, want the payment and %d others", d.moved, moves-1)
	}
	for e, err := range c.Unreported(t.Context()) {
		t.Errorf("not reported: %s of %v: %s, %v", e.Call, e.About, e.LastError, err)
	}
}

// happen takes a payment and reports the events of the app.
func (row standing) happen(t *testing.T, d *till, c *payments.Cashier) {
	t.Helper()
	for i, event := range row.events {
		var kind payments.EventType
		var status payments.EventStatus
		var cents int64
		if _, err := fmt.Sscan(event, &kind, &status, &cents); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			d.pay(t, c, kind, status)
		} else {
			d.own(t, kind, status, cents)
		}
		time.Sleep(time.Hour)
	}
}

// pay takes a payment of 1.00 with a first event.
func (d *till) pay(t *testing.T, c *payments.Cashier, kind payments.EventType, status payments.EventStatus) {
	t.Helper()
	c.Charge = func(_ context.Context, p payments.Payment) (payments.TransactionInput, any, error) {
		d.move(p.Key)
		in := sale(p)
		in.FirstEvent.Type, in.FirstEvent.Status = kind, status
		if status == payments.EventFailure {
			in.FirstEvent.FailureCode = "card_rejected"
		}
		return in, nil, nil
	}
	if _, err := c.Process(t.Context(), d.request("a")); err != nil {
		t.Fatal(err)
	}
}

var errDied = errors.New("the replica has died")

// lose makes the answer to the first report of the cashier fail after the platform has it, or kills the replica after
// the bank has moved money.
func (d *till) lose(t *testing.T, c *payments.Cashier, how string) {
	t.Helper()
	switch how {
	case "lost":
		const events = "POST /orders/{order_id}/transactions/{id}/events"
		fault := clienttest.Fault{Operation: events, Status: http.StatusBadGateway, After: true, Count: 1}
		if err := d.srv.Fault(fault); err != nil {
			t.Fatal(err)
		}
	case "killed":
		c.Repay = func(_ context.Context, r payments.Repayment) (payments.EventInput, error) {
			d.move(r.Key)
			return payments.EventInput{}, errDied
		}
		c.Void = func(_ context.Context, v payments.Cancellation) (payments.EventInput, error) {
			d.move(v.Key)
			return payments.EventInput{}, errDied
		}
	}
}

// ask makes a call: "cancel", or "refund" with cents and, if it is another one, the currency.
func (d *till) ask(ctx context.Context, c *payments.Cashier, call string) error {
	if call == "cancel" {
		return c.Cancel(ctx, "a")
	}
	var cents int64
	words := strings.Fields(call)
	if _, err := fmt.Sscan(words[1], &cents); err != nil {
		return err
	}
	r := d.refund(cents)
	if len(words) == 3 {
		r.Amount.Currency = words[2]
	}
	all, err := d.ledger.Find(ctx, payments.About{PaymentAttemptID: "a"})
	if err != nil {
		return err
	}
	r.TransactionID = all[0].TransactionID
	return c.Refund(ctx, r)
}
