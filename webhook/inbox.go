package webhook

import (
	"context"
	"errors"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// Errors of an Inbox.
var (
	// ErrLeaseLost: the lease ran out or its entry was handed to somebody else. Whatever
	// is done under it from now on must have no effect.
	ErrLeaseLost = errors.New("lease lost")
	// ErrFull: the inbox holds as many pending entries as it may, and an entry with a
	// new key was to be added. The sender keeps it and delivers again.
	ErrFull = errors.New("inbox full")
)

// Inbox keeps accepted deliveries until they are handled. It is what makes 2xx a
// promise: [Handler] answers it only after Accept returned nil, and a [Worker] takes
// entries from it. Engines are in the packages webhook/sqlite and webhook/postgres,
// and in webhook/inboxmem for tests; webhook/inboxtest tells whether another one
// keeps the rules below.
//
// # Entries
//
// An entry is identified by its key. It has a generation, which counts the arrivals
// that must be followed by a run, and is pending, done (facts only) or dead:
//
//	           Signal                                    Fact
//	absent     pending, generation 1                     pending, generation 1
//	pending    generation + 1, due now + Settle          joins: Count + 1
//	           or earlier if it was; new Event and Body
//	done       -                                         known: Count + 1; absent once its window is over
//	dead       revived: as pending, attempts from 0      known: Count + 1
//
// A signal that failed is not due before a second has passed since, however many
// arrive. An entry whose Unhandled is not empty is stored dead where there is none with
// its key, and otherwise changes nothing but Count.
// An arrival that brings another Kind than the entry has counts as the new kind: a
// pending entry then gets a new generation, a done one becomes pending as if absent.
// A newer arrival of a signal brings its Event, Body, Trace, Window, Settle and Clears; the lane of
// a pending entry stays, while a revived one gets that of the arrival, and Protected stays
// once it is set. A fact without a Window is deleted
// by Commit like a signal.
//
// Trace goes with Body: an arrival that brings a Body brings its Trace, or none in place of the one before; a fact that
// is done forgets both; and Replay leaves both as they are. So the trace of a run is that of the delivery whose Body it
// gets.
//
// # Lanes
//
// Entries with the same lane are handed out one at a time. A lease is held on the
// lane, for one entry of it, until Commit, Fail or its end; the due entry of a free
// lane that is due longest comes first.
//
// The lanes of a store are leased in this order too. A lane counts for the store of the entry that made it.
//
// # Fairness
//
// Stores take turns. A store waits if an entry of it could be leased, and its turn comes after those of the stores that
// have been waiting longer, since an entry of them became due or since their last lease. So an entry that is the first
// of its store waits for at most one lease of each other waiting store, and never for a backlog. Only if all waiting
// stores have had a lease does one call give a store a second one. Entries that are not due yet do not wait, however
// many a store has. The order of turns is that of the inbox: it is the same for all processes, and it survives them.
//
// # Clocks and tokens
//
// All times are those of the engine, never of the caller: a process whose clock is
// wrong neither loses nor steals a lease. Tokens grow from each lease to every later
// one of the same inbox, for ever, also when entries are deleted and the engine is
// started again.
//
// All methods are safe for concurrent use, by any number of processes where the
// engine can be shared.
type Inbox interface {
	// Accept stores all entries or none. When it returns nil they survive the
	// death of the process, and a power cut, and the outcomes say for each what
	// it met. It returns ErrFull if a new key is not taken; entries that are
	// Protected or whose key is there are always taken.
	Accept(ctx context.Context, entries ...Entry) ([]Outcome, error)

	// Lease hands out entries that are due, each of another free lane. Each lease counts as an attempt, unless nobody
	// received it: the call returned an error, or its answer was lost. No entry is not an error.
	Lease(ctx context.Context, q LeaseQuery) ([]Lease, error)

	// Extend makes the lease end after d from now, or returns ErrLeaseLost.
	Extend(ctx context.Context, l Lease, d time.Duration) error

	// Commit ends a lease whose entry was handled, or returns ErrLeaseLost. A signal
	// that arrived again since the lease stays pending, due now and with no attempts,
	// which again tells; else it is deleted. A fact becomes done, forgets its body and
	// is remembered for its Window. The pending entries of the same lane and store
	// whose event is in Clears are settled in the same way, without a run.
	Commit(ctx context.Context, l Lease) (again bool, err error)

	// Fail ends a lease whose entry was not handled, or returns ErrLeaseLost. A signal
	// that arrived again since the lease does not die: it is pending as if revived. An entry that is to be dropped and
	// arrived again since the lease, be it a fact or a signal, stays pending too, due now and with no attempts, for the
	// later arrivals alone.
	Fail(ctx context.Context, l Lease, f Failed) error

	// Wait returns when Lease may hand out an entry for q, when d is over, or with the error of ctx. It may return
	// too early, but not at once if there are only entries of stores in q.Without. It ignores the other fields of q.
	Wait(ctx context.Context, q LeaseQuery, d time.Duration) error

	// Stats counts the entries.
	Stats(ctx context.Context) (Stats, error)
}

// Entry is a delivery on its way into an inbox or a queue. It can be marshalled.
type Entry struct {
	// Key identifies the entry. Deliveries with the same key say the same.
	Key string `json:"key"`
	// Lane is what must not be worked on twice at a time, usually one record.
	Lane string `json:"lane"`
	// Kind says what an arrival means when the key is there already.
	Kind    Kind      `json:"kind"`
	Event   Name      `json:"event"`    // "" if it is not known
	StoreID client.ID `json:"store_id"` // 0 if it is not known
	// Body is what was signed, byte by byte.
	Body []byte `json:"body"`
	// Window is how long a fact is remembered after it was handled. Below 0 means for
	// ever. Signals are not remembered.
	Window time.Duration `json:"window,omitempty"`
	// Settle is how long after its arrival the entry is due. 0 means at once.
	Settle time.Duration `json:"settle,omitempty"`
	// Clears names events of the same lane and store that have nothing left to tell
	// once this entry was handled.
	Clears []Name `json:"clears,omitempty"`
	// Protected marks a request of data protection: it is never turned away, and
	// nothing of its body may be left behind after it was handled.
	Protected bool `json:"protected,omitempty"`
	// Unhandled says why no handler can have the entry. "" means that one can.
	Unhandled string `json:"unhandled,omitempty"`
	// Trace is the traceparent of W3C Trace Context under which the delivery was received, so that its run can be
	// linked to it. "" means none. Engines store what Traceparent returns for it, so a text that is not valid is
	// dropped silently.
	Trace string `json:"trace,omitempty"`
}

// Outcome is what an entry met in the inbox.
type Outcome string

// The outcomes of Accept.
const (
	OutcomeStored  Outcome = "stored"  // its key was not there; it is pending now
	OutcomeJoined  Outcome = "joined"  // an entry with its key is pending
	OutcomeKnown   Outcome = "known"   // a fact that was handled, or is dead
	OutcomeRevived Outcome = "revived" // a dead signal became pending
	OutcomeShelved Outcome = "shelved" // it is dead, because Unhandled says so
)

// LeaseQuery says which entries Lease hands out.
type LeaseQuery struct {
	// Limit is the largest number of leases. 0 or less means none.
	Limit int
	// PerStore is the largest number of leases for one store. 0 or less means Limit.
	PerStore int
	// Without lists stores whose entries are not handed out. They keep their turn.
	Without []client.ID
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
	// Attempt counts the leases of the entry since it became pending or was
	// committed last, from 1.
	Attempt int
	// Until is when the lease ends, by the clock of the engine.
	Until time.Time
	// Age is how long ago the entry became pending, or was committed last.
	Age time.Duration
	// Count is the number of arrivals that this run is for, at least 1.
	Count int
	// FirstSeen and LastSeen are the times of the first and last of them.
	FirstSeen, LastSeen time.Time
}

// Failed says what becomes of an entry that was not handled. At most one of Dead, Released, Waits and Dropped is set.
type Failed struct {
	// Delay is how long the entry rests. It is not shortened by new arrivals to less
	// than a second.
	Delay time.Duration
	// Cause is kept with the entry. It must not quote bodies.
	Cause string
	// Dead ends the attempts: see DeadLetters.
	Dead bool
	// Released says that the entry was not tried: the attempt does not count, and
	// it is due at once.
	Released bool
	// Waits says that the run asked for a wait: the attempt does not count, and the entry rests for all of Delay,
	// however many arrivals there are meanwhile.
	Waits bool
	// Dropped says that nobody needs the entry any more: it is deleted, and a fact is not remembered.
	Dropped bool
}

// Stats counts what is in an inbox.
type Stats struct {
	Pending int // to be handled, leased ones included
	Due     int // of them, those that wait for nothing but a worker
	Leased  int // of them, those that somebody works on
	Done    int // facts that are remembered
	Dead    int // that nobody tries any more
	// Oldest is how long the oldest pending entry has been pending; 0 if there is none.
	Oldest time.Duration
	// OldestProtected is how long ago the oldest request of data protection arrived
	// that is pending or dead: it is a legal duty, and Replay does not make it younger.
	OldestProtected time.Duration
	// LogSize is the size of the log of writes (-wal) of webhook/sqlite in bytes. It grows while somebody reads the
	// file for long, and so does the time that the next start takes. Other engines leave it 0.
	LogSize int64
}

// DeadLetters are the entries of an inbox that nobody tries any more. Each engine
// of this module implements it beside Inbox.
type DeadLetters interface {
	// Dead lists dead entries by key, at most limit of them, behind the given key.
	Dead(ctx context.Context, after string, limit int) ([]DeadLetter, error)
	// Replay makes dead entries pending, due now and with no attempts. Keys of which there is
	// no dead entry are passed over. It returns how many became pending.
	Replay(ctx context.Context, keys ...string) (int, error)
	// Purge deletes dead entries and returns how many there were.
	Purge(ctx context.Context, keys ...string) (int, error)
	// PurgeStore deletes the dead entries of a store, except requests of data protection, and returns how many there
	// were. If match is not nil, it deletes those for which match returns true. An engine must leave nothing of their
	// bodies behind, as it does with those of data protection.
	//
	// It does so in several short transactions, so that deliveries are accepted meanwhile. If it fails, the number is
	// that of the entries which are deleted already, and the next call goes on. match is called outside of
	// transactions. An entry that changes between match and its deletion stays.
	PurgeStore(ctx context.Context, store client.ID, match func(DeadLetter) bool) (int, error)
}

// Stores ends what an inbox holds of a store. Each engine of this module implements it beside Inbox.
type Stores interface {
	// DropStore deletes the pending entries of a store whose keys begin with prefix (see [Prefix]; "" means all), as if
	// they had never been accepted, and returns how many there were. These stay: requests of data protection, entries
	// that arrived once more after the given time, by the clock of the engine, and those that somebody works on.
	//
	// It does so in several short transactions, so that deliveries are accepted meanwhile. If it fails, the number is
	// that of the entries which are deleted already, and the next call goes on.
	DropStore(ctx context.Context, store client.ID, prefix string, before time.Time) (int, error)
}

// DeadLetter is an entry that failed for good, or that no handler can have.
type DeadLetter struct {
	Entry
	Attempts            int       // how often it was tried
	Count               int       // how often it arrived
	Cause               string    // why it failed last, or why no handler can have it
	FirstSeen, LastSeen time.Time // when it arrived first and last, by the engine's clock
	DiedAt              time.Time // by the engine's clock
}

// Marks keeps how far a [Sweep] has read. Each engine of this module implements it
// beside Inbox, so that marks live as long as the entries.
type Marks interface {
	// Mark returns the time kept under a name, or the zero time.
	Mark(ctx context.Context, name string) (time.Time, error)
	// SetMark keeps a time under a name, durably.
	SetMark(ctx context.Context, name string, t time.Time) error
}
