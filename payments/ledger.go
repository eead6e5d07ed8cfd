package payments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Ledger stores the operations of a Cashier for all replicas. MemoryLedger is for one process, and sqlledger.Ledger
// for SQLite and PostgreSQL. paymentstest.RunLedger tests other implementations.
//
// Only the version of an entry determines who may change it, so a ledger requires no clock, lock or lease. After a
// method returns, its result must be durable and visible to all replicas. Methods may be called concurrently.
type Ledger interface {
	// Begin stores e with Version 1, unless there is an entry with its Key. It returns the stored entry, and whether
	// this call created it. Of concurrent calls with the same Key, exactly one creates it.
	Begin(ctx context.Context, e Entry) (stored Entry, created bool, err error)
	// Swap replaces the entry with the Key of e if its version is still e.Version, and stores e with the next
	// version. It reports whether it did.
	Swap(ctx context.Context, e Entry) (swapped bool, err error)
	// Find returns the entries that match all ids set in about, by BegunAt and Key; none if no id is set. It ignores
	// ClientID. Cashier sets StoreID with TransactionID or OrderID, or PaymentAttemptID. Find must see the results of
	// Begin and Swap in any replica. If two entries are written concurrently and each is read after its own write, at
	// least one reader must find the other entry as written.
	Find(ctx context.Context, about About) ([]Entry, error)
	// Open returns up to n open entries (State.Open) with a Key greater than after, ordered by Key. An entry that
	// cannot be read is an *UnreadableError, possibly joined with others, and counts for n. The other entries are
	// returned with it.
	Open(ctx context.Context, after string, n int) ([]Entry, error)
}

// UnreadableError means that an entry of a Ledger cannot be read, for example because an operator or a later release
// has changed it. Its operation is not completed until the entry is repaired.
type UnreadableError struct {
	Key string // of the Entry
	Err error  // why
}

// Error names the entry in one line.
func (e *UnreadableError) Error() string {
	return fmt.Sprintf("entry %s of the ledger cannot be read: %s", callback.Printable(e.Key, callback.MostShown), callback.Reason(e.Err))
}

// Unwrap returns Err.
func (e *UnreadableError) Unwrap() error { return e.Err }

// unreadable returns the entries that could not be read, none if err is about something else too.
func unreadable(err error) (all []*UnreadableError) {
	switch e := err.(type) {
	case nil:
		return nil
	case *UnreadableError:
		return []*UnreadableError{e}
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			bad := unreadable(one)
			if bad == nil {
				return nil
			}
			all = append(all, bad...)
		}
		return all
	}
	return unreadable(errors.Unwrap(err))
}

// State is the state of an operation.
type State string

// The values of State.
const (
	StateBegun    State = "begun"    // money may have moved; the outcome is unknown
	StateMoved    State = "moved"    // the outcome is known and not reported yet
	StateReported State = "reported" // the platform has the record
	StateRefused  State = "refused"  // a refund was rejected; no money has moved
	StateClosed   State = "closed"   // an operator has closed it
	// StateCancelled is the final state of a payment that was cancelled before it was charged, and of a cancellation
	// without money to release. An attempt with such a cancellation is never charged.
	StateCancelled State = "cancelled"
)

// Known reports whether this package has a constant for the value.
func (s State) Known() bool {
	return wire.Known(s, StateBegun, StateMoved, StateReported, StateRefused, StateClosed, StateCancelled)
}

// Open reports whether the operation is not finished: StateBegun and StateMoved.
func (s State) Open() bool { return s == StateBegun || s == StateMoved }

// Entry is an operation in a Ledger: a payment, a refund or a cancellation. A ledger stores the whole entry as JSON,
// and additionally Key, Version, State and the ids of About.
type Entry struct {
	// Key is the operation's idempotency key at the processor, a UUID. It is derived from the store and the attempt;
	// from the store, the transaction and the number of its earlier refunds by a Cashier that the platform shows; or
	// from the cancelled attempt. So it is equal in every replica and each retry, also after the ledger was restored.
	// The reported event has it in its message: see EventInput.Of.
	Key     string `json:"key"`
	Version int64  `json:"version"` // counts the changes from 1
	State   State  `json:"state"`
	Call    Call   `json:"call"` // CallProcess, CallRefund or CallCancel
	// About of a cancellation contains only the attempt until the payment is found.
	About  `json:"about"`
	Amount providers.Amount `json:"amount"` // requested by the platform; of a cancellation, the amount for Void

	BegunAt   time.Time `json:"begun_at"`   // when the call arrived, by the clock of the replica that began it
	ChangedAt time.Time `json:"changed_at"` // when a replica last wrote the entry, by its clock; for information only
	SignedAt  time.Time `json:"signed_at"`  // when the platform signed the call, by its clock; see SignedAt
	// ReportedAt is the time of the platform's record, by the platform's clock if available. Zero before the report.
	ReportedAt time.Time `json:"reported_at,omitzero"`
	// Owner identifies the call or the loop that wrote the entry last. If empty, it has stopped processing the entry,
	// so another call need not wait for the lease.
	Owner string `json:"owner"`
	// Uncalled means that neither Charge nor Repay nor Void has been called for the operation, so no money has moved.
	Uncalled bool `json:"uncalled,omitzero"`
	// Queued means that a refund or a cancellation waits for its turn among those of the order, or has it.
	Queued bool `json:"queued,omitzero"`
	// Shown are the ids of the events of the transaction just before Repay or Void was first called. The event of the
	// operation is not among them, and events since are in addition to the amounts by which its money was moved.
	Shown []uuid.UUID `json:"shown,omitzero"`
	// Tries is the number of tries of the present step: to move the money, or to report it.
	Tries int `json:"tries"`
	// LastError is the error of the last try; empty if there was none.
	LastError string `json:"last_error,omitzero"`

	// Request is the decoded call. When the outcome is known, all members without a struct field are removed from it,
	// because they could be secrets of a card.
	Request json.RawMessage `json:"request"`
	// Transaction is the reported outcome of a payment, and Event that of a refund or a cancellation. Nil before
	// StateMoved.
	Transaction *providers.TransactionInput `json:"transaction,omitzero"`
	Event       *providers.EventInput       `json:"event,omitzero"`
	// Answer is the answer to a payment; empty for no body. Refusal is the answer to a refund in StateRefused.
	Answer  json.RawMessage `json:"answer,omitzero"`
	Refusal RefundRefusal   `json:"refusal,omitzero"`
}

// entryForm has the members of an Entry without its methods.
type entryForm Entry

// MarshalJSON writes all members exactly, for ledgers.
func (e Entry) MarshalJSON() ([]byte, error) { return wire.Marshal(entryForm(e)) }

// UnmarshalJSON reads the result of MarshalJSON.
func (e *Entry) UnmarshalJSON(data []byte) error { return wire.UnmarshalExact(data, (*entryForm)(e)) }
