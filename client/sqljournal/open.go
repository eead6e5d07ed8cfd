package sqljournal

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

const (
	openSQL = `SELECT id, after_id, since, store, path, key FROM commerce_intent
WHERE id > $1 AND app = $3 AND name = $4 AND ended = 0 AND (until <= $5 OR until - 2 * term > $5)
ORDER BY id LIMIT $2`

	pruneSQL = `DELETE FROM commerce_intent WHERE app = $1 AND name = $2 AND ended > 0 AND id IN (
SELECT id FROM commerce_intent WHERE app = $1 AND name = $2 AND ended > 0 AND ended < $3 ORDER BY ended LIMIT $4)`
)

// Open yields the intents that can be resumed, oldest first. They are open, and no process has worked on them for Term,
// by the clock of the database. Open reads them in pages, so another process may have claimed an intent before it is
// yielded. Once.Resume then fails with ErrHeld. An intent that cannot be read is an error that names it, and the
// sequence continues. It ends after any other error.
func (j *Journal[T]) Open(ctx context.Context) iter.Seq2[client.Intent, error] {
	return func(yield func(client.Intent, error) bool) {
		var now time.Time
		err := j.check(ctx, j.DB)
		if err == nil {
			now, err = clock(ctx, j.DB)
		}
		if err != nil {
			yield(client.Intent{}, err)
			return
		}
		args := []any{j.App, j.Name, now.UnixMicro()}
		read := func(scan tables.Scan) (in client.Intent, err error) {
			err = read(scan, &in, (*int64)(&in.StoreID), &in.Path, &in.Key)
			return in, err
		}
		for in, err := range tables.Pages(ctx, j.DB, j.sql(openSQL), ulid.ULID{}.String(), args, read) {
			if !yield(in, failed(err)) {
				return
			}
		}
	}
}

// ResumeAll calls resume for each intent that Open yields, one after the other, and returns all errors. The function
// resume must call Once.Resume for the store and key of the intent. Intents that another process has claimed meanwhile
// are not an error. Call it in all replicas when the app starts, and every few minutes; the replicas share the intents.
func (j *Journal[T]) ResumeAll(ctx context.Context, resume func(context.Context, client.Intent) error) error {
	var all []error
	for in, err := range j.Open(ctx) {
		if err != nil {
			all = append(all, err)
		} else if err = resume(ctx, in); err != nil && !errors.Is(err, ErrHeld) {
			all = append(all, fmt.Errorf("intent %s: %w", in.ID, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(all...)
}

// Prune deletes the intents that ended with a record before a time, and returns their number. Their keys can then be
// used again, so a create that is repeated later makes a second record. It does not delete open intents.
func (j *Journal[T]) Prune(ctx context.Context, before time.Time) (int64, error) {
	if err := j.check(ctx, j.DB); err != nil {
		return 0, err
	}
	for all := int64(0); ; {
		n, err := j.tables().Exec(ctx, j.DB, pruneSQL, j.App, j.Name, before.UnixMicro(), tables.PageSize)
		if all += n; n < tables.PageSize || err != nil {
			return all, failed(err)
		}
	}
}
