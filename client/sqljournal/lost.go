package sqljournal

import (
	"context"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

const madeSQL = `SELECT id FROM commerce_intent
WHERE app = $1 AND name = $2 AND store = $3 AND path = $4 AND record = $5 LIMIT 1`

// lostTime is how long keys are expected to be repeated after a restore. The list of newer records grows meanwhile.
const lostTime = 30 * 24 * time.Hour

// lostMargin is how far before the newest intent Once looks for records. Processes that worked through the restore may
// have begun later intents before it was noticed.
const lostMargin = time.Hour

// Lost reports whether intents may be missing, because the database was restored to an earlier point in time, and since
// when. It no longer does 30 days after the restore was noticed. It implements client.Restorable.
func (j *Journal[T]) Lost(ctx context.Context) (since time.Time, lost bool, err error) {
	if err := j.check(ctx, j.DB); err != nil {
		return since, false, err
	}
	m, err := j.tables().Moved(ctx)
	if err != nil || m.At.IsZero() {
		return since, false, failed(err)
	}
	now, err := clock(ctx, j.DB)
	if err != nil || now.Sub(m.At) > lostTime {
		return since, false, err
	}
	if !m.Newest.IsZero() {
		since = m.Newest.Add(-lostMargin)
	}
	return since, true, nil
}

// Made reports whether an intent of the list has ended with the record. It implements client.Restorable.
func (j *Journal[T]) Made(ctx context.Context, in client.Intent, record *T) (bool, error) {
	if err := j.check(ctx, j.DB); err != nil {
		return false, err
	}
	args := append(j.key(in)[:4], j.id(record))
	_, made, err := tables.One(ctx, j.DB, j.sql(madeSQL), args, tables.Value[string])
	return made, failed(err)
}
