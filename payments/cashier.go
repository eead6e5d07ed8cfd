package payments

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Defaults of Cashier.
const (
	DefaultLease  = 15 * time.Second // after which another replica takes an operation over
	DefaultRetry  = 90 * time.Second // between two reports of one operation
	DefaultWindow = 2 * time.Minute  // after a refund, in which another of the same amount is refused
)

var (
	// ErrInProgress: another replica works on the operation, and the answer was due before it had ended.
	ErrInProgress = errors.New("the operation is in progress")
	// ErrDiffers: an attempt is in the ledger with another order, amount or method, so it was not charged.
	ErrDiffers = errors.New("the attempt was begun with other values")
	// ErrClosed: an operator has ended the operation before its outcome was known.
	ErrClosed = errors.New("the operation was closed")
	// ErrCancelled: the platform has cancelled the attempt before it was charged. It will not be.
	ErrCancelled = errors.New("the attempt was cancelled before it was charged")
	// ErrNotCharged is for Charge to return when Payment.Cancelled is set: nothing was charged, and nothing will be.
	ErrNotCharged = errors.New("nothing was charged")
	// ErrNotInLedger: a refund is of a transaction that is not in the ledger, and OrderOf does not know it.
	ErrNotInLedger = errors.New("no payment with this transaction in the ledger")
)

// Cashier takes payments, makes refunds and cancels payments, for a ProcessHandler, a RefundHandler and a
// CancelHandler: the money of each moves once, and the platform is notified, whichever replica is called, how often,
// and whichever dies. Charge and Transactions must be set, Repay for refunds, and Void for cancellations. Run must be
// running in one process at least. A Cashier must not be copied, and its fields must not be changed once it is used.
//
//	cashier := &payments.Cashier{
//		Ledger: &sqlledger.Ledger{DB: db}, Charge: charge, Repay: repay, Void: void, Transactions: ofStore,
//	}
//	process := &payments.ProcessHandler{Callback: common, Process: cashier.Process}
//	refunds := &payments.RefundHandler{Callback: common, Refund: cashier.Refund}
//	cancel := &payments.CancelHandler{Callback: common, Cancel: cashier.Cancel}
//	go cashier.Run(ctx)
//
// An operation is begun in the ledger, then the function of the app moves the money, the outcome is stored, then it is
// reported. Whoever finds an operation that nobody has worked on for a time continues at that step. Replicas compare no
// clocks: each one measures how long an entry has not changed.
type Cashier struct {
	// Ledger stores the operations. If nil, they are in the memory of this process: a restart forgets them, and other
	// replicas do not see them.
	Ledger Ledger

	// Charge takes the money of a payment, with Payment.Key as the idempotency key at the processor, and returns the
	// transaction that reports it and what the call is answered (written as JSON; nil is no body). See
	// ProcessRequest.Transaction. A card that is declined is no error, but a transaction whose first event is a
	// failure.
	//
	// An error means that the outcome is not known. Then Charge is called again with the same Key, also by another
	// replica, and also while an earlier call has not returned; so the processor must move the money of a Key once and
	// answer a repetition as the first time. If yours has no idempotency keys, ask it for the payment first when
	// Payment.Try is above 1. A transaction that the platform would reject is an error too.
	//
	// Info.ExternalID is the Key if it is empty, and FirstEvent.HappenedAt now if it is zero.
	Charge func(ctx context.Context, p Payment) (t TransactionInput, answer any, err error)
	// Repay pays back, and returns the event that reports it: see RefundRequest.Event. It returns a RefundRefusal if
	// nothing was paid back and nothing will be. Any other error means what it means for Charge. HappenedAt is now if
	// it is zero. If Repay is nil, refunds are answered RefundRefusalRejected.
	Repay func(ctx context.Context, r Repayment) (EventInput, error)
	// Void releases or returns the money of a payment that was cancelled, and returns the event that reports it: see
	// Cancellation.Event. It is only called for a payment that has taken money, or may do so later. If the processor
	// refuses and always will, Void returns no error but an event whose Status is EventFailure, and the payment can be
	// refunded then. An error means what it means for Charge. HappenedAt is now if it is zero. Cancel requires it.
	Void func(ctx context.Context, v Cancellation) (EventInput, error)
	// Transactions returns the service of a store, to which its operations are reported.
	Transactions func(ctx context.Context, store client.ID) (*TransactionService, error)
	// OrderOf returns the order of a transaction that is not in the ledger, because it is older. May be nil.
	OrderOf func(ctx context.Context, store client.ID, transaction uuid.UUID) (client.ID, error)
	// Redact removes from a request what must not be stored, before it is. Calls of Charge after the first one lack it.
	// If nil, everything is stored until the outcome is known. See Entry.Request.
	Redact func(r *ProcessRequest)

	// Lease is how long an operation in progress may go unchanged before another replica takes it over. The replica
	// that works on it changes it three times as often. 0 means DefaultLease.
	Lease time.Duration
	// Retry is how long after one report of an operation the next one begins. A report ends after a third of it.
	// Repeated failures double it, up to 10 minutes. 0 means DefaultRetry. With less, an operation whose report was
	// lost in a proxy may be recorded twice: see TransactionService.CreateOrGet.
	Retry time.Duration
	// Window is how long after a refund was reported another one of the same amount is refused. See Refund. 0 means
	// DefaultWindow.
	Window time.Duration
	// Now is the clock for HappenedAt. If nil, it is time.Now.
	Now func() time.Time

	// OnFailure is called with each report that failed, and each failure of Run. It may be called concurrently, and
	// must not block. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// Logger gets failures if OnFailure is nil. If nil, slog.Default() is used.
	Logger *slog.Logger

	memory MemoryLedger
	mu     sync.Mutex
	seen   map[string]sighting // by key, of the last pass of Run
}

// Check returns what is wrong with the configuration, or nil. Call it when the program starts.
func (c *Cashier) Check() error {
	var wrong callback.Check
	wrong.Refuse(c.Charge == nil, "no Charge")
	wrong.Refuse(c.Transactions == nil, "no Transactions")
	wrong.Refuse(c.Lease < 0, "Lease is %v: must be 0 or more", c.Lease)
	wrong.Refuse(c.Retry < 0, "Retry is %v: must be 0 or more", c.Retry)
	wrong.Refuse(c.Window < 0, "Window is %v: must be 0 or more", c.Window)
	return wrong.Err("payments: Cashier")
}

// key derives an idempotency key, the same in all replicas, from what identifies an operation.
func key(kind string, store client.ID, id string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "commerce:%s/%d/%s", kind, store, id)).String()
}

// entry is an operation before it is begun.
func (c *Cashier) entry(
	ctx context.Context, call Call, about About, amount Amount, request any, key string,
) (Entry, error) {
	raw, err := wire.Marshal(request)
	if err != nil {
		return Entry{}, fmt.Errorf("payments: write down the call: %w", err)
	}
	now := c.now()
	signed, ok := SignedAt(ctx)
	if !ok {
		signed = now
	}
	return Entry{
		Key: key, State: StateBegun, Call: call, About: about, Amount: amount, Request: raw, Tries: 1,
		BegunAt: now, ChangedAt: now, SignedAt: signed.UTC().Truncate(time.Microsecond), Owner: newOwner(), Uncalled: true,
	}, nil
}

// newOwner names a call or a loop.
func newOwner() string { return rand.Text() }

// encoded writes an answer as JSON; nil is none.
func encoded(answer any) (json.RawMessage, error) {
	if answer == nil {
		return nil, nil
	}
	return wire.Marshal(answer)
}

func (c *Cashier) ledger() Ledger {
	if c.Ledger == nil {
		return &c.memory
	}
	return c.Ledger
}

// now is the time as all databases keep it.
func (c *Cashier) now() time.Time {
	now := time.Now
	if c.Now != nil {
		now = c.Now
	}
	return now().UTC().Truncate(time.Microsecond)
}

func (c *Cashier) lease() time.Duration  { return cmp.Or(c.Lease, DefaultLease) }
func (c *Cashier) retry() time.Duration  { return cmp.Or(c.Retry, DefaultRetry) }
func (c *Cashier) window() time.Duration { return cmp.Or(c.Window, DefaultWindow) }

// fail reports a failure about an entry.
func (c *Cashier) fail(ctx context.Context, e Entry, err error) {
	to := callback.Reporter[*Failure]{Report: c.OnFailure, Logger: c.Logger}
	f := &Failure{Call: e.Call, About: e.About, Err: err, Stack: callback.Stack(err)}
	to.Tell(ctx, f, slog.LevelError, "payments: cashier failed", "failure")
}
