package sqljobs

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

const (
	// lockSQL adds a job, and makes others wait that change it.
	lockSQL = `INSERT INTO commerce_job (app, name, store, job, added) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (app, name, store, job) DO UPDATE SET added = commerce_job.added`

	addSQL = `INSERT INTO commerce_job_item (app, name, store, job, item, value) VALUES `

	// reopenSQL counts items that were added or that wait again, and continues a job that has items to do.
	reopenSQL = `UPDATE commerce_job SET total = total + $5, failed = failed - $6, ended = CASE WHEN EXISTS (
SELECT 1 FROM commerce_job_item WHERE ` + ofJob + ` AND state = 0) THEN 0 ELSE ended END WHERE ` + ofJob + ``

	rowsAtOnce = 100 // of a statement
)

// Add adds items to a job of a store, and creates the job if there is none. It does so in one transaction, and nothing
// if there are no items. An item that the job has already, done or not, stays as it is, so a call may be repeated. Job
// is 1 to 500 bytes of UTF-8. After a job was deleted (see Keep), its items are new again.
func (q *Queue) Add(ctx context.Context, store client.ID, job string, items ...Item) error {
	if err := q.Check(ctx); err != nil || len(items) == 0 {
		return err
	}
	if err := valid(store, job, items); err != nil {
		return err
	}
	err := q.tables().Run(ctx, func(tx *sql.Tx) error { return q.add(ctx, tx, store, job, items) })
	if err != nil {
		return failed(err)
	}
	q.round.Wake()
	return nil
}

// AddTx is Add in a transaction of the caller. Run of this process works on the items at its next look.
func (q *Queue) AddTx(ctx context.Context, tx *sql.Tx, store client.ID, job string, items ...Item) error {
	if err := q.tables().CheckOn(ctx, tx); err != nil || len(items) == 0 {
		return err
	}
	if err := valid(store, job, items); err != nil {
		return err
	}
	return failed(q.add(ctx, tx, store, job, items))
}

func valid(store client.ID, job string, items []Item) error {
	if store <= 0 || job == "" || len(job) > mostKey || !text(job) {
		return fmt.Errorf("client/sqljobs: job %.100q of store %d: must be 1 to %d bytes of UTF-8, of a store: %w",
			job, store, mostKey, client.ErrValidation)
	}
	for _, i := range items {
		if i.Key == "" || len(i.Key) > mostKey || !text(i.Key) || len(i.Value) > mostValue || !text(i.Value) {
			return fmt.Errorf("client/sqljobs: item %.100q: its Key must be 1 to %d bytes of UTF-8, its Value at most %d: %w",
				i.Key, mostKey, mostValue, client.ErrValidation)
		}
	}
	return nil
}

func (q *Queue) add(ctx context.Context, tx *sql.Tx, store client.ID, job string, items []Item) error {
	now, err := q.clock(ctx, tx)
	if err != nil {
		return err
	}
	if _, err := q.exec(ctx, tx, store, job, lockSQL, now); err != nil {
		return err
	}
	var added int64
	for page := range slices.Chunk(items, rowsAtOnce) {
		var rows []string
		var values []any
		for i, item := range page {
			rows = append(rows, fmt.Sprintf("($1, $2, $3, $4, $%d, $%d)", 5+2*i, 6+2*i))
			values = append(values, item.Key, tables.Text{Name: "value of item " + item.Key, Value: item.Value})
		}
		statement := addSQL + strings.Join(rows, ", ") + " ON CONFLICT (app, name, store, job, item) DO NOTHING"
		n, err := q.exec(ctx, tx, store, job, statement, values...)
		if err != nil {
			return err
		}
		added += n
	}
	_, err = q.exec(ctx, tx, store, job, reopenSQL, added, 0)
	return err
}
