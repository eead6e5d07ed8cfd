package client

import (
	"context"
	"reflect"

	"github.com/commerceplatform/commerce-go/internal/condition"
)

// ErrCopyMoved means that the stored state of a Copy has changed since a step was computed. Mirror.Apply returns it and
// then changes nothing. Run and Reconcile return it if another process runs the same copy. That process continues.
var ErrCopyMoved = condition.New("another process has moved the copy on")

// Copy mirrors all records of one kind of one store, such as its products, into a database of the app:
//
//	products := &client.Copy[client.Product]{List: v202503.Products(c).List(client.ProductFilter{}), Mirror: mirror}
//	err := products.Run(ctx)         // at the start, and every few minutes
//	err = products.Changed(ctx, id)  // after product/created and product/updated
//	err = products.Deleted(ctx, id)  // after product/deleted
//	err = products.Reconcile(ctx)    // once a day: finds deletions and changes that nothing has reported
//
// After Run, the mirror has every record as it was in the store when Run began, or a later version. A record whose
// deletion was not reported remains until Reconcile. So does the older version of a record whose change neither moved
// updated_at nor was reported.
//
// The first Run reads all records by id (List.Crawl). Later runs
// read the records that changed since then (List.UpdatedSince). The first mark from which changes are read is the
// platform's time before the crawl.
//
// Each step is one transaction of the mirror, with the records and the position that was reached. A process can
// therefore be killed at any time, and the next Run continues. At most one page is read again. If a pass of changes was
// interrupted, another pass of changes follows it, and begins where the first one began.
//
// Methods may be called at the same time, by any number of processes that share the mirror. A record is never
// overwritten by a version that was read earlier. If another step has written a record since a step began to read, the
// step reads its records again. If two processes call Run, the later one stops with ErrCopyMoved. A record that was
// reported as deleted is not restored, even if the platform still lists it for a few minutes.
//
// The state of a Copy belongs to its list. If the version of the API or the fields change, the next Run crawls all
// records. After an installation has ended, delete the state, or the state and the records. The next Run then crawls,
// and removes records that the store does not have any more. During a rolling update, do not run a copy with two
// versions or two lists of fields for long, because each makes the other crawl.
//
// List must support since_id. The lists of products, variants, categories, customers and orders also have
// updated_at_min. A list without it is read completely by each Run. Do not change the fields once the Copy is in use.
type Copy[T any] struct {
	// List selects all records of the store. Its filter may only have PerPage, Fields and Aggregates.
	List List[T]
	// Mirror stores the records. It is required.
	Mirror Mirror[T]
	// OnProgress, if set, is called after each page of Run and Reconcile.
	OnProgress func(ctx context.Context, p CopyProgress)
	// OnUnreadable is called for each record of a page that cannot be read. The mirror retains its older version, the
	// other records of the page are copied, and Reconcile reads it again. The id is 0 if it cannot be read either. If
	// OnUnreadable is nil, such records are logged to Config.Logger at level warn.
	OnUnreadable func(ctx context.Context, id ID, err error)
}

// Mirror stores the records of one kind of one store in a database of the app, and the state of their Copy. Package
// client/sqlcopy has a Mirror for database/sql. A Mirror must be safe for concurrent use by several processes.
type Mirror[T any] interface {
	// State returns the state that was stored last; "" if there is none.
	State(ctx context.Context) (string, error)
	// IDs returns the ids of records in the mirror that are greater than after, in ascending order. It returns the
	// lowest ones, and at most limit. Fewer than limit means that there are no others.
	IDs(ctx context.Context, after ID, limit int) ([]ID, error)
	// Apply applies a step in one transaction, or returns an error and changes nothing. The error is ErrCopyMoved if
	// the stored state is not equal to step.Before, byte for byte.
	Apply(ctx context.Context, step CopyStep[T]) error
}

// CopyPhase is a phase of a Copy.
type CopyPhase string

// The values of CopyPhase.
const (
	CopyCrawl     CopyPhase = "crawl"     // reads all records
	CopyChanges   CopyPhase = "changes"   // reads the records that changed since the last time
	CopyReconcile CopyPhase = "reconcile" // reads all records again
)

// CopyProgress is the progress of a Copy.
type CopyProgress struct {
	// Phase is the current phase.
	Phase CopyPhase
	// Records is the number of records that the phase has read, including those before a restart.
	Records int
	// Total is the expected number, as the platform counted it at the last page; -1 if unknown.
	Total int
	// Done reports that the phase has ended.
	Done bool
}

// Run makes the mirror equal to the store. It completes the pass of an earlier Run, or crawls if there was none, and
// then reads the changes since. It sends one request for each page of records that it reads, and at least one. After an
// error, call it again; it continues where it stopped.
//
//go:noinline
func (c *Copy[T]) Run(ctx context.Context) error { return c.core().run(ctx) }

// Reconcile reads all records of the store again, and writes them into the mirror. So it finds changes without a new
// updated_at and records that the mirror lacks. It deletes the records that the store does not have any more, after Get
// has answered 404 for each. It continues where an earlier Reconcile stopped. If no crawl has been completed yet, it
// calls Run, because a crawl includes the comparison.
//
// A record that the platform cannot give is reported to OnUnreadable, and the others are compared. More than three of
// them on a page are an error, because then the platform fails.
//
// It sends one request for each page, as a crawl does, and one for each record that only the mirror has. A page has 200
// records, or Paging.PerPage of the list if set. Changes and deletions that are reported do not require Reconcile, so
// once a day is enough for most apps.
//
//go:noinline
func (c *Copy[T]) Reconcile(ctx context.Context) error { return c.core().reconcile(ctx) }

// Changed reads a record and writes it into the mirror, or deletes it there if the platform answers 404. Call it for
// webhooks of creations and updates. It sends one request, and one more each time that the record was written in the
// meantime.
//
//go:noinline
func (c *Copy[T]) Changed(ctx context.Context, id ID) error { return c.core().changed(ctx, id) }

// Deleted deletes a record from the mirror. For ten minutes, pages that still list it do not restore it. The state
// remembers 512 deletions of that time. After more, the records of a page that the mirror lacks are read one by one, so
// that any number may be deleted. Call it for webhooks of deletions. It sends nothing.
//
//go:noinline
func (c *Copy[T]) Deleted(ctx context.Context, id ID) error { return c.core().deleted(ctx, id) }

// core returns the copy without the type of its records.
func (c *Copy[T]) core() *copying {
	core := &copying{list: coreOf(c.List), progress: c.OnProgress, unreadable: c.OnUnreadable}
	if m := c.Mirror; m != nil {
		core.state, core.ids = m.State, m.IDs
		core.apply = func(ctx context.Context, before, after string, put reflect.Value, remove []ID) error {
			return m.Apply(ctx, CopyStep[T]{Before: before, After: after, Put: put.Interface().([]T), Delete: remove})
		}
	}
	return core
}
