package payments

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
)

// MemoryLedger is a Ledger in memory, for tests and for apps of one process that may lose data. It stores all open
// operations and the last 100,000 others. The zero value is empty. It must not be copied.
type MemoryLedger struct {
	mu      sync.Mutex
	entries map[string]stored
	ended   []string // keys of ended entries, the oldest first
}

// stored is an entry, and when it was last changed by the clock of the ledger.
type stored struct {
	Entry
	at time.Time
}

var _ Ledger = (*MemoryLedger)(nil)

// Begin implements Ledger.
func (l *MemoryLedger) Begin(ctx context.Context, e Entry) (before Entry, created bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return Entry{}, false, err
	}
	if there, ok := l.entries[e.Key]; ok {
		return there.Entry, false, nil
	}
	if l.entries == nil {
		l.entries = map[string]stored{}
	}
	e.Version = 1
	l.put(e)
	return e, true, nil
}

// Swap implements Ledger.
func (l *MemoryLedger) Swap(ctx context.Context, e Entry) (swapped bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if there, ok := l.entries[e.Key]; !ok || there.Version != e.Version {
		return false, nil
	}
	e.Version++
	l.put(e)
	return true, nil
}

// put stores an entry, and removes the oldest ended ones above the limit.
func (l *MemoryLedger) put(e Entry) {
	before, ok := l.entries[e.Key]
	l.entries[e.Key] = stored{e, time.Now()}
	if !e.State.Open() && (!ok || before.State.Open()) {
		l.ended = append(l.ended, e.Key)
	}
	for len(l.ended) > maxRemembered {
		delete(l.entries, l.ended[0])
		l.ended = l.ended[1:]
	}
}

// Find implements Ledger.
func (l *MemoryLedger) Find(ctx context.Context, about About) ([]Entry, error) {
	about.ClientID = ""
	if about == (About{}) {
		return nil, ctx.Err()
	}
	found := l.selected(func(e Entry) bool { return about.or(e.About) == e.About })
	slices.SortFunc(found, func(a, b Entry) int { return cmp.Or(a.BegunAt.Compare(b.BegunAt), cmp.Compare(a.Key, b.Key)) })
	return found, ctx.Err()
}

// Open implements Ledger.
func (l *MemoryLedger) Open(ctx context.Context, after string, n int) ([]Entry, error) {
	open := l.selected(func(e Entry) bool { return e.State.Open() && e.Key > after })
	slices.SortFunc(open, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	return open[:min(n, len(open))], ctx.Err()
}

func (l *MemoryLedger) selected(match func(Entry) bool) []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []Entry
	for _, e := range l.entries {
		if match(e.Entry) {
			found = append(found, e.Entry)
		}
	}
	return found
}

// Prune deletes operations as sqlledger.Ledger.Prune does, by the clock of the process. It returns their number.
func (l *MemoryLedger) Prune(ctx context.Context, before time.Time) (n int64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	attempts, transactions := map[client.Code]bool{}, map[uuid.UUID]bool{}
	for _, e := range l.entries {
		if e.State.Open() || !e.at.Before(before) {
			attempts[e.PaymentAttemptID], transactions[e.TransactionID] = true, true
		}
	}
	attempts[""], transactions[uuid.Nil] = false, false
	maps.DeleteFunc(l.entries, func(_ string, e stored) bool {
		old := !e.State.Open() && e.at.Before(before) && !attempts[e.PaymentAttemptID] && !transactions[e.TransactionID]
		if old {
			n++
		}
		return old
	})
	l.ended = slices.DeleteFunc(l.ended, func(key string) bool { return l.entries[key].Key == "" })
	return n, ctx.Err()
}
