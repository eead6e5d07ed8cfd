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
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/rounds"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Defaults of Cashier.
const (
	DefaultLease  = 15 * time.Second // before another replica takes over an operation
	DefaultRetry  = 90 * time.Second // between two reports of one operation
	DefaultWindow = 2 * time.Minute  // after a refund, before another one of the same amount is allowed
)

var (
	// ErrInProgress means that another replica processes the operation, and had not finished when the answer was due.
	ErrInProgress = errors.New("the operation is in progress")
	// ErrDiffers means that the attempt is in the ledger with another order, amount or method. It was not charged.
	ErrDiffers = errors.New("the attempt was begun with other values")
	// ErrClosed means that an operator closed the operation before its outcome was known.
	ErrClosed = errors.New("the operation was closed")
	// ErrCancelled means that the platform cancelled the attempt before it was charged. It will never be charged.
	ErrCancelled = errors.New("the attempt was cancelled before it was charged")
	// ErrNotCharged is returned by Charge if Payment.Cancelled is set, nothing was charged, and nothing will be
	// charged.
	ErrNotCharged = errors.New("nothing was charged")
	// ErrNotInLedger means that the transaction of a refund is not in the ledger, and OrderOf does not know it.
	ErrNotInLedger = errors.New("no payment with this transaction in the ledger")
)

// Cashier takes payments, makes refunds and cancels payments, for a ProcessHandler, a RefundHandler and a
// CancelHandler. It moves the money of each operation once and reports it to the platform, even if calls are repeated
// in any replica, or replicas crash. Charge and Transactions must be set, Repay for refunds, and Void for
// cancellations. Run must be running in at least one process. A Cashier must not be copied, and its fields must not
// be changed after the first use.
//
//	cashier := &payments.Cashier{
//		Ledger: &sqlledger.Ledger{DB: db}, Charge: charge, Repay: repay, Void: void, Transactions: ofStore,
//	}
//	process := &payments.ProcessHandler{Callback: common, Process: cashier.Process}
//	refunds := &payments.RefundHandler{Callback: common, Refund: cashier.Refund}
//	cancel := &payments.CancelHandler{Callback: common, Cancel: cashier.Cancel}
//	go cashier.Run(ctx)
//
// An operation has these steps: it is stored in the ledger, a function of the app moves the money, the outcome is
// stored, and it is reported. If an operation has not changed for a time, any replica continues it at its present
// step. Replicas do not compare clocks. Each one measures how long an entry has not changed.
type Cashier struct {
	// Ledger stores the operations. If nil, they are stored in the memory of this process: they are lost at a
	// restart, and other replicas do not see them.
	Ledger Ledger

	// Charge takes the money of a payment, with Payment.Key as the idempotency key at the processor. It returns the
	// transaction to report, and the answer to the call, which is encoded as JSON; nil means no body. See
	// ProcessRequest.Transaction. A declined card is not an error, but a transaction whose first event is a failure.
	//
	// An error means that the outcome is unknown. Charge is then called again with the same Key, also by another
	// replica, and also while an earlier call is in progress. Therefore the processor must move the money of a Key
	// only once, and answer a repetition as the first time. If your processor has no idempotency keys, look for the
	// payment first if Payment.Try is above 1. A transaction that the platform would reject is treated as an error.
	//
	// Several transactions of an order may add up to its total, so each attempt is a payment. Another attempt may have
	// paid the order. So if Payment.Try is 1, read the order. If it is paid, and the processor has no payment for Key,
	// return a transaction that fails with FailureCodeCardRejectedDuplicatedPayment.
	//
	// If Info.ExternalID is empty, it is set to the Key. If FirstEvent.HappenedAt is zero, it is set to now. The Key is
	// put at the start of the message of FirstEvent: see EventInput.Of.
	Charge func(ctx context.Context, p Payment) (t providers.TransactionInput, answer any, err error)
	// Repay makes a refund, and returns the event to report: see RefundRequest.Event. It returns a RefundRefusal if
	// nothing was refunded and nothing will be, for example because the processor shows a chargeback of the payment.
	// Any other error has the same meaning as in Charge. If HappenedAt is zero, it is set to now. If Repay is nil,
	// refunds are answered RefundRefusalRejected.
	//
	// Send the Key to the processor as a reference of the refund. If the app reports what the processor announces, such
	// as the end of a pending refund, it then knows the Key, and calls EventInput.Of. Without Of, the event is another
	// refund, so that one refund would be recorded twice. The same applies to Void.
	Repay func(ctx context.Context, r Repayment) (providers.EventInput, error)
	// Void releases or returns the money of a cancelled payment, and returns the event to report: see
	// Cancellation.Event. It is called only for a payment that has taken money, or may do so later. If the processor
	// permanently refuses, Void returns no error, but an event with status EventFailure. The payment can then be
	// refunded. An error has the same meaning as in Charge. If HappenedAt is zero, it is set to now. Cancel requires
	// Void.
	Void func(ctx context.Context, v Cancellation) (providers.EventInput, error)
	// Transactions returns the service of a store, to which its operations are reported.
	Transactions func(ctx context.Context, store client.ID) (*providers.TransactionService, error)
	// OrderOf returns the order of an older transaction that is not in the ledger. It may be nil.
	OrderOf func(ctx context.Context, store client.ID, transaction uuid.UUID) (client.ID, error)
	// Redact removes members of a request that must not be stored. Repeated calls of Charge then lack them. If nil,
	// the whole request is stored until the outcome is known. See Entry.Request.
	Redact func(r *ProcessRequest)

	// Lease is the time without a change after which another replica takes over an operation in progress. The replica
	// that processes it changes it three times as often. Zero means DefaultLease.
	Lease time.Duration
	// Retry is the time between the starts of two reports of one operation. A report times out after a third of it.
	// Repeated failures double it, up to 10 minutes, for three days: see Stuck. Zero means DefaultRetry. If it is
	// shorter, an operation whose report was lost in a proxy can be recorded twice: see TransactionService.CreateOrGet.
	Retry time.Duration
	// Window is the time after the report of a refund during which another one of the same amount is rejected. See
	// Refund. Zero means DefaultWindow.
	Window time.Duration
	// Now is the clock for HappenedAt. If nil, it is time.Now.
	Now func() time.Time

	// OnFailure is called for each failed report, and each failure of Run. It may be called concurrently, and must
	// not block. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// Logger logs failures if OnFailure is nil. If nil, slog.Default() is used.
	Logger *slog.Logger

	memory MemoryLedger
	round  rounds.Round[lane, struct{}]
	seen   map[string]sighting // by key, of the last pass of Run; only its list reads and writes them
	unread map[string]bool     // keys that could not be read in it
	mu     sync.Mutex
	due    map[lane][]Entry // to complete in the next visit
}

// Check returns an error that describes an invalid configuration, or nil. Call it at program start.
func (c *Cashier) Check() error {
	var wrong callback.Check
	wrong.Refuse(c.Charge == nil, "no Charge")
	wrong.Refuse(c.Transactions == nil, "no Transactions")
	wrong.Refuse(c.Lease < 0, "Lease is %v: must be 0 or more", c.Lease)
	wrong.Refuse(c.Retry < 0, "Retry is %v: must be 0 or more", c.Retry)
	wrong.Refuse(c.Window < 0, "Window is %v: must be 0 or more", c.Window)
	return wrong.Err("payments: Cashier")
}

// key derives an idempotency key from the identity of an operation. It is the same in all replicas.
func key(kind string, store client.ID, id string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "commerce:%s/%d/%s", kind, store, id)).String()
}

// entry returns a new operation.
func (c *Cashier) entry(
	ctx context.Context, call Call, about About, amount providers.Amount, request any, key string,
) (Entry, error) {
	raw, err := wire.Marshal(request)
	if err != nil {
		return Entry{}, fmt.Errorf("payments: encode the call: %w", err)
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

// newOwner returns a name for a call or a loop.
func newOwner() string { return rand.Text() }

// encoded encodes an answer as JSON; nil for none.
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

// now returns the time with the precision of all databases.
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

// fail reports a failure of an entry.
func (c *Cashier) fail(ctx context.Context, e Entry, err error) {
	to := callback.Reporter[*Failure]{Report: c.OnFailure, Logger: c.Logger}
	f := &Failure{Call: e.Call, About: e.About, Err: err, Stack: callback.Stack(err)}
	to.Notify(ctx, f, slog.LevelError, "payments: cashier failed", "failure")
}
