package shipping

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// SharedCache stores answers for all replicas of an app, such as sqlrates.Cache of package shipping/sqlrates, or
// Redis. A Handler reads it if the answer is not in the memory of the process. So a replica that is new, or whose
// calls of the function fail, can use an answer of another replica. Anyone who can write to it determines the rates
// that customers see. Implementations must be safe for concurrent use. Calls that hang do not hold requests.
type SharedCache interface {
	// Get returns the value last stored under key; nil if there is none or if it has expired.
	Get(ctx context.Context, key string) ([]byte, error)
	// Put stores a value under a key for the time keep, which is between a minute and a day. Keys have 64 bytes of
	// ASCII, and values are JSON of up to about 1 MiB.
	Put(ctx context.Context, key string, value []byte, keep time.Duration) error
}

const (
	// sharedGet is the timeout of a read from Shared, and sharedPut of a write.
	sharedGet = 200 * time.Millisecond
	sharedPut = 2 * time.Second
	// sharedPause is how long Shared is not used after it has failed.
	sharedPause = time.Second
)

// sharing is the state of a Handler's Shared.
type sharing struct {
	get, put    *callback.Guard
	pausedUntil atomic.Int64 // in nanoseconds since 1970
}

// sharedEntry is the form of an entry that replicas exchange.
type sharedEntry struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
	Rates  int             `json:"rates"`
	Began  time.Time       `json:"began"`
	At     time.Time       `json:"at"`
}

// recall looks for the answer of another replica, if this process has none or a stale one.
func (h *Handler) recall(ctx context.Context, e *serving, in *quoted) (old *entry, fresh bool) {
	id := in.id
	old, fresh = e.cache.get(id)
	if h.Shared == nil || fresh || e.sharing.paused() {
		return old, fresh
	}
	value, err := shared(ctx, e, e.sharing.get, func(ctx context.Context) ([]byte, error) {
		return h.Shared.Get(ctx, hex.EncodeToString(id[:]))
	})
	if value == nil && err == nil {
		return old, fresh
	}
	var found *entry
	if err == nil {
		found, err = readShared(value, time.Now())
	}
	if err != nil {
		h.fail(ctx, in.account, fmt.Errorf("%w: get: %w", ErrShared, err))
		return old, fresh
	}
	if old != nil && !found.at.After(old.at) {
		return old, fresh
	}
	found.id = id
	e.cache.put(found)
	return e.cache.get(id)
}

// readShared reads a value that another replica stored. Its clock may be ahead.
func readShared(value []byte, now time.Time) (*entry, error) {
	var s sharedEntry
	if err := wire.Unmarshal(value, &s); err != nil || s.Body == nil || s.Status != http.StatusOK && s.Status != http.StatusUnprocessableEntity {
		return nil, fmt.Errorf("the value of %d bytes is not an answer that a Handler stored", len(value))
	}
	if s.At.After(now) {
		s.At = now
	}
	return &entry{status: s.Status, body: s.Body, rates: s.Rates, began: s.Began, at: s.At}, nil
}

// share stores an answer for the other replicas.
func (h *Handler) share(ctx context.Context, e *serving, a account, en *entry) {
	keep := e.cache.lifetime(en)
	if keep <= 0 || e.sharing.paused() {
		return
	}
	value, err := wire.Marshal(sharedEntry{en.status, en.body, en.rates, en.began, en.at})
	if err == nil {
		_, err = shared(ctx, e, e.sharing.put, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, h.Shared.Put(ctx, hex.EncodeToString(en.id[:]), value, keep)
		})
	}
	if err != nil {
		h.fail(ctx, a, fmt.Errorf("%w: put: %w", ErrShared, err))
	}
}

func (s *sharing) paused() bool { return time.Now().UnixNano() < s.pausedUntil.Load() }

// shared calls the app's Shared, even if the client disconnects. After an error, Shared is paused.
func shared[T any](ctx context.Context, e *serving, g *callback.Guard, f func(context.Context) (T, error)) (T, error) {
	out, err := callback.Guarded(context.WithoutCancel(ctx), g, "Handler.Shared", f)
	if err != nil {
		e.sharing.pausedUntil.Store(time.Now().Add(sharedPause).UnixNano())
	}
	return out, err
}
