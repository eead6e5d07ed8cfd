package payments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// stuckTries is the number of failed tries after which an operation is Stuck. It is reached after about half an hour.
const stuckTries = 5

// restAge is the age of a Stuck operation after which Run does not repeat it.
const restAge = 72 * time.Hour

// keyAge is the age of a Stuck operation after which no function of the app is called again if its outcome is unknown.
// Processors forget idempotency keys, some after 24 hours, and would then move the money a second time.
const keyAge = 20 * time.Hour

// rests reports whether an operation waits for a person, or for a repeated call of the platform.
func (c *Cashier) rests(e Entry) bool {
	age := restAge
	if e.unknown() {
		age = keyAge
	}
	return e.Tries > stuckTries && c.now().Sub(e.BegunAt) >= age
}

// unknown reports whether a function of the app was called and its outcome is unknown.
func (e Entry) unknown() bool { return e.State == StateBegun && !e.Uncalled }

// Stuck is an operation that has failed repeatedly, so that a person must look at it. Run repeats it at most every ten
// minutes, because the cause can end. Three days after its call arrived, it rests until Cashier.Resume,
// Cashier.Settle, or a repeated call of the platform. If a function of the app was called and its outcome is unknown,
// it rests after 20 hours, also for repeated calls, because processors forget idempotency keys.
type Stuck struct {
	Entry // LastError has the words of the processor or, in StateMoved, of the platform
	// Rests means that Run does not repeat the operation any more.
	Rests bool
	// Shown is the transaction as the platform shows it. It is nil if the platform has none, or if Err is set.
	Shown *providers.Transaction
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
			s := Stuck{Entry: e, Rests: err == nil && c.rests(e)}
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
	last := "Then call Cashier.Settle with the key. If the cause has ended, call Cashier.Resume instead."
	if e.State == StateMoved {
		return []string{find, fmt.Sprintf("Compare it with the reason that the platform gives: %s.", e.LastError),
			"If no event of the transaction has the key in its message, report it with TransactionService, or reverse it.", last}
	}
	return []string{find, "If the processor has it, report it with TransactionService. Otherwise prevent it there.", last}
}

// ErrNotStuck means that no operation with this key is Stuck.
var ErrNotStuck = errors.New("no operation with this key is stuck")

// Resume makes Run repeat a Stuck operation, at first without the pauses that failures have caused. Call it when the
// cause has ended. If the outcome is unknown, the processor must still know the Key, or must not have moved the money.
// Resume returns ErrNotStuck, or ErrInProgress if a replica processes the operation.
func (c *Cashier) Resume(ctx context.Context, key string) error {
	return c.byHand(ctx, key, func(e *Entry) error {
		e.Tries, e.Owner = 1, ""
		return nil
	})
}

// Settle closes a Stuck operation that a person has completed or reversed at both the processor and the platform. The
// note describes how, must not be empty, and is stored as LastError, before the words of the last failure. Nothing is
// moved or reported for the operation afterwards. It returns ErrNotStuck, or ErrInProgress if a replica processes the
// operation.
func (c *Cashier) Settle(ctx context.Context, key, note string) error {
	if note == "" {
		return errors.New("payments: Settle: the note must not be empty")
	}
	return c.byHand(ctx, key, func(e *Entry) (err error) {
		e.State, e.LastError = StateClosed, fmt.Sprintf("settled: %s; last failure: %s", note, e.LastError)
		e.Request, err = e.strippedRequest()
		return err
	})
}

// strippedRequest returns the request without members that could be secrets of a card.
func (e Entry) strippedRequest() (json.RawMessage, error) {
	switch e.Call {
	case CallProcess:
		return stripped[ProcessRequest](e.Request)
	case CallRefund:
		return stripped[RefundRequest](e.Request)
	}
	return e.Request, nil
}

func stripped[R interface{ stripped() R }](request json.RawMessage) (json.RawMessage, error) {
	var r R
	if err := wire.UnmarshalExact(request, &r); err != nil {
		return nil, err
	}
	return wire.Marshal(r.stripped())
}

// byHand changes a stuck operation.
func (c *Cashier) byHand(ctx context.Context, key string, change func(*Entry) error) error {
	for e, err := range c.open(ctx) {
		if _, ok := errors.AsType[*UnreadableError](err); err != nil && (!ok || e.Key == key) {
			return fmt.Errorf("payments: %w", err)
		}
		if err != nil || e.Key != key || e.Tries <= stuckTries {
			continue
		}
		e.Owner, e.ChangedAt = newOwner(), c.now()
		if err := change(&e); err != nil {
			return fmt.Errorf("payments: %w", err)
		}
		swapped, err := c.ledger().Swap(ctx, e)
		if err == nil && !swapped {
			err = ErrInProgress
		}
		return err
	}
	return fmt.Errorf("payments: %w", ErrNotStuck)
}
