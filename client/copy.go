package client

import (
	"context"
	"reflect"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// ErrCopyMoved says that the stored state of a Copy is not the one that a step was computed from. Mirror.Apply returns
// it and then changes nothing. Run and Reconcile return it if another process runs the same copy: that one goes on.
var ErrCopyMoved = engine.Condition("another process has moved the copy on")

// Copy keeps a mirror of all records of one kind of one store, such as its products, in a database of the caller:
//
//	products := &client.Copy[client.Product]{List: api.Products.List(client.ProductFilter{}), Mirror: mirror}
//	err := products.Run(ctx)         // at the start, and every few minutes
//	err = products.Changed(ctx, id)  // after product/created and product/updated
//	err = products.Deleted(ctx, id)  // after product/deleted
//	err = products.Reconcile(ctx)    // once a day: finds deletions whose webhook was lost
//
// After Run the mirror has every record as the store had it when Run began, or later; a record whose deletion was not
// reported is there until Reconcile. The first Run reads everything, by ids (List.Crawl), and later ones the records
// that changed since (List.UpdatedSince). The mark that the changes are read from is the platform's time before the
// crawl.
//
// Each step is one transaction of the mirror: records together with the place that was reached. So a process may be
// killed at any time, and the next Run goes on; at most one page is read again. (After a pass of changes that was
// interrupted comes another one, from where that began.)
//
// Methods may be called at the same time, by any number of processes that share the mirror. No record is overwritten by
// one that was read earlier: a step whose records were written by another one since it began to read is read again. Of
// two processes that call Run, the one that comes late stops with ErrCopyMoved. A record that was reported as deleted
// does not come back, also if the platform's lists show it for some minutes more.
//
// The state of a Copy belongs to its list. If another version of the API or other fields are asked for than before, the
// next Run crawls. After an installation ended, delete the state, or the state and the records: the next Run crawls,
// and removes records that the store has no more. An app that is updated replica by replica should not run a copy of
// two versions or of two lists of fields for long, because each makes the other crawl.
//
// List must know since_id and updated_at_min, as those of products, variants, categories, customers and orders do.
// Other lists with since_id are read as a whole by each Run. Change no field once it is in use.
type Copy[T any] struct {
	// List selects all records of the store: its filter may have PerPage, Fields and Aggregates only.
	List List[T]
	// Mirror is where they are kept. It is required.
	Mirror Mirror[T]
	// OnProgress is called after each page of Run and Reconcile. Nil reports nothing.
	OnProgress func(ctx context.Context, p CopyProgress)
	// OnUnreadable is called for each record of a page that cannot be read. Its older version stays in the mirror, the
	// other records of the page are copied, and Reconcile reads it again. The id is 0 if that cannot be read either.
	// Nil logs to Config.Logger at level warn.
	OnUnreadable func(ctx context.Context, id ID, err error)
}

// Mirror is the records of one kind of one store in a database of the caller, and the state of their Copy. Package
// client/sqlcopy has one for database/sql. It must be safe for concurrent use, also by several processes.
type Mirror[T any] interface {
	// State returns the state that was stored last; "" if there is none.
	State(ctx context.Context) (string, error)
	// IDs returns ids of the records that are in the mirror: the lowest that are greater than after, in ascending
	// order, and at most limit of them. Fewer than limit means that there are no others.
	IDs(ctx context.Context, after ID, limit int) ([]ID, error)
	// Apply does a step in one transaction, or returns an error and does nothing of it. The error is ErrCopyMoved if
	// the stored state is not step.Before, byte for byte.
	Apply(ctx context.Context, step CopyStep[T]) error
}

// CopyStep is what changes in a Mirror at once.
type CopyStep[T any] struct {
	// Before is the stored state that After replaces; "" if none is stored. It is text of some KiB, and of 50 KiB at
	// most.
	Before, After string
	// Put are records to insert, or to replace whatever is stored under their id.
	Put []T
	// Delete are the ids of records to delete, if they are there.
	Delete []ID
}

// CopyPhase is what a Copy reads.
type CopyPhase string

// The values of CopyPhase.
const (
	CopyCrawl     CopyPhase = "crawl"     // all records
	CopyChanges   CopyPhase = "changes"   // the records that changed since the last time
	CopyReconcile CopyPhase = "reconcile" // the ids of all records
)

// CopyProgress says how far a Copy has come.
type CopyProgress struct {
	// Phase is what is being read.
	Phase CopyPhase
	// Records is the number of records, or of ids, that the phase has read, also before a restart.
	Records int
	// Total is how many there will be, as the platform counted them at the last page; -1 if that is not known.
	Total int
	// Done says that the phase has ended.
	Done bool
}

// Run makes the mirror equal to the store: it ends what another Run began, or crawls if none did, and then reads the
// changes since. It costs a request for each page of the records that it reads, and one at least. Call it again after
// an error; it goes on where it stopped.
//
//go:noinline
func (c *Copy[T]) Run(ctx context.Context) error { return c.core().run(ctx) }

// Reconcile compares the ids in the mirror with those of the store. It deletes the records that the store has no more,
// once Get has answered 404 for each, and reads those that the mirror lacks or that could not be read. It goes on where
// another Reconcile stopped. If no crawl has ended yet it is Run, because a crawl does the same.
//
// It costs a request for each 200 records of the store (with Paging.PerPage of the list, for each page), whose answer
// has ids alone, and one for each record that differs. Deletions that a webhook reports do not need it, so once a day
// is enough for most apps.
//
//go:noinline
func (c *Copy[T]) Reconcile(ctx context.Context) error { return c.core().reconcile(ctx) }

// Changed reads a record and writes it into the mirror, or deletes it there if the platform answers 404. Call it for
// webhooks of creations and updates. It costs one request, and another one each time that the record was written
// meanwhile.
//
//go:noinline
func (c *Copy[T]) Changed(ctx context.Context, id ID) error { return c.core().changed(ctx, id) }

// Deleted deletes a record from the mirror, and remembers for ten minutes that it must not come back with a page that
// was read before. Call it for webhooks of deletions. It sends nothing.
//
//go:noinline
func (c *Copy[T]) Deleted(ctx context.Context, id ID) error { return c.core().deleted(ctx, id) }

// core returns the copy without the type of its records.
func (c *Copy[T]) core() *copying {
	core := &copying{list: c.List.core(), progress: c.OnProgress, unreadable: c.OnUnreadable}
	if m := c.Mirror; m != nil {
		core.state, core.ids = m.State, m.IDs
		core.apply = func(ctx context.Context, before, after string, put reflect.Value, remove []ID) error {
			return m.Apply(ctx, CopyStep[T]{before, after, put.Interface().([]T), remove})
		}
	}
	return core
}
