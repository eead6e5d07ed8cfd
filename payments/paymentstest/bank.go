package paymentstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/payments"
)

// Bank simulates a payment processor with idempotency keys, for tests of an app. Charge, Repay and Void are functions
// for a payments.Cashier. The zero value takes the money of each payment at once. It must not be copied.
type Bank struct {
	// First is the type of the first event of a payment. If empty, it is providers.EventTypeSale. With
	// providers.EventTypeAuthorization, the money is only reserved until Capture.
	First providers.EventType
	// Before is called before each move. If it returns an error, no money moves and the error is returned. It may also
	// block, as a slow bank. It may be nil.
	Before func(ctx context.Context, m Move) error
	// After is called after each move, also of a key that has moved already. Its error is returned, so the answer is
	// lost. It may be nil.
	After func(ctx context.Context, m Move) error

	mu    sync.Mutex
	moves []Move
}

// Move is a movement of money.
type Move struct {
	Key    string              // the idempotency key
	Of     string              // the ExternalID of the payment
	Kind   providers.EventType // the type of the event that reports it
	Amount providers.Amount    // more than 0
}

// ErrKeyReused means that a key was used for another move before. A real bank may answer that too, or the first move.
var ErrKeyReused = errors.New("the idempotency key was used for another move")

// ErrTooMuch means that the payment has less left than the move requires. As at a real bank, no more is returned or
// released than was taken or reserved, and nothing is captured after a release or released after a capture.
var ErrTooMuch = errors.New("the payment has less left")

// Charge is for Cashier.Charge. The ExternalID of the payment is its key.
func (b *Bank) Charge(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
	kind := b.First
	if kind == "" {
		kind = providers.EventTypeSale
	}
	in := p.Transaction(
		providers.EventInput{Amount: p.Amount, Type: kind, Status: providers.EventSuccess, AuthorizationCode: "OK-1"},
		providers.InfoInput{ExternalID: p.Key},
	)
	if p.PaymentMethod.Type == providers.MethodTypeCreditCard {
		in.Info.Installments = client.Set(providers.InstallmentsInput{Quantity: 1})
	}
	return in, nil, b.Move(ctx, Move{p.Key, p.Key, kind, p.Amount})
}

// Repay is for Cashier.Repay. It returns payments.RefundRefusalRejected if the payment has less left.
func (b *Bank) Repay(ctx context.Context, r payments.Repayment) (providers.EventInput, error) {
	if r.Payment == nil {
		return providers.EventInput{}, errors.New("the payment of the refund is unknown")
	}
	in := r.Event(providers.EventSuccess)
	err := b.Move(ctx, Move{r.Key, r.Payment.Info.ExternalID, in.Type, r.Amount})
	if errors.Is(err, ErrTooMuch) {
		err = fmt.Errorf("%w: %w", payments.RefundRefusalRejected, err)
	}
	return in, err
}

// Void is for Cashier.Void.
func (b *Bank) Void(ctx context.Context, v payments.Cancellation) (providers.EventInput, error) {
	in := v.Event(providers.EventSuccess)
	return in, b.Move(ctx, Move{v.Key, v.Payment.Info.ExternalID, in.Type, v.Amount})
}

// Move moves money once for each key. It is also for moves of the app itself, such as captures.
func (b *Bank) Move(ctx context.Context, m Move) error {
	if b.Before != nil {
		if err := b.Before(ctx, m); err != nil {
			return err
		}
	}
	if err := b.book(m); err != nil {
		return err
	}
	if b.After != nil {
		return b.After(ctx, m)
	}
	return nil
}

func (b *Bank) book(m Move) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.moves, func(other Move) bool { return other.Key == m.Key })
	switch {
	case i < 0 && !b.covers(m):
		return fmt.Errorf("%w than the %s of %s", ErrTooMuch, m.Kind, m.Amount.Value)
	case i < 0:
		b.moves = append(b.moves, m)
	case b.moves[i].Of != m.Of || b.moves[i].Kind != m.Kind || b.moves[i].Amount.Currency != m.Amount.Currency ||
		b.moves[i].Amount.Value.Cmp(m.Amount.Value) != 0:
		return fmt.Errorf("%w: %s of %s, and now %s of %s", ErrKeyReused,
			b.moves[i].Kind, b.moves[i].Amount.Value, m.Kind, m.Amount.Value)
	}
	return nil
}

// covers reports whether the payment has enough left for a move.
func (b *Bank) covers(m Move) bool {
	const capture, refund, void = providers.EventTypeCapture, providers.EventTypeRefund, providers.EventTypeVoid
	if m.Kind != capture && m.Kind != refund && m.Kind != void {
		return true
	}
	left := client.Money{}.Decimal()
	for _, other := range b.moves {
		amount := other.Amount.Value.Decimal()
		switch {
		case other.Of != m.Of:
		case other.Kind == m.Kind:
			left = left.Sub(amount)
		case m.Kind == refund && (other.Kind == providers.EventTypeSale || other.Kind == capture):
			left = left.Add(amount)
		case m.Kind == refund:
		case other.Kind == capture, other.Kind == void:
			return false
		default:
			left = left.Add(amount)
		}
	}
	return !left.LessThan(m.Amount.Value.Decimal())
}

// Moves returns the movements of a payment in their order; all if of is empty.
func (b *Bank) Moves(of string) []Move {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(b.moves), func(m Move) bool { return of != "" && m.Of != of })
}
