package webhook

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// ErrGone is the reason of deliveries that were dropped: the app is not installed in the store, as probes have
// confirmed, so no attempt can succeed.
var ErrGone = errors.New("app is not installed in the store")

// A token that is not valid is no proof by itself: where a merchant approves the app again, the old token ends a moment
// before the new one is stored. So the app counts as gone when probes found it so over a time.
const (
	goneAfter = 30 * time.Second // between the first of the probes and the one that confirms it
	goneFresh = 10 * time.Minute // a probe that is older confirms nothing
	mostGone  = 4096             // stores that are remembered
)

// absences remembers in which stores probes have found no installation.
type absences struct {
	mu    sync.Mutex
	found map[client.ID]absence
}

type absence struct{ first, last time.Time }

// watch returns a probe whose findings are remembered, or nil.
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
		clear(a.found) // the others are confirmed a little later
		fallthrough
	default:
		was = absence{now, now}
	}
	if a.found == nil {
		a.found = make(map[client.ID]absence)
	}
	a.found[store] = was
}

// ask probes a store after an error. It reports whether the app is not installed there, and in what time that counts as
// confirmed; 0 if it does now.
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
