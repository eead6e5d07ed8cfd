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

// SharedCache keeps answers for all replicas of an app, such as sqlrates.Cache of package shipping/sqlrates, or Redis.
// It is asked for what the memory of the process lacks, so that a replica which is new, or whose calls of the function
// fail, can give the answer of another one. Whoever can write to it decides what buyers are shown. Implementations must
// be safe for concurrent use.
type SharedCache interface {
	// Get returns what was put under a key last; nil if there is nothing, or if its time has passed.
	Get(ctx context.Context, key string) ([]byte, error)
	// Put keeps a value under a key for a time, at least a minute and a day at most. Keys have 64 bytes of ASCII, and
	// values are JSON of up to about 1 MiB.
	Put(ctx context.Context, key string, value []byte, keep time.Duration) error
}

const (
	// sharedGet is how long a request waits for Shared, and sharedPut how long an answer may take to be put.
	sharedGet = 200 * time.Millisecond
	sharedPut = 2 * time.Second
	// sharedPause is how long Shared is not asked after it has failed.
	sharedPause = time.Second
)

// sharing is what a Handler knows of its Shared.
type sharing struct{ pausedUntil atomic.Int64 } // in nanoseconds since 1970

// sharedEntry is an entry as replicas exchange it.
type sharedEntry struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
	Rates  int             `json:"rates"`
	Began  time.Time       `json:"began"`
	At     time.Time       `json:"at"`
}

// recall looks for the answer of another replica, if that of this process is missing or not fresh.
func (h *Handler) recall(ctx context.Context, e *serving, req *Request, id identity) (old *entry, fresh bool) {
	old, fresh = e.cache.get(id)
	if h.Shared == nil || fresh || e.sharing.paused() {
		return old, fresh
	}
	var value []byte
	err := e.sharing.guarded(ctx, sharedGet, func(ctx context.Context) (err error) {
		value, err = h.Shared.Get(ctx, hex.EncodeToString(id[:]))
		return err
	})
	if err != nil {
		h.fail(ctx, req, fmt.Errorf("%w: get: %w", ErrShared, err))
	}
	if value == nil || err != nil {
		return old, fresh
	}
	found, err := readShared(value, time.Now())
	if err != nil {
		h.fail(ctx, req, fmt.Errorf("%w: get: %w", ErrShared, err))
		return old, fresh
	}
	if old != nil && !found.at.After(old.at) {
		return old, fresh
	}
	found.id = id
	e.cache.put(found)
	return e.cache.get(id)
}

// readShared reads what another replica has put. Its clock may be ahead.
func readShared(value []byte, now time.Time) (*entry, error) {
	var s sharedEntry
	if err := wire.Unmarshal(value, &s); err != nil || s.Body == nil || s.Status != http.StatusOK && s.Status != http.StatusUnprocessableEntity {
		return nil, fmt.Errorf("the value of %d bytes is not an answer that a Handler has put", len(value))
	}
	if s.At.After(now) {
		s.At = now
	}
	return &entry{status: s.Status, body: s.Body, rates: s.Rates, began: s.Began, at: s.At}, nil
}

// share puts an answer for the other replicas.
func (h *Handler) share(ctx context.Context, e *serving, req *Request, en *entry) {
	keep := e.cache.lifetime(en)
	if h.Shared == nil || keep <= 0 || e.sharing.paused() {
		return
	}
	value, err := wire.Marshal(sharedEntry{en.status, en.body, en.rates, en.began, en.at})
	if err == nil {
		err = e.sharing.guarded(ctx, sharedPut, func(ctx context.Context) error {
			return h.Shared.Put(ctx, hex.EncodeToString(en.id[:]), value, keep)
		})
	}
	if err != nil {
		h.fail(ctx, req, fmt.Errorf("%w: put: %w", ErrShared, err))
	}
}

func (s *sharing) paused() bool { return time.Now().UnixNano() < s.pausedUntil.Load() }

// guarded calls the app's Shared for a bounded time. A panic is an error, and after an error there is a pause.
func (s *sharing) guarded(ctx context.Context, most time.Duration, f func(context.Context) error) (err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			err = callback.Recovered(v)
		}
		if err != nil {
			s.pausedUntil.Store(time.Now().Add(sharedPause).UnixNano())
		}
	}()
	return f(ctx)
}
