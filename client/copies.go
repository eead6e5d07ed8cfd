package client

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"sync"
	"time"
)

// Defaults of Copies.
const (
	DefaultCopyEvery     = 5 * time.Minute // of Copies.Every
	DefaultCopyReconcile = 24 * time.Hour  // of Copies.Reconcile

	DefaultCopyConcurrency = 4 // of Copies.Concurrency
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

// Copies runs the copies of all stores of an app: when it starts, after an installation and every Every. The copies of
// one store follow one another, because they share its rate limit. A store that is slow, or is copied for the first
// time, does not hold up the others, unless Concurrency stores are: its next run is left out. All replicas may do so:
// where two of them run one copy, the later one stops, and a copy whose process was killed is resumed by the next.
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
	// Prepare, if set, is called for the stores that have the app when this process starts, before their copies run,
	// until it has succeeded once for each. It is where an app repeats what an installation may not have completed,
	// such as WebhookService.Ensure, so it must be idempotent. It is not called for stores that install the app later:
	// their installation does it, and two at the same time could register twice. The copies run also if it fails.
	Prepare func(ctx context.Context, store ID) error
	// Every is the time between two runs of all copies. 0 means DefaultCopyEvery.
	Every time.Duration
	// Reconcile is the time between two comparisons of all ids. The first run of a process compares too. A comparison
	// that failed is repeated with the next run. 0 means DefaultCopyReconcile.
	Reconcile time.Duration
	// Concurrency is the number of stores whose copies run at a time. 0 means DefaultCopyConcurrency.
	Concurrency int
	// OnGone, if set, is called when a copy fails because the app is not installed in the store: its token is dead or
	// missing. It is where the token is deleted (oauth.Handler.Uninstall, which verifies that it is dead), because
	// app/uninstalled may be late or lost. If it returns nil, the failure is not reported. All functions may be called
	// concurrently, for different stores.
	OnGone func(ctx context.Context, store ID) error
	// OnFailure is called with each failure, and with store 0 if Stores failed. The panic of a function is a failure
	// too. A copy that another replica runs has not failed. It may be called concurrently. Nil logs to slog.Default at
	// level warn.
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

// Run runs the copies until ctx ends, waits for those that run, and returns nil. It returns an error at once if the
// configuration is wrong.
func (c *Copies) Run(ctx context.Context) error {
	if c.Stores == nil || len(c.Of) == 0 || c.Every < 0 || c.Reconcile < 0 || c.Concurrency < 0 {
		return errors.New("client: Copies: Stores and Of must be set, and Every, Reconcile and Concurrency must be 0 or more")
	}
	p := newCopiesPass(c)
	defer p.running.Wait()
	for ctx.Err() == nil {
		p.run(ctx)
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

func (c *Copies) fail(ctx context.Context, store ID, err error) {
	switch {
	case ctx.Err() != nil: // it is the end of ctx
	case c.OnFailure != nil:
		c.OnFailure(ctx, store, err)
	default:
		slog.WarnContext(ctx, "a store was not copied", "store", store, "error", err)
	}
}
