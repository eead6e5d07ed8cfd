package webhook

import (
	"context"
	"errors"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
)

// Errors of an Inbox.
var (
	// ErrLeaseLost means that the lease ran out, or its entry was leased to another worker. Work under the lost lease
	// must have no effect.
	ErrLeaseLost = errors.New("lease lost")
	// ErrFull means that the inbox holds the largest allowed number of pending entries, and an entry with a new key was
	// to be added. The sender keeps the delivery and retries.
	ErrFull = errors.New("inbox full")
)

// Inbox stores accepted deliveries until they are handled. It makes 2xx a promise: [Handler] answers 2xx only after
// Accept returned nil, and a [Worker] takes the entries out. Engines are in the packages webhook/sqlite and
// webhook/postgres, and in webhook/inboxmem for tests. webhook/inboxtest checks whether another engine follows the
// rules below.
//
// # Entries
//
// An entry is identified by its key. Its generation counts the arrivals that a run must follow. Its state is pending,
// done (facts only) or dead:
//
//	           Signal                                    Fact
//	absent     pending, generation 1                     pending, generation 1
//	pending    generation + 1, due now + Settle          joins: Count + 1
//	           or earlier if it was; new Event and Body
//	done       -                                         known: Count + 1; absent once its window is over
//	dead       revived: as pending, attempts from 0      known: Count + 1
//
// A signal that failed is not due until a second has passed, however often it arrives. An entry whose Unhandled is not
// empty is stored dead if there is no entry with its key. Otherwise it changes only Count. An arrival with another Kind
// than the entry counts as the new kind: a pending entry then gets a new generation, and a done one becomes pending as
// if absent.
//
// A newer arrival of a signal replaces Event, Body, Trace, Window, Settle and Clears. The lane of a pending entry
// stays; a revived entry gets the lane of the arrival. Protected stays once it is set. Commit deletes a fact without a
// Window like a signal.
//
// Trace goes with Body. An arrival that replaces the Body replaces the Trace too, with its own or with none. A fact
// that is done loses both, and Replay changes neither. So the trace of a run is that of the delivery whose Body it
// gets.
//
// # Lanes
//
// Entries with the same lane are leased one at a time. A lease holds the lane, for one entry of it, until Commit, Fail
// or the end of its term. Of the due entries of a free lane, the entry that has been due longest comes first.
//
// The lanes of a store are leased in this order too. A lane belongs to the store of the entry that made it.
//
// # Fairness
//
// Stores take turns. A store waits if an entry of it could be leased. The store that has waited longest comes first,
// counted from its last lease or from when an entry of it became due. So the first entry of a store waits for at most
// one lease of each other waiting store, and never for a backlog. One call gives a store a second lease only after all
// waiting stores have had one. Entries that are not due yet do not wait, however many a store has. The inbox stores the
// order of turns: it is the same for all processes, and survives them.
//
// # Clocks and tokens
//
// All times are those of the engine, never of the caller, so a process whose clock is wrong neither loses nor steals a
// lease. Each token is greater than those of all earlier leases of the same inbox, forever. This holds also after
// entries are deleted and after the engine is restarted.
//
// All methods are safe for concurrent use, by any number of processes if the engine can be shared.
type Inbox interface {
	// Accept stores all entries or none. When it returns nil, they survive the death of the process and a power cut. It
	// returns the outcome of each entry. It returns ErrFull if an entry with a new key is not accepted. Entries that
	// are Protected or whose key exists are always accepted.
	Accept(ctx context.Context, entries ...Entry) ([]Outcome, error)

	// Lease returns entries that are due, each of another free lane. A lease that ends without Commit or Fail counts in
	// Lease.Unfinished of the next one, unless no caller received it because the call returned an error or its answer
	// was lost. No entry is not an error.
	Lease(ctx context.Context, q LeaseQuery) ([]Lease, error)

	// Extend makes the lease end after d from now, or returns ErrLeaseLost.
	Extend(ctx context.Context, l Lease, d time.Duration) error

	// Commit ends a lease whose entry was handled, or returns ErrLeaseLost. A signal that arrived again since the lease
	// stays pending and due now, its attempts count from 0, and again is true; otherwise it is deleted. A fact becomes
	// done, loses its body and is remembered for its Window. The pending entries of the same lane and store whose event
	// is in Clears are settled in the same way, without a run.
	Commit(ctx context.Context, l Lease) (again bool, err error)

	// Fail ends a lease whose entry was not handled, or returns ErrLeaseLost. A signal that arrived again since the
	// lease does not die: it becomes pending as if revived. A fact or a signal that is to be dropped but arrived again
	// since the lease stays pending too. It is due now, its attempts count from 0, and it is only for the later
	// arrivals.
	Fail(ctx context.Context, l Lease, f Failed) error

	// Wait returns when Lease may have an entry for q, when d is over, or with the error of ctx. It may return too
	// early, but not at once if there are only entries of stores in q.Without. It ignores the other fields of q.
	Wait(ctx context.Context, q LeaseQuery, d time.Duration) error

	// Stats counts the entries.
	Stats(ctx context.Context) (Stats, error)
}

// InTime is an Inbox whose Accept returns soon after its context ends, whatever the database does. A [Handler] calls
// such an Accept in the goroutine of the request, which is faster. It calls Accept of any other Inbox in another
// goroutine, which it can leave.
type InTime interface {
	Inbox
	// InTime reports whether Accept of the inbox "of" returns in time. A Handler passes its own inbox. InTime must
	// return false for an inbox of another type, because a type that embeds this one has the method too.
	InTime(of Inbox) bool
}

// Entry is a delivery as an inbox or a queue stores it. It can be marshalled.
type Entry struct {
	// Key identifies the entry. Deliveries with the same key are equivalent.
	Key string `json:"key"`
	// Lane is the object that only one run may handle at a time, usually one record.
	Lane string `json:"lane"`
	// Kind is the meaning of an arrival whose key exists already.
	Kind    Kind     `json:"kind"`
	Event   Name     `json:"event"`    // "" if unknown
	StoreID value.ID `json:"store_id"` // 0 if unknown
	// Body is the signed body, byte by byte.
	Body []byte `json:"body"`
	// Window is how long a fact is remembered after it was handled. Below 0 means forever. Signals are not remembered.
	Window time.Duration `json:"window,omitempty"`
	// Settle is how long after its arrival the entry is due. Zero means at once.
	Settle time.Duration `json:"settle,omitempty"`
	// Clears lists events of the same lane and store that are obsolete once this entry was handled.
	Clears []Name `json:"clears,omitempty"`
	// Protected marks a privacy request: it is never rejected, and its body must be erased after it was
	// handled.
	Protected bool `json:"protected,omitempty"`
	// Unhandled is the reason why the entry cannot be handled. It is empty if it can.
	Unhandled string `json:"unhandled,omitempty"`
	// Trace is the traceparent of W3C Trace Context under which the delivery was received, so that its run can be
	// linked to it. It is empty if there is none. Engines store the result of Traceparent for it, so an invalid text is
	// dropped silently.
	Trace string `json:"trace,omitempty"`
}

// Outcome is how an inbox or a Handler treated a delivery.
type Outcome string

// The outcomes of Accept.
const (
	OutcomeStored  Outcome = "stored"  // there was no entry with its key; it is pending now
	OutcomeJoined  Outcome = "joined"  // an entry with its key is pending
	OutcomeKnown   Outcome = "known"   // it is a fact that was handled, or that is dead
	OutcomeRevived Outcome = "revived" // a dead signal became pending
	OutcomeShelved Outcome = "shelved" // it is stored dead, because Unhandled is set
)

// LeaseQuery selects the entries of Lease.
type LeaseQuery struct {
	// Limit is the largest number of leases. 0 or less means none.
	Limit int
	// PerStore is the largest number of leases for one store. 0 or less means Limit.
	PerStore int
	// Without lists stores whose entries are not leased. They keep their turn.
	Without []value.ID
	// Term is how long a lease lasts. It must be above 0.
	Term time.Duration
}

// Lease is the right to handle one entry for a time.
type Lease struct {
	Entry
	// Token is greater than that of every earlier lease: see [Fence].
	Token uint64
	// Gen is the generation of the entry when it was leased.
	Gen uint64
	// Attempt counts the leases of the entry, from 1, since it became pending or was last committed. Leases that ended
	// without Commit or Fail do not count.
	Attempt int
	// Unfinished counts the latest leases that ended without Commit or Fail, without a break. Their process may have
	// died because of the entry. A [Worker] runs the entry alone if it is above 0.
	Unfinished int
	// Until is when the lease ends, by the clock of the engine.
	Until time.Time
	// Age is the time since the entry became pending or was last committed.
	Age time.Duration
	// Count is the number of arrivals that this run is for, at least 1.
	Count int
	// FirstSeen and LastSeen are the times of the first and last of them.
	FirstSeen, LastSeen time.Time
}

// Failed describes the next state of an entry that was not handled. At most one of Dead, Released, Waits and Dropped
// may be set.
type Failed struct {
	// Delay is the time for which the entry is not leased. New arrivals do not shorten it to less than a second.
	Delay time.Duration
	// Cause is stored with the entry. It must not quote bodies.
	Cause string
	// Dead ends the attempts: see DeadLetters.
	Dead bool
	// Released means that the entry was not tried: the lease counts neither in Attempt nor in Unfinished, and the entry
	// is not leased for Delay.
	Released bool
	// Waits means that the run asked for a wait: the attempt does not count, and the entry is not leased for all of
	// Delay, even if it arrives again.
	Waits bool
	// Dropped means that the entry is no longer needed: it is deleted, and a fact is not remembered.
	Dropped bool
}

// Stats counts the entries of an inbox.
type Stats struct {
	Pending int // to be handled, leased ones included
	Due     int // of Pending: entries that a worker can lease now
	Leased  int // of Pending: entries that a worker is handling
	Done    int // facts that are remembered; webhook/postgres estimates numbers above 50,000
	Dead    int // dead entries, which are not tried again
	// Trimmed is the number of dead entries that this process has deleted since it opened the inbox, because there were
	// more than the engine's option MaxDead.
	Trimmed int
	// Oldest is how long the oldest pending entry has been pending, 0 if there is none.
	Oldest time.Duration
	// OldestProtected is how long ago the oldest pending or dead privacy request arrived. These requests are
	// a legal duty. Replay does not make one younger.
	OldestProtected time.Duration
	// Lag is how long the entry that has waited longest for a worker has been due, 0 if none is due.
	Lag time.Duration
	// LogSize is the size of the write-ahead log (-wal) of webhook/sqlite in bytes. It grows during long reads of the
	// file, and the time of the next start grows with it. Other engines leave it 0.
	LogSize int64
}

// Flow counts what this process does with an inbox. Each engine of this module implements it as well as Inbox.
type Flow interface {
	// Flow returns the number of arrivals that this process has accepted since it opened the inbox, and the number of
	// leases that it has committed. Their growth is the rate in and out.
	Flow() (accepted, handled int64)
}

// DeadLetters gives access to the entries of an inbox that are not tried again. Each engine of this module implements
// it as well as Inbox.
//
// The number of dead entries is limited. If there are too many, an engine deletes the oldest. Entries that cannot
// be handled are deleted before entries whose handler failed. Privacy requests do not count and are not deleted.
type DeadLetters interface {
	// Dead lists at most limit dead entries by key, after the given key.
	Dead(ctx context.Context, after string, limit int) ([]DeadLetter, error)
	// Replay makes dead entries pending and due now, and counts their attempts from 0. Keys without a dead entry are
	// skipped. It returns the number of entries that became pending.
	Replay(ctx context.Context, keys ...string) (int, error)
	// Purge deletes dead entries and returns their number.
	Purge(ctx context.Context, keys ...string) (int, error)
	// PurgeStore deletes the dead entries of a store, except privacy requests, and returns their number. If
	// match is not nil, it deletes only the entries for which match returns true. An engine must erase their bodies
	// like those of privacy requests.
	//
	// It uses several short transactions, so that deliveries are accepted meanwhile. If it fails, it returns the number
	// of entries that are already deleted, and the next call continues. match is called outside of transactions. An
	// entry that changes between match and its deletion stays.
	PurgeStore(ctx context.Context, store value.ID, match func(DeadLetter) bool) (int, error)
}

// Stores deletes the entries of a store. Each engine of this module implements it as well as Inbox.
type Stores interface {
	// DropStore deletes the pending entries of a store whose keys begin with prefix, as if they had never been
	// accepted, and returns their number. See [Prefix]; an empty prefix means all. It keeps privacy requests,
	// entries that arrived once more after the given time, by the clock of the engine, and entries that a
	// worker is handling.
	//
	// It uses several short transactions, so that deliveries are accepted meanwhile. If it fails, it returns the number
	// of entries that are already deleted, and the next call continues.
	DropStore(ctx context.Context, store value.ID, prefix string, before time.Time) (int, error)
}

// DeadLetter is an entry that failed permanently, or that cannot be handled.
type DeadLetter struct {
	Entry
	Attempts            int       // number of attempts
	Count               int       // number of arrivals
	Cause               string    // why the last attempt failed, or why the entry cannot be handled
	FirstSeen, LastSeen time.Time // when it arrived first and last, by the engine's clock
	DiedAt              time.Time // by the engine's clock
}

// Tokens raises the tokens of an Inbox, for a store whose entries come from another one. Each engine of this module
// implements it as well as Inbox.
type Tokens interface {
	// RaiseToken makes each later token greater than above.
	RaiseToken(ctx context.Context, above uint64) error
}

// Marks stores how far a [Sweep] has read. Each engine of this module implements it as well as Inbox, so that marks
// live as long as the entries.
type Marks interface {
	// Mark returns the time stored under a name, or the zero time.
	Mark(ctx context.Context, name string) (time.Time, error)
	// SetMark stores a time under a name, durably.
	SetMark(ctx context.Context, name string, t time.Time) error
}
