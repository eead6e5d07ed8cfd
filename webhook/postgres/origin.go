package postgres

import (
	"context"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"
)

const arriveSQL = "SELECT coalesce(inbox.arrive($1, $2), '')"

const raiseTokenSQL = "SELECT inbox.raise_token($1)"

// RaiseToken makes each later token greater than above.
func (in *Inbox) RaiseToken(ctx context.Context, above uint64) error {
	err := in.within(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, in.options.in(raiseTokenSQL), int64(min(above, math.MaxInt64-1)))
		return err
	})
	return failed("raise token", err)
}

// arrive raises the sequence above all tokens that were given before a restore, a copy without sequences or a failover.
// It reports such a change once for each queue.
func (in *Inbox) arrive(ctx context.Context, start bool) error {
	var was string
	err := in.within(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, in.options.in(arriveSQL), in.options.Queue, start).Scan(&was)
	})
	if err == nil && was != "" {
		in.report(fmt.Errorf("the tables were on another server or have been created again since they were last opened (%s): "+
			"tokens continue above all earlier ones, but after a restore to an earlier point in time deliveries are missing: "+
			"run a Sweep, and compare all records once", was))
	}
	return err
}
