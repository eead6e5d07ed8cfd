package payments

import (
	"context"
	"encoding/json"
	"time"

	"github.com/commerceplatform/commerce-go/internal/enum"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Ledger stores the operations of a Cashier where all replicas see them. MemoryLedger is for one process,
// sqlledger.Ledger for SQLite and PostgreSQL. Package ledgertest tests others.
//
// Only the version of an entry decides who may change it: the ledger needs no clock, no lock and no lease of its own.
// What a method has returned must be durable and visible to all replicas. Methods may be called concurrently.
type Ledger interface {
	// Begin stores e with Version 1, unless there is an entry with its Key. It returns the entry that is stored, and
	// whether this call stored it. Of concurrent calls with one Key, one does.
	Begin(ctx context.Context, e Entry) (stored Entry, created bool, err error)
	// Swap replaces the entry with the Key of e if that still has e.Version, and stores e with the next version. It
	// reports whether it did.
	Swap(ctx context.Context, e Entry) (swapped bool, err error)
	// Find returns the entries that have all ids that are set in about, by BegunAt and Key, and none if no id is set.
	// It ignores ClientID. Cashier sets StoreID and TransactionID, or PaymentAttemptID. Find must see what Begin has
	// returned in any replica: of a payment and its cancellation that begin at the same time, one at least must find
	// the other.
	Find(ctx context.Context, about About) ([]Entry, error)
	// Open returns up to n entries that are open (State.Open) and whose Key is after the one given, by Key.
	Open(ctx context.Context, after string, n int) ([]Entry, error)
}

// State is how far an operation is.
type State string

// The values of State.
const (
	StateBegun    State = "begun"    // money may have moved; the outcome is not known
	StateMoved    State = "moved"    // the outcome is known and not reported yet
	StateReported State = "reported" // the platform knows
	StateRefused  State = "refused"  // a refund that was refused; nothing moved
	StateClosed   State = "closed"   // an operator has ended it
	// StateCancelled is the end of a payment that was cancelled before it was charged, and of a cancellation that had
	// nothing to release. An attempt with such a cancellation is never charged.
	StateCancelled State = "cancelled"
)

// Known reports whether this package has a constant for the value.
func (s State) Known() bool {
	return enum.Known(s, StateBegun, StateMoved, StateReported, StateRefused, StateClosed, StateCancelled)
}

// Open reports whether there is something left to do: StateBegun and StateMoved.
func (s State) Open() bool { return s == StateBegun || s == StateMoved }

// Entry is an operation in a Ledger: a payment, a refund or a cancellation. It is written as JSON as a whole; a ledger
// needs Key, Version, State and the ids of About beside that.
type Entry struct {
	// Key is the idempotency key of the operation at the processor: a UUID that follows from the store and the attempt,
	// or the store, the transaction and the number of the refund, or the attempt that is cancelled. So it is the same
	// in every replica and each retry.
	Key     string `json:"key"`
	Version int64  `json:"version"` // counts the changes from 1
	State   State  `json:"state"`
	Call    Call   `json:"call"` // CallProcess, CallRefund or CallCancel
	// About of a cancellation has the attempt alone until the payment is found.
	About  `json:"about"`
	Amount Amount `json:"amount"` // that the platform asked for; of a cancellation, what Void is to release

	BegunAt   time.Time `json:"begun_at"`   // when the call arrived, by the clock of the replica that began it
	ChangedAt time.Time `json:"changed_at"` // when a replica last wrote the entry, by its clock; for people only
	SignedAt  time.Time `json:"signed_at"`  // when the platform signed the call, by its clock; see SignedAt
	// ReportedAt is when the platform recorded the report, by its clock if it says so. Zero before that.
	ReportedAt time.Time `json:"reported_at,omitzero"`
	// Owner names the call or the loop that wrote the entry last.
	// Empty means that it works on it no more, so that another call need not wait for the lease.
	Owner string `json:"owner"`
	// Uncalled: neither Charge nor Repay has been called for the operation, so nothing has moved.
	Uncalled bool `json:"uncalled,omitzero"`
	// Tries counts the tries of the present step: to move the money, or to report it.
	Tries int `json:"tries"`
	// LastError is why the last try failed; empty if none did.
	LastError string `json:"last_error,omitzero"`

	// Request is the call as it was decoded. When the outcome is known, all members without a struct field are removed
	// from it, because they may be secrets of a card.
	Request json.RawMessage `json:"request"`
	// Transaction is the outcome of a payment and Event that of a refund or a cancellation, as they are reported. Nil
	// before StateMoved.
	Transaction *TransactionInput `json:"transaction,omitzero"`
	Event       *EventInput       `json:"event,omitzero"`
	// Answer is what a payment was answered, empty for no body. Refusal is what a refund was answered in StateRefused.
	Answer  json.RawMessage `json:"answer,omitzero"`
	Refusal RefundRefusal   `json:"refusal,omitzero"`
}

// entryForm has the members of an Entry and not its methods.
type entryForm Entry

// MarshalJSON writes all members exactly, for ledgers.
func (e Entry) MarshalJSON() ([]byte, error) { return wire.Marshal(entryForm(e)) }

// UnmarshalJSON reads what MarshalJSON has written.
func (e *Entry) UnmarshalJSON(data []byte) error { return wire.UnmarshalExact(data, (*entryForm)(e)) }
