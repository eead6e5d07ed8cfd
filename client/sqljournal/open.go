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
WHERE name = $1 AND ended = 0 AND id > $2 AND until <= $3 ORDER BY id LIMIT $4`

	pruneSQL = `DELETE FROM commerce_intent WHERE name = $1 AND ended > 0 AND id IN (
SELECT id FROM commerce_intent WHERE name = $1 AND ended > 0 AND ended < $2 ORDER BY ended LIMIT $3)`
)

// atOnce is how many rows are read or deleted at once, so that no statement blocks others for long.
const atOnce = 500

// Open yields the intents that can be resumed, oldest first. They are open, and no process has worked on them for Term,
// by the clock of the database. Open reads them in pages, so another process may have claimed an intent before it is
// yielded. Once.Resume then fails with ErrHeld. The sequence ends after an error.
func (j *Journal[T]) Open(ctx context.Context) iter.Seq2[client.Intent, error] {
	return func(yield func(client.Intent, error) bool) {
		if err := j.check(ctx, j.DB); err != nil {
			yield(client.Intent{}, err)
			return
		}
		var last ulid.ULID
		for {
			page, err := j.openAfter(ctx, last)
			if err != nil {
				yield(client.Intent{}, err)
				return
			}
			for _, in := range page {
				if !yield(in, nil) {
					return
				}
				last = in.ID
			}
			if len(page) < atOnce {
				return
			}
		}
	}
}

// openAfter reads the intents after the id last. No rows stay open while the caller works.
func (j *Journal[T]) openAfter(ctx context.Context, last ulid.ULID) (page []client.Intent, err error) {
	now, err := clock(ctx, j.DB)
	if err != nil {
		return nil, err
	}
	args := []any{j.Name, last.String(), now.UnixMicro(), atOnce}
	page, err = tables.Query(ctx, j.DB, j.sql(openSQL), args, func(scan tables.Scan) (in client.Intent, err error) {
		err = read(scan, &in, (*int64)(&in.StoreID), &in.Path, &in.Key)
		return in, err
	})
	return page, failed(err)
}

// ResumeAll calls resume for each intent that Open yields, one after the other, and returns all errors. The function
// resume must call Once.Resume for the store and key of the intent. Intents that another process has claimed meanwhile
// are not an error. Call it in all replicas when the app starts, and every few minutes; the replicas share the intents.
func (j *Journal[T]) ResumeAll(ctx context.Context, resume func(context.Context, client.Intent) error) error {
	var all []error
	for in, err := range j.Open(ctx) {
		if err == nil {
			err = resume(ctx, in)
			if errors.Is(err, ErrHeld) {
				continue
			}
		}
		if err != nil {
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
		n, err := j.tables().Exec(ctx, j.DB, pruneSQL, j.Name, before.UnixMicro(), atOnce)
		if all += n; n < atOnce || err != nil {
			return all, failed(err)
		}
	}
}
