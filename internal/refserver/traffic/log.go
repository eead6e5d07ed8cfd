package traffic

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// Request is one request and the outcome. Its token is not kept.
type Request struct {
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
	// Header has no credentials. It and AnswerHeader are nil unless the server keeps answers.
	Header, AnswerHeader http.Header
	// Answer is the beginning of the body that was answered, if the server keeps answers.
	Answer []byte
	// Stripped is set if the bodies and headers were dropped, because there were too many in all.
	Stripped bool
	// Duration is by the server's clock.
	Duration time.Duration
	// Fault is set if a rule had its hand in it.
	Fault bool
	// UnreadBody and UnreadQuery name what was sent and nothing read: misspelt
	// names, usually.
	UnreadBody  []string
	UnreadQuery []string
	// Hint says what there is instead of a path or a method that no operation has, or how a 429 ends while the clock
	// stands still. It is empty otherwise.
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
	ring []Request
	head int
	// bodies are their bytes. The requests up to the one with the Seq bare have none.
	bodies, bare int64
}

// NewLog returns a log that keeps the last size entries.
func NewLog(size int) *Log { return &Log{size: size} }

// NextID hands out the id for a request that has arrived.
func (l *Log) NextID() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next++
	return l.next
}

// mostBodies bounds the bodies of all requests in bytes. Above it the oldest requests lose theirs.
const mostBodies = 8 << 20

// Add keeps a finished request, and returns its Seq.
func (l *Log) Add(e Request) int64 {
	defer l.Changed.Ring()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	e.Seq = l.last
	if len(l.ring) < l.size {
		l.ring = append(l.ring, e)
	} else {
		l.strip(&l.ring[l.head])
		l.ring[l.head] = e
		l.head = (l.head + 1) % l.size
	}
	for l.bodies += e.size(); l.bodies > mostBodies && l.bare < l.last; l.bare++ {
		if back := l.last - l.bare - 1; back < int64(len(l.ring)) {
			l.strip(l.at(len(l.ring) - 1 - int(back)))
		}
	}
	return e.Seq
}

// at is the request at a place, from the oldest on. The lock is held.
func (l *Log) at(i int) *Request { return &l.ring[(l.head+i)%len(l.ring)] }

// strip drops the bodies and headers of a request.
func (l *Log) strip(r *Request) {
	if l.bodies -= r.size(); r.size() > 0 {
		r.Body, r.Answer, r.Stripped = nil, nil, true
		r.Header, r.AnswerHeader = nil, nil
	}
}

func (r *Request) size() int64 { return int64(len(r.Body) + len(r.Answer)) }

// Part returns a part of what is kept, by Seq.
func (l *Log) Part(p work.Part) []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return work.Of(p, len(l.ring), func(i int) int64 { return l.at(i).Seq }, func(i int) Request { return *l.at(i) })
}

// Last is the Seq of the last request, 0 if there was none.
func (l *Log) Last() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// Entries returns what is kept, oldest first.
func (l *Log) Entries() []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Concat(l.ring[l.head:], l.ring[:l.head])
}
