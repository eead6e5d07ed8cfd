package sqljobs

import (
	"context"
	"database/sql"
	"maps"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/rounds"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

// Defaults of the fields of Queue.
const (
	DefaultBatch    = 20                  // for Queue.Batch
	DefaultPlaces   = 4                   // for Queue.Places
	DefaultAttempts = 5                   // for Queue.Attempts
	DefaultLimit    = 10 * time.Minute    // for Queue.Limit
	DefaultEvery    = 5 * time.Second     // for Queue.Every
	DefaultKeep     = 30 * 24 * time.Hour // for Queue.Keep
)

const (
	mostName, mostKey, mostValue, mostReason = 100, 500, 64 << 10, 500 // bytes

	mostBatch = 500
)

// Queue is the jobs of one kind. DB, Name and Do are required. Its fields must not be changed after its first use. It
// is safe for concurrent use, also by several processes, and must not be copied.
type Queue struct {
	// DB is the database of the app: SQLite or PostgreSQL.
	DB *sql.DB
	// App is the id of the app at the platform. It is required if several apps use the same tables. Zero means that
	// no other app does.
	App client.ID
	// Prefix is the prefix of the table names. Empty means "commerce_".
	Prefix string
	// Name separates this kind of jobs from others in the same tables, such as "price changes". It must be 1 to 100
	// bytes. All replicas must use the same name.
	Name string
	// Do works on a batch. Nil means that all its items are done, except those for which it has called Batch.Fail. An
	// error means that no item is done.
	//
	// An item can be in several batches, because a process may be killed after Do and before the database has noted
	// it. Item.Attempt is then above 1. So Do must be idempotent, or look whether the item was done before.
	Do func(ctx context.Context, b *Batch) error
	// OnEnd, if set, is called after Do in the transaction that ends items as done, and b.Items are only those. Its
	// statements take effect exactly once for each item. It must not commit or roll back. It may be called again if
	// the transaction was rolled back. If it returns an error, no item is done.
	OnEnd func(ctx context.Context, tx *sql.Tx, b *Batch) error
	// Batch is the largest number of items in a batch. Zero means DefaultBatch.
	Batch int
	// Limit is how long Do and OnEnd may take for a batch. Then the context of Do ends, and also the claim of this
	// process if Do does not return. Each item that is not done is run alone next. Zero means DefaultLimit.
	Limit time.Duration
	// Places is the number of stores that this process works for at the same time. Zero means DefaultPlaces.
	Places int
	// Attempts is the number of failures after which an item has failed. The pauses between them grow from 30 seconds
	// to half an hour. Zero means DefaultAttempts.
	Attempts int
	// Every is the time after which Run looks for jobs that other processes have added, and for items that have waited.
	// Zero means DefaultEvery.
	Every time.Duration
	// Keep is the age at which Run deletes jobs that have ended, with all their items. Zero means DefaultKeep.
	Keep time.Duration
	// OnFailure is called for each failure of Run, with store 0 if the failure concerns all stores. Failures of items
	// are not reported; see Failures. It may be called concurrently. If it is nil, failures are logged to slog.Default
	// at level warn.
	OnFailure func(ctx context.Context, store client.ID, err error)

	ready tables.Ready
	round rounds.Round[client.ID, struct{}]
}

// Item is a part of a job.
type Item struct {
	// Key identifies the item in its job: 1 to 500 bytes of UTF-8, such as the id of a record.
	Key string
	// Value is what Do requires, at most 64 KiB of UTF-8, such as JSON. It may be empty.
	Value string
	// Attempt is the number of batches that the item was in, with this one. Add ignores it.
	Attempt int

	tries int
	waits int
	alone bool
}

// Batch is items of one job.
type Batch struct {
	Store client.ID // whose job it is
	Job   string    // its name
	Items []Item    // by key, in the order of the database

	lock sync.Mutex
	errs map[string]error
}

// Fail notes that the item with a Key is not done, and why. Nil means that it is done. If err means that another system
// is unavailable, or the rate limit is exceeded, the item waits, and no attempt of it is used up. A key that the batch
// does not have fails the batch. Fail can be called concurrently, until Do returns.
func (b *Batch) Fail(key string, err error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.errs == nil {
		b.errs = make(map[string]error)
	}
	b.errs[key] = err
}

// failures returns the errors of the items.
func (b *Batch) failures() map[string]error {
	b.lock.Lock()
	defer b.lock.Unlock()
	return maps.Clone(b.errs)
}
