package postgres

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/webhook"
)

// durability is the last known durability of the server.
type durability struct {
	lossy bool                   // Options.AllowLossy
	level atomic.Pointer[string] // synchronous_commit of the transactions
	fault atomic.Pointer[error]  // why no entry may be acknowledged; nil if entries may be
}

// verifyEvery is how often each process checks the settings that transactions do not check.
const verifyEvery = time.Minute

// sync returns the value of synchronous_commit for a transaction that must not be lost.
func (in *Inbox) sync() string { return *in.durability.level.Load() }

// refusal returns why no entry may be acknowledged, or nil.
func (d *durability) refusal() error {
	if err := d.fault.Load(); err != nil {
		return *err
	}
	return nil
}

// check reads the row of acceptSettings, which each transaction of Accept requests. The settings may change while a
// server runs, and after a failover they are those of another server.
func (d *durability) check(rows pgx.Rows) error {
	defer rows.Close()
	if !rows.Next() {
		return rows.Err()
	}
	values := rows.RawValues()
	return d.settings(string(values[0]), string(values[1]))
}

// settings returns ErrLossy if a crash of the server could lose acknowledged transactions. Without full_page_writes it
// may corrupt pages that were being written.
func (d *durability) settings(fsync, fullPages string) error {
	switch {
	case d.lossy:
		return nil
	case fsync != "on":
		return fmt.Errorf("fsync is %s: must be on: %w", fsync, ErrLossy)
	case fullPages != "on":
		return fmt.Errorf("full_page_writes is %s: must be on: %w", fullPages, ErrLossy)
	}
	return nil
}

// verify checks whether the database is durable. It sets the level of transactions and the refusal, which it returns.
func (in *Inbox) verify(ctx context.Context) error {
	var fsync, fullPages, level string
	var unlogged []string
	err := in.within(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit')`).
			Scan(&fsync, &fullPages, &level); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `SELECT coalesce((SELECT array_agg(c.relname::text ORDER BY c.relname) FROM pg_class c JOIN pg_namespace n
			ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'S') AND c.relpersistence <> 'p'), '{}')`, in.options.Schema).Scan(&unlogged)
	})
	if err != nil {
		return err
	}
	d := &in.durability
	// Off acknowledges before the write is on disk; local before it is on a synchronous standby, if there is one. Each
	// transaction can choose both.
	if !d.lossy && !slices.Contains([]string{"on", "remote_write", "remote_apply"}, level) {
		level = "on"
	}
	d.level.Store(&level)
	err = d.settings(fsync, fullPages)
	if err == nil && !d.lossy && len(unlogged) > 0 {
		err = fmt.Errorf("tables %q in schema %s are unlogged: must be logged, because a crash empties unlogged tables: %w", unlogged, in.options.Schema, ErrLossy)
	}
	if err == nil {
		d.fault.Store(nil)
		return nil
	}
	d.fault.Store(&err)
	return err
}

// keepVerifying runs verify until the inbox is closed.
func (in *Inbox) keepVerifying() {
	tick := time.NewTicker(verifyEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-in.ctx.Done():
			return
		}
		ctx, cancel := bounded(in.ctx)
		_ = in.verify(ctx) // Accept returns a refusal; a server that does not answer changes nothing
		_ = in.arrive(ctx, false)
		cancel()
	}
}

// writable returns an error with a remedy if the database rejects writes.
func writable(ctx context.Context, db querier) error {
	var standby bool
	var locked string
	err := db.QueryRow(ctx, "SELECT pg_is_in_recovery(), current_setting('transaction_read_only')").Scan(&standby, &locked)
	switch {
	case err != nil:
		return err
	case standby:
		return fmt.Errorf("%w: the database is a standby: must be the primary; connect to the primary, with target_session_attrs=read-write if the URL names several hosts",
			webhook.ErrUnavailable)
	case locked == "on":
		return fmt.Errorf("%w: transactions are read only: default_transaction_read_only must be off for the role, the database and the server",
			webhook.ErrUnavailable)
	}
	return nil
}
