package payments

import (
	"context"
	"fmt"
)

// errTurn means that another refund or cancellation of the order is in progress.
var errTurn = fmt.Errorf("%w: another refund or cancellation of the order is not reported yet", ErrInProgress)

// turn waits until no other refund or cancellation of the order can move money, so that the platform's transaction
// shows all earlier ones. Replicas do not share a lock. Each operation first records that it is Queued and then reads
// the others. So of two operations that are queued at the same time, at least one sees the other. The greater key
// yields. An operation keeps its turn until it is reported or refused, even if its replica crashes.
func (c *Cashier) turn(ctx context.Context, h *hold) error {
	for pause := firstPause; h.current().Uncalled; pause = min(2*pause, mostPause) {
		if !h.current().Queued {
			if err := h.write(ctx, func(e *Entry) { e.Queued = true }); err != nil {
				return err
			}
		}
		busy, yield, err := c.others(ctx, h.current())
		switch {
		case err != nil || !busy:
			return err
		case yield || !h.patient:
			if err := h.write(ctx, func(e *Entry) { e.Queued = false }); err != nil {
				return err
			}
		}
		if !h.patient {
			return errTurn
		}
		if err := c.wait(ctx, pause); err != nil {
			return fmt.Errorf("%w: %w", errTurn, err)
		}
	}
	return nil
}

// others reports whether another operation of the order has its turn, and whether e must yield to one.
func (c *Cashier) others(ctx context.Context, e Entry) (busy, yield bool, err error) {
	all, err := c.ledger().Find(ctx, About{StoreID: e.StoreID, OrderID: e.OrderID})
	if err != nil {
		return false, false, fmt.Errorf("payments: find the operations of the order: %w", err)
	}
	for _, other := range all {
		switch {
		case other.Key == e.Key || other.Call == CallProcess || !other.State.Open():
		case other.State == StateMoved || !other.Uncalled:
			busy, yield = true, true
		case other.Queued:
			busy, yield = true, yield || other.Key < e.Key
		}
	}
	return busy, yield, nil
}
