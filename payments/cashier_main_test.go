package payments_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/payments"
)

// command runs payments.Main, and returns its exit status and all that it prints.
func command(t *testing.T, c *payments.Cashier, args ...string) (int, string) {
	var stdout, stderr bytes.Buffer
	status := payments.Main(t.Context(), c, args, &stdout, &stderr)
	return status, stdout.String() + stderr.String()
}

// down is a ledger that cannot be read.
type down struct{ payments.Ledger }

func (down) Open(context.Context, string, int) ([]payments.Entry, error) {
	return nil, errors.New("it is down")
}

// A person sees the words of both sides and the steps, and resumes or settles by the key.
func TestCashierCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTill(t)
		c := d.cashier()
		refund := d.paid(t, c)
		const events = "POST /orders/{order_id}/transactions/{id}/events"
		refusal := clienttest.Fault{Operation: events, Status: http.StatusUnprocessableEntity, Body: `{"a":["\u202eno"]}`}
		if err := d.srv.Fault(refusal); err != nil {
			t.Fatal(err)
		}
		if err := c.Refund(t.Context(), refund(30)); err != nil {
			t.Fatal(err)
		}
		stop := run(t, c)
		time.Sleep(time.Hour)
		stop()
		status, out := command(t, c, "stuck")
		var key string
		for s := range c.Stuck(t.Context()) {
			key = s.Key
		}
		for _, want := range []string{
			key + "  refund of 0.30 ARS, order ", "moved since ", "is repeated", `no`,
			": paid, captured 1.00 ARS\n", "1. Look for the refund of 0.30 ARS", "\n1 stuck\n",
		} {
			if status != payments.ExitDone || !strings.Contains(out, want) || strings.Contains(out, "\u202e") {
				t.Errorf("%d %s, want %q", status, out, want)
			}
		}
		d.srv.EndFaults()
		if status, out := command(t, c, "resume", key); status != payments.ExitDone || out != "" {
			t.Errorf("resume: %d %s", status, out)
		}
		stop = run(t, c)
		time.Sleep(5 * time.Minute)
		stop()
		if status, out := command(t, c, "stuck"); status != payments.ExitDone || out != "0 stuck\n" {
			t.Errorf("after it was resumed: %d %s", status, out)
		}
	})
}

func TestCashierCommandArguments(t *testing.T) {
	d := newTill(t)
	c := d.cashier()
	for args, want := range map[string]string{
		"":                  "0 usage: cashier COMMAND",
		"--help":            "0 usage: cashier COMMAND",
		"burn":              `2 cashier: wrong arguments ["burn"]`,
		"stuck now":         "2 cashier: wrong arguments",
		"resume":            "2 cashier: wrong arguments",
		"settle key":        "2 cashier: wrong arguments",
		"resume none":       "1 cashier: payments: no operation with this key is stuck",
		"settle none it is": "1 cashier: payments: no operation with this key is stuck",
	} {
		status, out := command(t, c, strings.Fields(args)...)
		if got := string(rune('0'+status)) + " " + out; !strings.HasPrefix(got, want) {
			t.Errorf("%q: got %q, want %q", args, got, want)
		}
	}
	c.Ledger = down{}
	if status, out := command(t, c, "stuck"); status != payments.ExitFailed || !strings.Contains(out, "it is down") {
		t.Errorf("without a ledger: %d %s", status, out)
	}
}
