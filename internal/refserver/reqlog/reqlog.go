package reqlog

import (
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// Entry is one request and the outcome. Its headers, and so its token, are not kept.
type Entry struct {
	// ID counts the requests from 1 and is in the answer as X-Request-Id.
	ID int64
	// Seq counts the requests from 1 in the order in which they were answered.
	Seq    int64
	At     time.Time
	Method string
	// Path is the escaped path and the query.
	Path string
	// Op is the id of the operation, empty if none was found.
	Op      string
	Version string
	App     int64
	Store   int64
	// Body is as it was sent, with whatever secrets are in it.
	Body   []byte
	Status int
	// Answer is the beginning of the body that was answered, if the server keeps answers.
	Answer []byte
	// Duration is by the server's clock.
	Duration time.Duration
	// Fault is set if a rule had its hand in it.
	Fault bool
	// UnreadBody and UnreadQuery name what was sent and nothing read: misspelt
	// names, usually.
	UnreadBody  []string
	UnreadQuery []string
	// Hint says what there is instead of a path or a method that no operation has, empty if one has it.
	Hint string
	// Error is what went wrong inside, for a 500.
	Error string
}

// Log keeps the last entries. It is safe for concurrent use.
type Log struct {
	// Changed rings after each Add.
	Changed work.Bell

	mu   sync.Mutex
	size int
	next int64
	last int64
	// ring holds the oldest entry at head once it is full.
	ring []Entry
	head int
}

// New returns a log that keeps the last size entries.
func New(size int) *Log { return &Log{size: size} }

// NextID hands out the id for a request that has arrived.
func (l *Log) NextID() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next++
	return l.next
}

// Add keeps a finished request.
func (l *Log) Add(e Entry) {
	defer l.Changed.Ring()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	e.Seq = l.last
	if len(l.ring) < l.size {
		l.ring = append(l.ring, e)
		return
	}
	l.ring[l.head] = e
	l.head = (l.head + 1) % l.size
}

// Since returns what is kept of the requests that were answered after the one with the number.
func (l *Log) Since(seq int64) []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(max(l.last-seq, 0), int64(len(l.ring)))
	all := slices.Concat(l.ring[l.head:], l.ring[:l.head])
	return all[int64(len(all))-n:]
}

// Entries returns what is kept, oldest first.
func (l *Log) Entries() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Concat(l.ring[l.head:], l.ring[:l.head])
}
