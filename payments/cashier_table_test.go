package payments_test

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

//go:embed testdata/standing.txt
var standingTable string

// standing is a row of the table.
type standing struct {
	events, calls []string
	words, result string
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
		all = append(all, standing{strings.Split(cells[0], ", "), strings.Split(cells[1], ", "), cells[2], cells[3]})
	}
	return all
}

// A cashier does what the table says, whichever answer is lost and whichever replica is killed.
func TestCashierByTheTable(t *testing.T) {
	for _, row := range readStanding(t) {
		hows := []string{"answered", "lost", "repeated", "killed"}
		if row.own() > 0 {
			hows = []string{"late", "killed"}
		}
		for _, how := range hows {
			t.Run(fmt.Sprint(row.events, row.calls, how), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { row.play(t, how) })
			})
		}
	}
}

// own returns the number of events that the app reports itself during the calls.
func (row standing) own() (n int) {
	for _, call := range row.calls {
		if strings.HasPrefix(call, "app ") {
			n++
		}
	}
	return n
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
	for i, call := range row.calls {
		check := func(err error) {
			if err != nil && !errors.As(err, new(payments.RefundRefusal)) && !errors.Is(err, errDied) {
				t.Errorf("%s: %v", call, err)
			}
		}
		check(d.ask(ctx, c, call))
		if how == "repeated" {
			check(d.ask(ctx, other, call))
		}
		if next := row.calls[min(i+1, len(row.calls)-1)]; !strings.HasPrefix(next, "app ") || next == call {
			time.Sleep(time.Minute)
		}
	}
	time.Sleep(time.Hour)
	stop()
	if got := d.events(t, "a"); got != row.result {
		t.Errorf("got %s, want %s", got, row.result)
	}
	moves := strings.Count(row.result, ",") + 2 - len(row.events)
	if row.own() > 0 {
		moves = 2 // the payment, and one act of the cashier
	}
	if len(d.moved) != moves {
		t.Errorf("the bank moved %v, want the payment and %d others", d.moved, moves-1)
	}
	stuck := 0
	for s, err := range c.Stuck(t.Context()) {
		if stuck++; err != nil || !strings.Contains(row.words, "for a person") {
			t.Errorf("not reported: %s of %v: %s, %v", s.Call, s.About, s.LastError, err)
		}
	}
	if strings.Contains(row.words, "for a person") && stuck != 1 {
		t.Errorf("%d operations are for a person, want 1", stuck)
	}
}

// happen takes a payment and reports the events of the app.
func (row standing) happen(t *testing.T, d *till, c *payments.Cashier) {
	t.Helper()
	for i, event := range row.events {
		var kind providers.EventType
		var status providers.EventStatus
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
func (d *till) pay(t *testing.T, c *payments.Cashier, kind providers.EventType, status providers.EventStatus) {
	t.Helper()
	c.Charge = func(_ context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
		d.move(p.Key)
		in := sale(p)
		in.FirstEvent.Type, in.FirstEvent.Status = kind, status
		if status == providers.EventFailure {
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
	case "late":
		const events = "POST /orders/{order_id}/transactions/{id}/events"
		if err := d.srv.Fault(clienttest.Fault{Operation: events, Status: http.StatusServiceUnavailable}); err != nil {
			t.Fatal(err)
		}
	case "killed":
		c.Repay = func(_ context.Context, r payments.Repayment) (providers.EventInput, error) {
			d.move(r.Key)
			return providers.EventInput{}, errDied
		}
		c.Void = func(_ context.Context, v payments.Cancellation) (providers.EventInput, error) {
			d.move(v.Key)
			return providers.EventInput{}, errDied
		}
	}
}

// ask makes a call: "cancel", or "refund" with cents and, if it is another one, the currency.
func (d *till) ask(ctx context.Context, c *payments.Cashier, call string) error {
	var cents int64
	words := strings.Fields(call)
	switch words[0] {
	case "cancel":
		return c.Cancel(ctx, "a")
	case "app":
		return d.meanwhile(ctx, words[1:])
	}
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

// meanwhile reports an event of the app while that of the cashier is not reported: a type, a status, cents, and "of" if
// it is about the operation of the cashier.
func (d *till) meanwhile(ctx context.Context, words []string) error {
	d.srv.EndFaults()
	cents, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil {
		return err
	}
	open, err := d.ledger.Open(ctx, "", 2)
	if err != nil || len(open) != 1 {
		return fmt.Errorf("%d operations are open, want one: %w", len(open), err)
	}
	in := d.event(providers.EventType(words[0]), providers.EventStatus(words[1]), cents)
	if len(words) == 4 {
		in = in.Of(open[0].Key)
	}
	_, _, err = v202503.Transactions(d.client).CreateEventOrGet(ctx, d.charge.OrderID, open[0].TransactionID, in)
	return err
}
