package inboxmem

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Defaults of Options.
const (
	DefaultHighWater = 1_000_000 // of Options.HighWater
	DefaultMaxDead   = 100_000   // of Options.MaxDead, unless ten times HighWater is less
)

// Options are the settings of an inbox in memory.
type Options struct {
	// AllowLossy must be true. It confirms that accepted entries are lost when the process ends.
	AllowLossy bool
	// HighWater is the number of pending entries at which Accept rejects new keys with webhook.ErrFull. Zero means
	// DefaultHighWater. It is exact.
	HighWater int
	// MaxDead is the largest number of dead entries, without privacy requests. If there are more, the oldest are
	// deleted. Entries that cannot be handled are deleted before entries whose handler failed. Stats.Trimmed counts
	// them. Zero means ten times HighWater, at most DefaultMaxDead.
	MaxDead int
}

// Inbox stores entries in memory. Make it with [New]. It is safe for concurrent use.
type Inbox struct {
	highWater int
	maxDead   int

	mu                sync.Mutex
	rows              map[string]*row
	lanes             map[string]*lane
	stores            map[value.ID]*store // with lanes that wait
	waiting           queue[*store]       // the same, by their turns
	held              queue[*lane]        // lanes that are leased, by the end of the lease
	known             queue[*row]         // facts that were handled, by the end of their window
	graves            queue[*grave]       // dead entries, by the order in which they are deleted
	accepted, handled int64               // for Flow
	trimmed           int                 // dead entries that were deleted because there were too many
	pending           int
	seq               uint64        // arrivals and leases so far; orders entries that are due since the same time
	token             uint64        // the last token
	changed           chan struct{} // closed when something changes; nil while no call waits
	marks             map[string]time.Time
}

var (
	_ webhook.Inbox       = (*Inbox)(nil)
	_ webhook.DeadLetters = (*Inbox)(nil)
	_ webhook.Stores      = (*Inbox)(nil)
	_ webhook.Marks       = (*Inbox)(nil)
	_ webhook.Tokens      = (*Inbox)(nil)
	_ webhook.Browser     = (*Inbox)(nil)
)

// New returns an empty inbox.
func New(o Options) (*Inbox, error) {
	if !o.AllowLossy {
		return nil, errors.New("inboxmem: AllowLossy is false: must be true, because the inbox is lost when the process ends")
	}
	if o.HighWater < 0 {
		return nil, fmt.Errorf("inboxmem: HighWater is %d: must be 0 or more", o.HighWater)
	}
	if o.MaxDead < 0 {
		return nil, fmt.Errorf("inboxmem: MaxDead is %d: must be 0 or more", o.MaxDead)
	}
	if o.HighWater == 0 {
		o.HighWater = DefaultHighWater
	}
	if o.MaxDead == 0 {
		o.MaxDead = min(10*o.HighWater, DefaultMaxDead)
	}
	return &Inbox{
		highWater: o.HighWater,
		maxDead:   o.MaxDead,
		rows:      make(map[string]*row),
		lanes:     make(map[string]*lane),
		stores:    make(map[value.ID]*store),
		marks:     make(map[string]time.Time),
	}, nil
}

// lock locks the inbox for one call and updates it: leases that ended are taken back, and some of the facts whose
// window is over are deleted.
func (b *Inbox) lock(ctx context.Context) (now time.Time, err error) {
	if ctx.Err() != nil {
		return time.Time{}, callback.Ended(ctx)
	}
	b.mu.Lock()
	now = time.Now()
	for len(b.held) > 0 && !now.Before(b.held[0].until) {
		b.release(b.held[0])
	}
	for range 64 { // the work of a call is bounded
		if len(b.known) == 0 || now.Before(b.known[0].due) {
			break
		}
		b.forget(b.known[0])
	}
	return now, nil
}
