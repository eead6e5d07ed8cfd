package webhook

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/client/value"
)

// ErrNoEntry is an error of Browser.Lookup: the inbox has no entry with the key. The entry may have been handled since
// it was listed.
var ErrNoEntry = errors.New("no such entry")

// Browser lists and counts the entries of an inbox for its operators. Each engine of this module implements it as well
// as Inbox. Package webhook/inboxops shows it as a page, as JSON and as a command.
//
// Its methods never return the body of a Protected entry. Only ReplayListed and PurgeListed change the inbox. All times
// are those of the engine.
type Browser interface {
	// Browse returns a page of entries in the order of their keys, compared byte by byte. One call reads a bounded
	// number of entries, so it is fast in an inbox of any size. A page may be empty although BrowsePage.Next says that
	// more may follow. An entry that changes between two pages is listed once at most.
	Browse(ctx context.Context, q BrowseQuery) (BrowsePage, error)
	// Lookup returns the entry with a key, with its body if body is true and the entry is not Protected. It returns
	// ErrNoEntry if there is none.
	Lookup(ctx context.Context, key string, body bool) (StoredEntry, error)
	// Groups counts the entries that match f. It reads all of them in short steps, which takes seconds for a million
	// entries, so cache the result. Entries that change meanwhile are counted as they were in one of the steps.
	Groups(ctx context.Context, f EntryFilter) (EntryGroups, error)
	// ReplayListed is DeadLetters.Replay for entries as they were listed. It uses Key and DiedAt of each, and skips an
	// entry that is not dead or died at another time. It is one transaction, so pass a few hundred entries at most. It
	// returns the number of entries that became pending.
	ReplayListed(ctx context.Context, listed ...StoredEntry) (int, error)
	// PurgeListed deletes dead entries in the same way, except privacy requests, which only
	// DeadLetters.Purge deletes. It returns the number of deleted entries.
	PurgeListed(ctx context.Context, listed ...StoredEntry) (int, error)
}

// EntryState is the state of an entry, more detailed than pending, done and dead.
type EntryState string

// The states of an entry. Stats.Pending counts entries that are due, leased or waiting.
const (
	EntryDue    EntryState = "due"    // pending, and a worker can lease it
	EntryLeased EntryState = "leased" // pending, and a worker has it
	// pending: it rests after a failure, settles, or another entry of its lane is leased
	EntryWaiting EntryState = "waiting"
	EntryDone    EntryState = "done" // a fact that was handled and is remembered
	EntryDead    EntryState = "dead" // it is not tried again
)

// EntryPending in an EntryFilter means all of EntryDue, EntryLeased and EntryWaiting. No entry has it.
const EntryPending EntryState = "pending"

// EntryStates returns all states that an EntryFilter may have.
func EntryStates() []EntryState {
	return []EntryState{EntryPending, EntryDue, EntryLeased, EntryWaiting, EntryDone, EntryDead}
}

// StoredEntry is an entry as it is in an inbox. Body is nil unless it was requested with Lookup, and always nil if the
// entry is Protected.
type StoredEntry struct {
	Entry
	State    EntryState // such as due
	Gen      uint64     // the generation: see Inbox
	Attempts int        // since it became pending or was last committed: see Lease.Attempt
	Count    int        // arrivals since then
	Cause    string     // why the last attempt failed, or why the entry cannot be handled; "" if it did not fail
	// FirstSeen and LastSeen are the times of the first and last of these arrivals.
	FirstSeen, LastSeen time.Time
	Since               time.Time // when it died; otherwise when it became pending or was last committed
	Due                 time.Time // when it may be leased; zero unless it is pending
	FailedAt            time.Time // when it last failed; zero if it did not, or after it was committed
	DiedAt              time.Time // zero unless it is dead
	LeasedUntil         time.Time // zero unless it is leased
	ForgetAt            time.Time // when a done entry is deleted; zero if never, or if it is not done
	// Failures are the last attempts that failed, at most MostFailures, the latest last. A replay keeps them. They are
	// nil unless the entry is from Lookup.
	Failures []EntryFailure
}

// MostFailures bounds StoredEntry.Failures.
const MostFailures = 5

// EntryFailure is an attempt that failed. A released run, a wait and a drop are not attempts: see Failed.
type EntryFailure struct {
	At      time.Time `json:"at"`      // when it ended, by the clock of the engine
	Attempt int       `json:"attempt"` // see Lease.Attempt
	Cause   string    `json:"cause"`   // the first 500 characters of it
}

// EntryFilter selects entries. The zero value selects all; fields that are set must all match.
type EntryFilter struct {
	State EntryState          // "" selects any
	Event value.Opt[Name]     // "" selects an unknown event
	Store value.Opt[value.ID] // 0 selects an unknown store
	Cause value.Opt[string]   // entries with the same CauseGroup(Cause); "" selects entries that did not fail
	Until time.Time           // entries whose Since is not later; zero selects any
	// KeyPrefix selects entries whose keys begin with it. Prefix(app, store) finds entries of a store fast.
	KeyPrefix string
	// Record selects entries about the record with this id: their lanes end in a colon and the id, as Handler and
	// Registry make them. Set Store too, because only its keys are found fast. "" selects any.
	Record string
}

// Match reports whether the filter selects e.
func (f EntryFilter) Match(e StoredEntry) bool {
	return strings.HasPrefix(e.Key, f.KeyPrefix) && (f.Record == "" || strings.HasSuffix(e.Lane, ":"+f.Record)) &&
		(f.Until.IsZero() || !e.Since.After(f.Until)) &&
		f.matchKind(e.State, e.Event, e.StoreID, CauseGroup(e.Cause))
}

func (f EntryFilter) matchKind(state EntryState, event Name, store value.ID, cause string) bool {
	if f.State != "" && f.State != state && (f.State != EntryPending || state == EntryDone || state == EntryDead) {
		return false
	}
	wantEvent, byEvent := f.Event.Get()
	wantStore, byStore := f.Store.Get()
	wantCause, byCause := f.Cause.Get()
	return (!byEvent || wantEvent == event) && (!byStore || wantStore == store) &&
		(!byCause || CauseGroup(wantCause) == cause)
}

// BrowseQuery selects a page of entries.
type BrowseQuery struct {
	Filter EntryFilter // selects the entries
	After  string      // BrowsePage.Next of the previous page; "" for the first page
	Limit  int         // the largest number of entries; 0 or less means none
}

// BrowsePage is a part of the entries that a filter selects.
type BrowsePage struct {
	Entries  []StoredEntry // in the order of their keys
	Next     string        // BrowseQuery.After of the next page; "" if the search has reached the end
	Searched int           // how many entries were read, including entries that the filter does not select
	At       time.Time     // by the clock of the engine
}

// EntryGroup counts entries with the same state, event, store, cause and protection.
type EntryGroup struct {
	State     EntryState // of each of them
	Event     Name       // "" if unknown
	StoreID   value.ID   // 0 if unknown
	Cause     string     // by CauseGroup; "" if they did not fail
	Protected bool       // they are privacy requests
	Count     int        // number of entries
	Oldest    time.Time  // their earliest Since
}

// MostGroups bounds the groups that Browser.Groups returns.
const MostGroups = 100_000

// EntryGroups is the result of Browser.Groups.
type EntryGroups struct {
	At     time.Time    // when the count began, by the clock of the engine
	Groups []EntryGroup // the largest first
	Others int          // entries of further groups, after MostGroups
}

// MostCause is the largest number of bytes of a cause that CauseGroup returns.
const MostCause = 200

// CauseGroup returns the part of a cause that similar causes share. An ellipsis replaces each word with four digits or
// more, such as an id, and everything after MostCause bytes. A word has letters, digits, hyphens and underscores.
// Status codes stay. CauseGroup of a result is that result.
func CauseGroup(cause string) string {
	cause = strings.ToValidUTF8(cause, "\uFFFD")
	var b strings.Builder
	for len(cause) > 0 && b.Len() <= MostCause {
		word, digits := 0, 0
		for word < len(cause) && isWordByte(cause[word]) {
			if '0' <= cause[word] && cause[word] <= '9' {
				digits++
			}
			word++
		}
		switch {
		case word == 0:
			_, word = utf8.DecodeRuneInString(cause)
			b.WriteString(cause[:word])
		case digits >= 4:
			b.WriteString("…")
		default:
			b.WriteString(cause[:word])
		}
		cause = cause[word:]
	}
	s := b.String()
	if len(s) <= MostCause {
		return s
	}
	cut := MostCause - len("…")
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}
