package payments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// The exit statuses of Main.
const (
	ExitDone   = 0 // success
	ExitFailed = 1 // the ledger failed, or the operation is not stuck
	ExitUsage  = 2 // the arguments are wrong
)

const usage = `usage: cashier COMMAND

  stuck             lists operations that have failed repeatedly, with the steps to complete them by hand.
  resume KEY        makes Run repeat an operation, after its cause has ended.
  settle KEY NOTE   closes an operation that was completed or reversed by hand. The note describes how.

Exit status: 0 done, 1 failed, 2 wrong arguments.
`

// Main is the command for operations that a person must complete, such as "myapp cashier stuck". Args are the
// arguments after "cashier". It prints results to stdout and problems to stderr, and returns the exit status. Run it
// without arguments for its commands. C must have the Ledger and the Transactions of the app; Run may be running in
// other processes. Unprintable characters in texts from outside are escaped.
func Main(ctx context.Context, c *Cashier, args []string, stdout, stderr io.Writer) int {
	var err error
	switch command := append(slices.Clone(args), ""); {
	case len(args) == 0, slices.Contains([]string{"help", "-h", "--help"}, command[0]):
		_, err = io.WriteString(stdout, usage)
	case command[0] == "stuck" && len(args) == 1:
		err = c.printStuck(ctx, stdout)
	case command[0] == "resume" && len(args) == 2:
		err = c.Resume(ctx, command[1])
	case command[0] == "settle" && len(args) > 2:
		err = c.Settle(ctx, command[1], strings.Join(args[2:], " "))
	default:
		_, _ = fmt.Fprintf(stderr, "cashier: wrong arguments %q\n%s", args, usage)
		return ExitUsage
	}
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "cashier:", callback.Reason(err))
		return ExitFailed
	}
	return ExitDone
}

// printStuck prints what Stuck yields. An entry that cannot be read does not hide the others.
func (c *Cashier) printStuck(ctx context.Context, out io.Writer) error {
	var failed error
	n := 0
	for s, err := range c.Stuck(ctx) {
		if err == nil {
			n++
			_, err = io.WriteString(out, s.text()+"\n")
		}
		failed = errors.Join(failed, err)
	}
	_, err := fmt.Fprintf(out, "%d stuck\n", n)
	return errors.Join(failed, err)
}

// text returns the words of both sides and the steps, for a terminal.
func (s Stuck) text() string {
	rests := "is repeated"
	if s.Rests {
		rests = "rests"
	}
	amount := ""
	if s.Amount.Currency != "" {
		amount = fmt.Sprintf(" of %s %s", s.Amount.Value, s.Amount.Currency)
	}
	lines := []string{
		fmt.Sprintf("%s  %s%s, %s", s.Key, s.Call, amount, s.About),
		fmt.Sprintf("%s since %s, %d tries, %s", s.State, s.BegunAt.Format(time.RFC3339), s.Tries, rests),
		"last failure: " + s.LastError,
	}
	switch {
	case s.Err != nil:
		lines = append(lines, "the platform's transaction cannot be read: "+callback.Reason(s.Err))
	case s.Shown == nil:
		lines = append(lines, "the platform shows no transaction")
	default:
		lines = append(lines, "the platform shows "+shownText(s.Shown))
	}
	for i, step := range s.Steps {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, step))
	}
	for i, line := range lines {
		lines[i] = callback.Message(line)
	}
	return strings.Join(lines, "\n   ") + "\n"
}

// shownText returns a transaction with its amounts.
func shownText(t *providers.Transaction) string {
	all := fmt.Sprintf("transaction %s: %s", t.ID, t.Status)
	for _, in := range []struct {
		name   string
		amount *providers.Amount
	}{
		{"authorized", t.AuthorizedAmount}, {"captured", t.CapturedAmount},
		{"refunded", t.RefundedAmount}, {"voided", t.VoidedAmount},
	} {
		if decimalOf(in.amount).IsPositive() {
			all += fmt.Sprintf(", %s %s %s", in.name, in.amount.Value, in.amount.Currency)
		}
	}
	return all
}
