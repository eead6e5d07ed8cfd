package sqljournal

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

const (
	// endSQL also inserts the end of an intent that is no longer in the table. Another process ended it as rejected, or
	// it was deleted, but its record exists.
	endSQL = `INSERT INTO commerce_intent
(app, name, store, path, key, id, after_id, since, holder, until, ended, record)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '', 0, $9, $10)
ON CONFLICT (app, name, store, path, key) DO UPDATE
SET holder = '', until = 0, ended = excluded.ended, record = excluded.record
WHERE commerce_intent.id = excluded.id AND commerce_intent.ended = 0`

	// dropSQL skips an intent that another process has claimed.
	dropSQL = `DELETE FROM commerce_intent
WHERE app = $1 AND name = $2 AND store = $3 AND path = $4 AND key = $5 AND id = $6 AND ended = 0
AND (holder = $7 OR holder = '' OR until <= $8 OR until - 2 * term > $8)`
)

// End ends an intent. With a record it stores the id of the record, and the key stays taken. Without a record it
// deletes the intent, so that the key can be used again. It fails with ErrHeld if another process works on the intent.
// Ending an intent again in the same way does nothing. If it ended with another record, the error is a *TakenError, and
// two records exist.
//
// To close an intent that cannot be resumed, call End without a record.
func (j *Journal[T]) End(ctx context.Context, in client.Intent, made *T) error {
	if err := j.check(ctx, j.DB); err != nil {
		return err
	}
	err := twice(ctx, func() error {
		if j.OnEnd != nil {
			return j.endWithApp(ctx, in, made)
		}
		_, err := j.end(ctx, j.DB, in, made)
		return err
	})
	if h := holdOf(ctx, in); err == nil && h != nil {
		h.ended.Store(true)
	}
	return err
}

// EndTx is End in a transaction of the caller, for a journal that wraps this one. The intent ends when the transaction
// is committed. EndTx does not call OnEnd.
//
// There is no Begin in a transaction, because an intent must be committed before its create is sent.
func (j *Journal[T]) EndTx(ctx context.Context, tx *sql.Tx, in client.Intent, made *T) error {
	if err := j.check(ctx, tx); err != nil {
		return err
	}
	_, err := j.end(ctx, tx, in, made)
	return err
}

func (j *Journal[T]) endWithApp(ctx context.Context, in client.Intent, made *T) error {
	var ours error // of this package or OnEnd
	err := j.tables().Run(ctx, func(tx *sql.Tx) error {
		changed, err := j.end(ctx, tx, in, made)
		if err == nil && changed {
			if err = j.OnEnd(ctx, tx, in, made); err != nil {
				err = fmt.Errorf("OnEnd: %w", err)
			}
		}
		ours = err
		return err
	})
	if ours != nil {
		return err
	}
	return failed(err)
}

// end reports whether it changed a row.
func (j *Journal[T]) end(ctx context.Context, db tables.DB, in client.Intent, made *T) (bool, error) {
	now, err := clock(ctx, db)
	if err != nil {
		return false, err
	}
	if made == nil {
		return j.drop(ctx, db, in, now.UnixMicro())
	}
	id := j.id(made)
	text := tables.Text{Name: "id of the record of key " + in.Key, Value: id}
	changed, err := j.exec(ctx, db, endSQL, append(j.values(in), now.UnixMicro(), text)...)
	if changed || err != nil {
		return changed, err
	}
	there, err := j.find(ctx, db, in)
	switch {
	case err != nil:
		return false, err
	case there == nil: // another process deleted it
		return false, fmt.Errorf("sqljournal: intent %s is not in the journal, but made record %s", in.ID, id)
	case there.in.ID == in.ID && there.record == id:
		return false, nil
	}
	return false, fmt.Errorf("sqljournal: intent %s made record %s: %w", in.ID, id, there.taken())
}

// drop deletes an intent without a record.
func (j *Journal[T]) drop(ctx context.Context, db tables.DB, in client.Intent, now int64) (bool, error) {
	token := ""
	if h := holdOf(ctx, in); h != nil {
		token = h.Holder
	}
	changed, err := j.exec(ctx, db, dropSQL, append(j.key(in), in.ID.String(), token, now)...)
	if changed || err != nil {
		return changed, err
	}
	there, err := j.find(ctx, db, in)
	if err != nil || there == nil || there.in.ID != in.ID {
		return false, err // nil if it was already deleted
	}
	return false, j.held(ctx, db, there)
}
