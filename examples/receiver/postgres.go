package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
)

// schema holds the tables of the app and of its inbox.
const schema = "commerce_receiver"

// postgresDatabase is shared by any number of processes.
type postgresDatabase struct {
	*postgres.Inbox
	pool *pgxpool.Pool
}

func openPostgres(ctx context.Context, url string) (database, error) {
	// README: many machines
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return nil, err
	}
	inbox, err := postgres.Open(ctx, pool, postgres.Options{Schema: schema}) // makes its own tables
	// end
	if err != nil {
		pool.Close()
		return nil, err
	}
	d := postgresDatabase{inbox, pool}
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `
			SELECT pg_advisory_xact_lock(4218);
			CREATE TABLE IF NOT EXISTS `+schema+`.mirror (
				resource text, id bigint, state text NOT NULL, fence bigint NOT NULL, PRIMARY KEY (resource, id));
			CREATE TABLE IF NOT EXISTS `+schema+`.effect (event text, id bigint, runs integer NOT NULL, PRIMARY KEY (event, id))`)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d postgresDatabase) apply(ctx context.Context, event webhook.Name, r record) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		written, err := tx.Exec(ctx, `INSERT INTO `+schema+`.mirror AS m (resource, id, state, fence) VALUES ($1, $2, $3, $4)
			ON CONFLICT (resource, id) DO UPDATE SET state = excluded.state, fence = excluded.fence WHERE m.fence <= excluded.fence`,
			r.resource, r.id, r.state, int64(webhook.Fence(ctx)))
		if err != nil {
			return err
		}
		if written.RowsAffected() == 0 {
			return webhook.ErrLeaseLost // a later run has been here
		}
		if _, err := tx.Exec(ctx, `INSERT INTO `+schema+`.effect AS e (event, id, runs) VALUES ($1, $2, 1)
			ON CONFLICT (event, id) DO UPDATE SET runs = e.runs + 1`, string(event), r.id); err != nil {
			return err
		}
		return webhook.CommitTx(ctx, tx)
	})
}

func (d postgresDatabase) mirrored(ctx context.Context) (map[string]string, error) {
	rows, err := d.pool.Query(ctx, `SELECT resource, id, state FROM `+schema+`.mirror`)
	if err != nil {
		return nil, err
	}
	states := map[string]string{}
	var r record
	_, err = pgx.ForEachRow(rows, []any{&r.resource, &r.id, &r.state}, func() error {
		states[r.name()] = r.state
		return nil
	})
	return states, err
}

func (d postgresDatabase) runs(ctx context.Context) (map[string]int, error) {
	rows, err := d.pool.Query(ctx, `SELECT event, id, runs FROM `+schema+`.effect`)
	if err != nil {
		return nil, err
	}
	runs := map[string]int{}
	var event string
	var id, n int
	_, err = pgx.ForEachRow(rows, []any{&event, &id, &n}, func() error {
		runs[fmt.Sprintf("%s %d", event, id)] = n
		return nil
	})
	return runs, err
}

func (d postgresDatabase) clean(ctx context.Context) error {
	_, err := d.pool.Exec(ctx, `DROP SCHEMA IF EXISTS `+schema+` CASCADE`)
	return err
}

func (d postgresDatabase) close() error {
	d.Close()
	d.pool.Close()
	return nil
}
