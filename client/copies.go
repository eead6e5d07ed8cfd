package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"sync"
	"time"
)

// Defaults of Copies.
const (
	DefaultCopyEvery     = 5 * time.Minute // of Copies.Every
	DefaultCopyReconcile = 24 * time.Hour  // of Copies.Reconcile
)

// Copier is a *Copy of any record.
type Copier interface {
	// Run makes the mirror equal to the store.
	Run(ctx context.Context) error
	// Reconcile finds records that are not in the store any more, and such that the mirror lacks.
	Reconcile(ctx context.Context) error
	// Changed reads a record and writes it into the mirror.
	Changed(ctx context.Context, id ID) error
	// Deleted deletes a record that the platform has reported as deleted.
	Deleted(ctx context.Context, id ID) error
}

// Copies runs the copies of all stores of an app, one store after another: when it starts, after an installation and
// every Every. All replicas may do so: where two of them run one copy, the later one stops, and a copy whose process
// was killed is resumed by the next.
//
//	copies := &client.Copies{
//		Stores: store.Stores, // of a sqlstore.Store
//		Of:     []func(context.Context, client.ID) (client.Copier, error){products, orders},
//	}
//	go copies.Run(ctx)
//
// Stores and Of are required. The fields must not be changed once it runs, and it must not be copied.
type Copies struct {
	// Stores iterates over the stores that have installed the app.
	Stores func(ctx context.Context) iter.Seq2[ID, error]
	// Of are functions that return a copy of a store, one for each kind of record.
	Of []func(ctx context.Context, store ID) (Copier, error)
	// Prepare, if set, is called for the stores that have the app when this process starts, before their copies run, until it
	// has succeeded once for each. It is where an app repeats what an installation may not have completed, such as
	// WebhookService.Ensure, so it must be idempotent. It is not called for stores that install the app later: their
	// installation does it, and two at the same time could register twice. The copies run also if it fails.
	Prepare func(ctx context.Context, store ID) error
	// Every is the time between two runs of all copies. 0 means DefaultCopyEvery.
	Every time.Duration
	// Reconcile is the time between two comparisons of all ids. The first run of a process compares too. 0 means
	// DefaultCopyReconcile.
	Reconcile time.Duration
	// OnGone, if set, is called when a copy fails because the app is not installed in the store: its token is dead or
	// missing. It is where the token is deleted (oauth.Handler.Uninstall, which verifies that it is dead), because
	// app/uninstalled may be late or lost. If it returns nil, the failure is not reported.
	OnGone func(ctx context.Context, store ID) error
	// OnFailure is called with each failure, and with store 0 if Stores failed. A copy that another replica runs has not
	// failed. Nil logs to slog.Default at level warn.
	OnFailure func(ctx context.Context, store ID, err error)

	once sync.Once
	wake chan struct{}
}

func (c *Copies) woken() chan struct{} {
	c.once.Do(func() { c.wake = make(chan struct{}, 1) })
	return c.wake
}

// Wake has Run begin the next run at once: call it when a store has installed the app.
func (c *Copies) Wake() {
	select {
	case c.woken() <- struct{}{}:
	default: // it is to begin already
	}
}

// Run runs the copies until ctx ends, and returns nil then. It returns an error at once if the configuration is wrong.
func (c *Copies) Run(ctx context.Context) error {
	if c.Stores == nil || len(c.Of) == 0 || c.Every < 0 || c.Reconcile < 0 {
		return errors.New("client: Copies: Stores and Of must be set, and Every and Reconcile must be 0 or more")
	}
	var compared time.Time
	unprepared := map[ID]bool{}
	for ctx.Err() == nil {
		first := compared.IsZero()
		whole := first || time.Since(compared) >= cmp.Or(c.Reconcile, DefaultCopyReconcile)
		if whole {
			compared = time.Now()
		}
		for store, err := range c.Stores(ctx) {
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				c.fail(ctx, store, err)
				continue
			}
			if c.Prepare != nil && (first || unprepared[store]) {
				err := c.Prepare(ctx, store)
				if unprepared[store] = err != nil; err != nil {
					c.fail(ctx, store, fmt.Errorf("prepare: %w", err))
				}
			}
			for _, of := range c.Of {
				c.run(ctx, store, of, whole)
			}
		}
		pause := time.NewTimer(cmp.Or(c.Every, DefaultCopyEvery))
		select {
		case <-pause.C:
		case <-c.woken():
		case <-ctx.Done():
		}
		pause.Stop()
	}
	return nil
}

// run runs one copy of a store, and compares its ids if whole is set.
func (c *Copies) run(ctx context.Context, store ID, of func(context.Context, ID) (Copier, error), whole bool) {
	one, err := of(ctx, store)
	if err == nil {
		err = one.Run(ctx)
	}
	if err == nil && whole {
		err = one.Reconcile(ctx)
	}
	var tokenless interface{ NotInstalled() } // as oauth.ErrNotInstalled has
	if c.OnGone != nil && (errors.Is(err, ErrUnauthorized) || errors.As(err, &tokenless)) {
		err = c.OnGone(ctx, store)
	}
	if err != nil && !errors.Is(err, ErrCopyMoved) {
		c.fail(ctx, store, err)
	}
}

func (c *Copies) fail(ctx context.Context, store ID, err error) {
	switch {
	case ctx.Err() != nil: // it is the end of ctx
	case c.OnFailure != nil:
		c.OnFailure(ctx, store, err)
	default:
		slog.WarnContext(ctx, "a store was not copied", "store", store, "error", err)
	}
}
