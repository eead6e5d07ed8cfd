package payments

import (
	"context"
	"fmt"
	"iter"
)

// stuckTries is the number of failed tries after which an operation is Stuck. It is reached after about half an hour.
const stuckTries = 5

// Stuck is an operation that has failed repeatedly, so that a person must look at it. Run still repeats it, at most
// every ten minutes, because the cause can end.
type Stuck struct {
	Entry // LastError has the words of the processor or, in StateMoved, of the platform
	// Shown is the transaction as the platform shows it. It is nil if the platform has none, or if Err is set.
	Shown *Transaction
	Err   error // why the transaction could not be read
	// Steps describe how to complete the operation by hand.
	Steps []string
}

// Stuck yields the operations that have failed repeatedly, with the transaction and the steps to complete them by hand.
// It changes nothing. An entry that cannot be read is yielded as an *UnreadableError. Any other error is yielded last.
func (c *Cashier) Stuck(ctx context.Context) iter.Seq2[Stuck, error] {
	return func(yield func(Stuck, error) bool) {
		for e, err := range c.open(ctx) {
			if err == nil && e.Tries <= stuckTries {
				continue
			}
			s := Stuck{Entry: e}
			if err == nil {
				s.Steps = e.steps()
				if e.StoreID != 0 {
					s.Shown, s.Err = c.shown(ctx, e.About, e.Transaction)
				}
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

// steps returns what a person does to complete the operation.
func (e Entry) steps() []string {
	act := map[Call]string{CallProcess: "charge", CallRefund: "refund", CallCancel: "release"}[e.Call]
	amount := fmt.Sprintf("%s %s", e.Amount.Value, e.Amount.Currency)
	find := fmt.Sprintf("Look for the %s of %s with the idempotency key %s at the processor.", act, amount, e.Key)
	last := "Close the entry: see the documentation of the ledger."
	if e.State == StateMoved {
		return []string{find, fmt.Sprintf("Compare it with the reason that the platform gives: %s.", e.LastError),
			"If it is not an event of the transaction, report it with TransactionService, or reverse it.", last}
	}
	return []string{find, "If the processor has it, report it with TransactionService. Otherwise prevent it there.", last}
}
