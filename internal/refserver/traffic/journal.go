package traffic

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// Kind is the kind of an Entry.
type Kind string

// The kinds of entries.
const (
	KindWebhook Kind = "webhook" // a delivery with all its attempts
	KindCart    Kind = "cart"    // a cart that was sent to an app
	KindRate    Kind = "rate"    // a request for rates, or an answer from the cache
	KindRule    Kind = "rule"    // a question to a business rule
	KindLabel   Kind = "label"   // a call about labels
	KindPayment Kind = "payment" // a call to a payment app
	KindRequest Kind = "request" // a request of an app to the API
	KindAct     Kind = "act"     // a call of the control API that may change something
	KindClock   Kind = "clock"   // such a call that moves the clock
)

// Kinds are all kinds.
func Kinds() []Kind {
	return []Kind{KindWebhook, KindCart, KindRate, KindRule, KindLabel, KindPayment, KindRequest, KindAct, KindClock}
}

// State is the state of an Entry.
type State string

// The states of entries.
const (
	StateOK        State = "ok"        // answered in time, and accepted
	StateDelivered State = "delivered" // a webhook
	StateWaiting   State = "waiting"   // a webhook before the answer to its first attempt
	StateFailing   State = "failing"   // Next is when it is tried again
	StateGivenUp   State = "given_up"  // a webhook after its last attempt
	StateLate      State = "late"      // no answer in time
	StateRefused   State = "refused"   // the request, the payment or the act
	StateFailed    State = "failed"    // no answer, or one with an error
	StateIgnored   State = "ignored"   // the answer does not count
)

// States are all states.
func States() []State {
	return []State{
		StateOK, StateDelivered, StateWaiting, StateFailing, StateGivenUp, StateLate, StateRefused, StateFailed, StateIgnored,
	}
}

// Bad reports whether something went wrong that a developer should look at.
func (s State) Bad() bool {
	return s == StateFailing || s == StateGivenUp || s == StateLate || s == StateRefused || s == StateFailed
}

// Open reports whether the entry is not at its end.
func (s State) Open() bool { return s == StateWaiting || s == StateFailing }

// Record names a record of a store. An empty Resource is none.
type Record struct{ Resource, Key string }

// Span is the time between two values of Journal.Mark.
type Span struct{ From, To int64 }

// Made reports whether an entry was made within the span.
func (s Span) Made(e *Entry) bool { return s.From <= e.Begun && e.made <= s.To }

// Called reports whether an app was called for an entry within the span.
func (s Span) Called(e *Entry) bool {
	for _, of := range e.Spans {
		if s.From <= of.From && of.To < s.To { // the change after it is in the span too
			return true
		}
	}
	return false
}

// Entry is something that happened, without its bodies.
type Entry struct {
	// ID counts the entries from 1.
	ID int64
	// Rev is greater after each change than that of any entry before.
	Rev int64
	// At, Tried and Ended are by the clock of the server. Tried is when the first attempt at a webhook ended. Ended is
	// the zero time while State is open.
	At, Tried, Ended time.Time
	Kind             Kind
	// Name is the event, operation, act or domain.
	Name       string
	Store, App int64
	Record     Record
	// Status is 0 if there was no answer.
	Status int
	State  State
	// Word is the state in plain words.
	Word string
	// Took is the time until the answer or the limit; that of the last attempt at a webhook. Limit is 0 without one.
	Took, Limit time.Duration
	// Next is when the call is made again; the zero time if it is not.
	Next  time.Time
	Tries int
	// Line is the answer or the reason in one line.
	Line string

	// Begun is Journal.Mark when the entry began.
	Begun int64
	// Spans are the times while an app was called, or an act was done.
	Spans []Span
	// Origin is unique to a request, 0 for others. Cause is that of the request that caused the entry, 0 if none did.
	Origin, Cause int64
	// Source returns the record with the bodies by Key. It reports false if that is no longer there.
	Source func(key int64) (any, bool)
	Key    int64

	made int64  // the change that added it
	text string // for Has
}

// Has reports whether a word in lower case is in the name, the line, the numbers or the state of the entry.
func (e *Entry) Has(word string) bool { return strings.Contains(e.text, word) }

// index makes the text for Has.
func (e *Entry) index() {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	e.text = strings.ToLower(strings.Join([]string{
		string(e.Kind), e.Name, e.Record.Resource, e.Record.Key, number(e.Store), number(e.App), number(int64(e.Status)),
		string(e.State), e.Word, e.Line,
	}, "\n"))
}

// Totals count all entries, also forgotten ones.
type Totals struct {
	// Entries is the number of entries so far, Kept of those in memory.
	Entries, Kept int64
	// Kinds counts them by kind.
	Kinds map[Kind]int64
}

// Journal is one log of everything that happened. It has no bodies, and each entry costs the same. It is safe for
// concurrent use. NewJournal makes one.
type Journal struct {
	// Changed rings after each change.
	Changed work.Bell

	mu      sync.Mutex
	ring    []Entry // the entry with an ID is at ID modulo the size
	size    int64
	last    int64
	origins int64
	kinds   map[Kind]int64
	changes work.Changes
}

// NewJournal returns a journal that keeps the last size entries.
func NewJournal(size int) *Journal { return &Journal{size: int64(size), kinds: map[Kind]int64{}} }

// Add appends an entry and returns its ID.
func (j *Journal) Add(e Entry) int64 {
	defer j.Changed.Ring()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last++
	e.ID = j.last
	e.index()
	j.kinds[e.Kind]++
	if int64(len(j.ring)) < j.size {
		j.ring = append(j.ring, e)
	} else {
		*j.at(e.ID) = e
	}
	at := j.at(e.ID)
	j.touch(at)
	at.made = at.Rev
	return e.ID
}

// at is the place of an entry. The lock is held.
func (j *Journal) at(id int64) *Entry { return &j.ring[(id-1)%j.size] }

// kept reports whether an entry is remembered. The lock is held.
func (j *Journal) kept(id int64) bool { return id > j.last-int64(len(j.ring)) && id <= j.last }

func (j *Journal) touch(e *Entry) {
	e.Rev = j.changes.Touch(e.ID, len(j.ring), func(c work.Change) bool { return j.kept(c.ID) && j.at(c.ID).Rev == c.Rev })
}

// Change changes an entry, unless it is forgotten. The function must not call the journal.
func (j *Journal) Change(id int64, f func(e *Entry)) {
	defer j.Changed.Ring()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.kept(id) {
		e := j.at(id)
		made := e.made
		f(e)
		e.made = made
		e.index()
		j.touch(e)
	}
}

// Mark counts the changes. It says which of them came before, and which after.
func (j *Journal) Mark() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.changes.Last()
}

// Origin returns a number for a request.
func (j *Journal) Origin() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.origins++
	return j.origins
}

// Totals returns the counts.
func (j *Journal) Totals() Totals {
	j.mu.Lock()
	defer j.mu.Unlock()
	t := Totals{Entries: j.last, Kept: int64(len(j.ring)), Kinds: map[Kind]int64{}}
	for kind, n := range j.kinds {
		t.Kinds[kind] = n
	}
	return t
}

// Find returns the entry with an ID; false if there is none, or none any more.
func (j *Journal) Find(id int64) (Entry, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.kept(id) {
		return Entry{}, false
	}
	return *j.at(id), true
}

// Part returns a part of the entries that keep accepts, by ID. Looked is the number of entries that keep was called
// with, Most at most, and last the ID of the last of them.
func (j *Journal) Part(p work.Part, keep func(e *Entry) bool) (out []Entry, looked int, last int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	first := j.last - int64(len(j.ring)) + 1
	id, step := max(p.After+1, first), int64(1)
	if p.Newest {
		id, step = min(p.After-1, j.last), -1
	}
	for ; id >= first && id <= j.last && looked < p.Most; id += step {
		looked, last = looked+1, id
		if e := j.at(id); keep(e) {
			out = append(out, *e)
		}
	}
	return out, looked, last
}

// Since returns the entries with a change after that of the number, most at most, in the order of their changes.
func (j *Journal) Since(rev int64, most int) []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []Entry
	for _, c := range j.changes.Since(rev) {
		if len(out) == most {
			break
		}
		if j.kept(c.ID) && j.at(c.ID).Rev == c.Rev {
			out = append(out, *j.at(c.ID))
		}
	}
	return out
}
