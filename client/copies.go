package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"time"

	"github.com/commerceplatform/commerce-go/internal/rounds"
)

// Defaults of the fields of Copies.
const (
	DefaultCopyEvery     = 5 * time.Minute // for Copies.Every
	DefaultCopyReconcile = 24 * time.Hour  // for Copies.Reconcile

	DefaultCopyConcurrency = 4 // for Copies.Concurrency
)

// Copier is a *Copy of records of any type.
type Copier interface {
	// Run makes the mirror equal to the store.
	Run(ctx context.Context) error
	// Reconcile reads all records again, and deletes records that are not in the store any more.
	Reconcile(ctx context.Context) error
	// Changed reads a record and writes it into the mirror.
	Changed(ctx context.Context, id ID) error
	// Deleted deletes a record that the platform has reported as deleted.
	Deleted(ctx context.Context, id ID) error
}

// Copies runs the copies of all stores of an app: when it starts, after each installation, and once per Every. The
// copies of one store run one after another, because they share its rate limit. A store whose copies run is left out of
// the next run. A store that has failed three times in a row without completing any copy is left out of up to three
// runs. All replicas of the app may call Run. If two of them run the same copy, the later one stops. If a process was
// killed, the next run continues its copies.
//
//	copies := &client.Copies{
//		Stores: store.Stores, // of a sqlstore.Store
//		Of:     []func(context.Context, client.ID) (client.Copier, error){products, orders},
//	}
//	go copies.Run(ctx)
//
// Stores and Of are required. Do not change the fields while Run is running, and do not copy a Copies.
type Copies struct {
	// Stores iterates over the stores that have installed the app.
	Stores func(ctx context.Context) iter.Seq2[ID, error]
	// Of are functions that return a copy of a store. There is one function for each kind of record.
	Of []func(ctx context.Context, store ID) (Copier, error)
	// Prepare, if set, is called before the copies of a store run, until it has succeeded once for the store. It is
	// called only for stores that had the app when this process started. Use it to repeat steps that an installation
	// may not have completed, such as WebhookService.Ensure. Therefore it must be idempotent. For stores that install
	// the app later, the installation runs these steps; running them twice at the same time could register webhooks
	// twice. The copies run even if Prepare fails.
	Prepare func(ctx context.Context, store ID) error
	// Every is the time between two runs of all copies. Zero means DefaultCopyEvery.
	Every time.Duration
	// Reconcile is the time between two comparisons of all records. The first run of a process also compares them. A
	// comparison that failed is repeated with the next run. Zero means DefaultCopyReconcile.
	Reconcile time.Duration
	// Concurrency is the number of stores whose copies run at the same time. A store that takes longer than a twentieth
	// of Every, for example because it is copied for the first time, gives its place to another one. Up to Concurrency
	// such stores continue; if there are more, the copies stop that made no progress for the longest time, and the next
	// run continues them. A store that hangs is a failure that wraps context.DeadlineExceeded. Zero means
	// DefaultCopyConcurrency.
	Concurrency int
	// OnGone, if set, is called when the app is not installed in the store any more: its token has been refused, or was
	// missing, for ten minutes; see ActRetire. Use it to retire the token, because app/uninstalled may be late or lost.
	// oauth.Handler.Uninstall verifies that the token is invalid and retires it. If OnGone returns nil, the failure is
	// not reported. Until there is evidence, each run of the store ends with a failure that wraps ErrDoubtful. All
	// functions may be called concurrently for different stores.
	OnGone func(ctx context.Context, store ID) error
	// Judge decides from the results of the copies whether the app is installed. Share it with the other parts of the
	// app that use a Judge. If nil, Copies has its own.
	Judge *Judge
	// OnFailure is called for each failure, with store 0 if Stores failed. The panic of a function is a failure too. A
	// copy that another replica is running has not failed. OnFailure may be called concurrently. If it is nil, failures
	// are logged to slog.Default at level warn. A store may also wait for the rate limit, for records that others are
	// writing, or for evidence about its token. That is logged at level info, with the time at which the wait ends at
	// the latest.
	OnFailure func(ctx context.Context, store ID, err error)

	round rounds.Round[ID, copiesUnit]
	own   Judge // if Judge is nil
}

// Wake makes Run begin the next run at once. Call it when a store has installed the app.
func (c *Copies) Wake() { c.round.Wake() }

// Visits returns the results of the copies of each listed store.
func (c *Copies) Visits() map[ID]Visited {
	return rounds.Results(c.round.All(), func(r rounds.Status) Visited { return Visited(r) })
}

// Run runs the copies until ctx ends, waits until they have stopped, and returns nil. It returns an error at once if
// the configuration is invalid.
func (c *Copies) Run(ctx context.Context) error {
	switch {
	case c.Stores == nil:
		return errors.New("client: Copies.Stores: must be set to a function that lists the stores")
	case len(c.Of) == 0:
		return errors.New("client: Copies.Of: must have at least one copy")
	case c.Every < 0 || c.Reconcile < 0 || c.Concurrency < 0:
		return fmt.Errorf("client: Copies: Every %v, Reconcile %v and Concurrency %d: must be 0 or more", c.Every, c.Reconcile, c.Concurrency)
	}
	c.round.Run(ctx, rounds.Plan[ID, copiesUnit]{
		Places: cmp.Or(c.Concurrency, DefaultCopyConcurrency), Every: cmp.Or(c.Every, DefaultCopyEvery),
		List: c.Stores, Visit: c.visit, Failed: c.fail,
	})
	return nil
}

func (c *Copies) judge() *Judge {
	if c.Judge != nil {
		return c.Judge
	}
	return &c.own
}

func (c *Copies) fail(ctx context.Context, store ID, err error) {
	switch {
	case ctx.Err() != nil: // ctx has ended, which is no failure
	case c.OnFailure != nil:
		c.OnFailure(ctx, store, err)
	default:
		if pause, waits := c.pause(err); waits {
			slog.InfoContext(ctx, "a store waits, and a later run continues its copies",
				"store", store, "until", time.Now().Add(pause).UTC().Format(time.RFC3339), "reason", err)
			return
		}
		slog.WarnContext(ctx, "a store was not copied", "store", store, "error", err)
	}
}

// pause returns how long a store waits at most, if err is no more than a reason to wait.
func (c *Copies) pause(err error) (d time.Duration, waits bool) {
	next := cmp.Or(c.Every, DefaultCopyEvery)
	if limit, ok := errors.AsType[*Error](err); ok && errors.Is(err, ErrRateLimited) {
		next = max(next, limit.RetryAfter)
	}
	return next, errors.Is(err, ErrRateLimited) || errors.Is(err, errReread) || errors.Is(err, ErrDoubtful)
}
