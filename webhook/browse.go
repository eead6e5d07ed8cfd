package webhook

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/client"
)

// ErrNoEntry is an error of Browser.Lookup: the inbox has no entry with the key. It may have been handled since it was
// listed.
var ErrNoEntry = errors.New("no such entry")

// Browser lists and counts the entries of an inbox for the people who operate it. Each engine of this module implements
// it beside Inbox. Package webhook/inboxops shows it as a page, as JSON and as a command.
//
// Its methods never return the body of a Protected entry, and change nothing but ReplayListed and PurgeListed. All
// times are those of the engine.
type Browser interface {
	// Browse returns a page of entries in the order of their keys, compared byte by byte. One call looks at a bounded
	// number of entries, so that it is fast however many there are: a page may be empty although BrowsePage.Next says
	// that more may follow. An entry that changes between two pages is listed once at most.
	Browse(ctx context.Context, q BrowseQuery) (BrowsePage, error)
	// Lookup returns the entry with a key, with its body if body is true and the entry is not Protected. It returns
	// ErrNoEntry if there is none.
	Lookup(ctx context.Context, key string, body bool) (StoredEntry, error)
	// Groups counts the entries that match f. It reads all of them in short steps, which takes seconds for a million,
	// so keep the result for a while. Entries that change meanwhile are counted as they were in one of the steps.
	Groups(ctx context.Context, f EntryFilter) (EntryGroups, error)
	// ReplayListed is DeadLetters.Replay for entries as they were listed: of each, Key and DiedAt count, and an entry
	// that is not dead or died at another time is passed over. It is one transaction, so give it some hundred entries
	// at most. It returns how many became pending.
	ReplayListed(ctx context.Context, listed ...StoredEntry) (int, error)
	// PurgeListed deletes dead entries in the same way, except requests of data protection, which only
	// DeadLetters.Purge deletes. It returns how many there were.
	PurgeListed(ctx context.Context, listed ...StoredEntry) (int, error)
}

// EntryState is what becomes of an entry next.
type EntryState string

// The states of an entry. The pending entries of Stats are those that are due, leased or waiting.
const (
	EntryDue    EntryState = "due"    // pending, and needs nothing but a worker
	EntryLeased EntryState = "leased" // pending, and a worker has it
	// pending: it rests after a failure, settles, or another entry of its lane is leased
	EntryWaiting EntryState = "waiting"
	EntryDone    EntryState = "done" // a fact that was handled and is remembered
	EntryDead    EntryState = "dead" // nobody tries it any more
)

// EntryPending in an EntryFilter means all of EntryDue, EntryLeased and EntryWaiting. No entry has it.
const EntryPending EntryState = "pending"

// EntryStates returns all states that an EntryFilter may have.
func EntryStates() []EntryState {
	return []EntryState{EntryPending, EntryDue, EntryLeased, EntryWaiting, EntryDone, EntryDead}
}

// StoredEntry is an entry as it is in an inbox. Body is nil unless Lookup was asked for it, and always nil if the entry
// is Protected.
type StoredEntry struct {
	Entry
	State    EntryState // what becomes of it next
	Gen      uint64     // the generation: see Inbox
	Attempts int        // leases since it became pending or was committed last
	Count    int        // arrivals since then
	Cause    string     // why it failed last, or why no handler can have it; "" if it did not fail
	// FirstSeen and LastSeen are the times of the first and last of these arrivals.
	FirstSeen, LastSeen time.Time
	Since               time.Time // when it died; otherwise when it became pending or was committed last
	Due                 time.Time // when it may be leased; zero unless it is pending
	FailedAt            time.Time // when it failed last; zero if it did not, or after it was committed
	DiedAt              time.Time // zero unless it is dead
	LeasedUntil         time.Time // zero unless it is leased
	ForgetAt            time.Time // when a done entry is forgotten; zero: never, or it is not done
}

// EntryFilter selects entries. The zero value selects all; fields that are set must all match.
type EntryFilter struct {
	State EntryState            // "": any
	Event client.Opt[Name]      // "" is an event that is not known
	Store client.Opt[client.ID] // 0 is a store that is not known
	Cause client.Opt[string]    // entries of which CauseGroup(Cause) is the same; "" selects those that did not fail
	Until time.Time             // entries that are what they are since this time or longer (Since); zero: any
	// KeyPrefix selects entries whose keys begin so. Entries of a store are found fast with Prefix(app, store).
	KeyPrefix string
}

// Match reports whether the filter selects e.
func (f EntryFilter) Match(e StoredEntry) bool {
	return strings.HasPrefix(e.Key, f.KeyPrefix) && (f.Until.IsZero() || !e.Since.After(f.Until)) &&
		f.matchKind(e.State, e.Event, e.StoreID, CauseGroup(e.Cause))
}

func (f EntryFilter) matchKind(state EntryState, event Name, store client.ID, cause string) bool {
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
	Filter EntryFilter // which entries
	After  string      // BrowsePage.Next of the page before; "": the first page
	Limit  int         // the largest number of entries; 0 or less means none
}

// BrowsePage is a part of the entries that a filter selects.
type BrowsePage struct {
	Entries  []StoredEntry // in the order of their keys
	Next     string        // BrowseQuery.After of the next page; "" if the search has reached the end
	Searched int           // how many entries were looked at, those that the filter does not select included
	At       time.Time     // by the clock of the engine
}

// EntryGroup counts entries that have these things in common.
type EntryGroup struct {
	State     EntryState // of each of them
	Event     Name       // "" if it is not known
	StoreID   client.ID  // 0 if it is not known
	Cause     string     // by CauseGroup; "" if they did not fail
	Protected bool       // they are requests of data protection
	Count     int        // how many there are
	Oldest    time.Time  // the earliest Since of them
}

// MostGroups bounds the groups that Browser.Groups returns.
const MostGroups = 100_000

// EntryGroups are what is in an inbox, by groups.
type EntryGroups struct {
	At     time.Time    // when the count began, by the clock of the engine
	Groups []EntryGroup // the largest first
	Others int          // entries of further groups, after MostGroups
}

// MostCause is the largest number of bytes of a cause that CauseGroup returns.
const MostCause = 200

// CauseGroup returns what a cause has in common with others: each word of letters, digits, - and _ with four digits or
// more, such as an id, is replaced by an ellipsis, and so is what is after MostCause bytes. Status codes stay.
// CauseGroup of a result is that result.
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
