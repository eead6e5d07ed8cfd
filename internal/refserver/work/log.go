package work

import (
	"cmp"
	"slices"
	"sync"
)

// usuallyKept is how many records a Log has at least before it forgets any.
const usuallyKept = 10000

// Log remembers what was done, the latest of it. The zero value is empty. It is safe for
// concurrent use.
type Log[T any] struct {
	// Kept is how many records there are at least before any is forgotten; 0 is 10000.
	Kept int
	// Added, if set, is called with each record after it was added.
	Added func(T)

	mu      sync.Mutex
	records []T
	last    int
}

// Add keeps a record. Number receives the number of the record, from 1 on.
func (l *Log[T]) Add(record T, number func(r *T, n int)) T {
	record = l.add(record, number)
	if l.Added != nil {
		l.Added(record)
	}
	return record
}

func (l *Log[T]) add(record T, number func(r *T, n int)) T {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	number(&record, l.last)
	l.records = append(l.records, record)
	kept := cmp.Or(l.Kept, usuallyKept)
	if n := len(l.records) - kept; n > kept/10 {
		l.records = slices.Clone(l.records[n:])
	}
	return record
}

// All returns the records, the oldest first. Of very many the oldest are forgotten.
func (l *Log[T]) All() []T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.records)
}

// Part returns a part of the records, whose numbers are their keys. It locks the log for no longer than that.
func (l *Log[T]) Part(p Part, number func(T) int64) []T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Of(p, len(l.records), func(i int) int64 { return number(l.records[i]) }, func(i int) T { return l.records[i] })
}
