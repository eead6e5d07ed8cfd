package webhook

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// ErrGone is the reason of deliveries that were dropped because the app is not installed in the store. Probes have
// confirmed it, so no attempt can succeed.
var ErrGone = errors.New("app is not installed in the store")

// An invalid token alone is no proof: when a merchant approves the app again, the old token ends a moment before the
// new one is stored. So the app counts as gone only after several probes over a period.
const (
	goneAfter = 30 * time.Second // between the first of the probes and the one that confirms it
	goneFresh = 10 * time.Minute // an older probe is ignored
	mostGone  = 4096             // stores that are cached
)

// absences caches the stores in which probes have found no installation.
type absences struct {
	mu    sync.Mutex
	found map[client.ID]absence
}

type absence struct{ first, last time.Time }

// watch returns a probe whose results are cached, or nil.
func (a *absences) watch(probe func(context.Context, client.ID) (Installation, error)) func(context.Context, client.ID) (Installation, error) {
	if probe == nil {
		return nil
	}
	return func(ctx context.Context, store client.ID) (Installation, error) {
		found, err := probe(ctx, store)
		if err == nil {
			a.note(store, found.Access)
		}
		return found, err
	}
}

func (a *absences) note(store client.ID, access Access) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if access != AccessGone {
		delete(a.found, store)
		return
	}
	now := time.Now()
	was, known := a.found[store]
	switch {
	case known && now.Sub(was.last) < goneFresh:
		was.last = now
	case !known && len(a.found) >= mostGone:
		clear(a.found) // the other stores are confirmed a little later
		fallthrough
	default:
		was = absence{now, now}
	}
	if a.found == nil {
		a.found = make(map[client.ID]absence)
	}
	a.found[store] = was
}

// ask probes a store after an error. It reports whether the app is not installed there, and in what time that is
// confirmed, 0 if it is confirmed now.
func (a *absences) ask(ctx context.Context, probe func(context.Context, client.ID) (Installation, error), store client.ID) (confirmed time.Duration, gone bool) {
	err := guard(ctx, func(ctx context.Context) error {
		found, err := probe(ctx, store)
		gone = err == nil && found.Access == AccessGone
		return err
	})
	if err != nil || !gone {
		return 0, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(0, goneAfter-time.Since(a.found[store].first)), true
}

// saysGone reports whether a handler failed because the app is not installed.
func saysGone(err error) bool {
	access, _ := AccessOf(err)
	return access == AccessGone
}
