package discounts

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/rounds"
)

// Broadcast sends notes to the caches of an app's other replicas, for example with LISTEN and NOTIFY of
// PostgreSQL. Notes may be lost, repeated, reordered, or received by their sender, because they only cause caches
// to load earlier. Its methods must be safe for concurrent use.
type Broadcast interface {
	// Send sends a note of less than 200 bytes to all replicas. It does not wait until they have received it.
	Send(ctx context.Context, note string) error
	// Receive calls f with each note of the other replicas, sequentially, until ctx ends. It returns an error if it
	// can receive no more. The PromotionCache calls it again after 5 s.
	Receive(ctx context.Context, f func(note string)) error
}

// note is a message from one cache to the others.
type note struct {
	Store     client.ID  `json:"store"`
	About     about      `json:"about"`
	Promotion uuid.UUID  `json:"promotion,omitzero"`
	To        withdrawal `json:"to,omitzero"`
}

// about is the subject of a note.
type about string

const (
	aboutStore      about = "store"      // the app was installed or uninstalled
	aboutPromotions about = "promotions" // some were created or changed
	aboutWithdrawal about = "withdrawal" // of Promotion
)

// sendTime is the timeout for sending a note.
const sendTime = 10 * time.Second

// send sends a note in the background.
func (c *PromotionCache) send(n note) {
	if c.Broadcast == nil {
		return
	}
	text, err := json.Marshal(n)
	if err != nil {
		return // such a note can always be encoded
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.background()
	c.working.Go(func() {
		ctx, cancel := context.WithTimeout(c.base, sendTime)
		defer cancel()
		_, err := callback.Guarded(context.WithoutCancel(ctx), c.sendGuard, "Broadcast.Send", func(context.Context) (struct{}, error) {
			return struct{}{}, c.Broadcast.Send(ctx, string(text))
		})
		if err != nil && c.base.Err() == nil {
			c.fail(ctx, n.Store, "other replicas not notified", err)
		}
	})
}

// listen starts to receive notes. The caller holds the lock.
func (c *PromotionCache) listen() {
	if c.Broadcast == nil || c.listening || c.closed {
		return
	}
	c.listening = true
	c.background()
	c.working.Go(func() {
		for c.base.Err() == nil {
			err := rounds.Guard(func() error { return c.Broadcast.Receive(c.base, c.heard) })
			if c.base.Err() == nil {
				c.fail(c.base, 0, "notes of other replicas not received", err)
			}
			_ = sleep(c.base, retryAfter)
		}
	})
}

// heard processes a note of another replica. It ignores unknown notes, which are from another release.
func (c *PromotionCache) heard(text string) {
	var n note
	if json.Unmarshal([]byte(text), &n) != nil {
		return
	}
	switch n.About {
	case aboutStore:
		c.forget(n.Store)
	case aboutPromotions:
		c.mu.Lock()
		defer c.mu.Unlock()
		if s, ok := c.shelves.Peek(n.Store); ok {
			s.loaded = time.Time{} // the next cart waits for a load
		}
	case aboutWithdrawal:
		if n.To == switchedOff || n.To == unnamed {
			c.withdraw(n.Store, n.Promotion, n.To)
		}
	}
}
