package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// cancelled reports whether an attempt has a cancellation that has not failed. Before money moves, it is called after
// the operation's own entry was stored. Cancel looks for that entry after its own was stored, so one sees the other.
func (c *Cashier) cancelled(ctx context.Context, attempt client.Code) (bool, error) {
	entries, err := c.ofAttempt(ctx, attempt, CallCancel)
	return len(entries) > 0 && !entries[0].futile(), err
}

// futile reports whether a refund or a cancellation has ended without moving money.
func (e Entry) futile() bool { return e.Event != nil && failed(*e.Event) }

// failed reports whether an event has moved no money and never will.
func failed(in providers.EventInput) bool {
	return in.Status == providers.EventFailure || in.Status == providers.EventError
}

// ofAttempt returns the entries of an attempt for a kind of call.
func (c *Cashier) ofAttempt(ctx context.Context, attempt client.Code, call Call) ([]Entry, error) {
	entries, err := c.ledger().Find(ctx, About{PaymentAttemptID: attempt}) // none if the attempt is empty
	if err != nil {
		return nil, fmt.Errorf("payments: find the attempt: %w", err)
	}
	return slices.DeleteFunc(entries, func(e Entry) bool { return e.Call != call }), nil
}

// errBusy means that money of the payment to be cancelled is moving at this time.
var errBusy = errors.New("the payment is being charged")

// stop ends the payment of a cancelled attempt if its money has not moved. Otherwise it returns the payment, zero if
// there is none, or errBusy while the money is moving.
func (c *Cashier) stop(ctx context.Context, owner string, attempt client.Code) (paid Entry, err error) {
	all, err := c.ofAttempt(ctx, attempt, CallProcess)
	if err != nil || len(all) == 0 {
		return paid, err
	}
	if len(all) > 1 {
		return paid, fmt.Errorf("payments: attempt %.40q exists in store %d and in store %d, and the cancellation does not name the store: "+
			"nothing was released, so cancel the right payment by hand",
			attempt, all[0].StoreID, all[1].StoreID)
	}
	paid = all[0]
	switch {
	case paid.State == StateBegun:
		return Entry{}, c.stopPayment(ctx, owner, paid)
	case paid.State == StateClosed && paid.Transaction == nil:
		return Entry{}, fmt.Errorf("payments: the outcome of the payment is unknown: %w", ErrClosed)
	}
	return paid, nil
}

// stopPayment ends a payment whose money has not moved, whatever replica processes it.
func (c *Cashier) stopPayment(ctx context.Context, owner string, e Entry) error {
	if !e.Uncalled {
		return errBusy
	}
	var r ProcessRequest
	if err := wire.UnmarshalExact(e.Request, &r); err != nil {
		return err
	}
	h := &hold{c: c, owner: owner, entry: e}
	err := h.outcome(ctx, StateCancelled, r.stripped(), unchanged)
	if errors.Is(err, errLost) { // it moves now, or has ended otherwise, so read it again
		return errBusy
	}
	return err
}

// stopWhenQuiet calls stop, and waits while money is moving.
func (c *Cashier) stopWhenQuiet(ctx context.Context, h *hold) (paid Entry, err error) {
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		paid, err = c.stop(ctx, h.owner, h.current().PaymentAttemptID)
		if !errors.Is(err, errBusy) {
			return paid, err
		}
		if err := c.wait(ctx, pause); err != nil {
			return paid, err
		}
	}
}
