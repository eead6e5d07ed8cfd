package rollingapp

import (
	"context"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/internal/proof/rolling/replica"
	"github.com/commerceplatform/commerce-go/webhook"
)

// EnvSchema is the variable with the schema of the inbox, which also contains the tables of the app.
const EnvSchema = "REPLICA_SCHEMA"

// mostConnections is the number that an inbox requires, and one for each handler in a transaction.
const mostConnections = 5 + 4

// Opener returns a function that opens an inbox in the database of a URL. The engine is a parameter, because the tests
// of the engine use this package too.
func Opener(engine func(ctx context.Context, pool *pgxpool.Pool, schema string) (webhook.Inbox, error),
) func(ctx context.Context, url string) (replica.App, error) {
	return func(ctx context.Context, url string) (app replica.App, err error) {
		schema := os.Getenv(EnvSchema)
		config, err := pgxpool.ParseConfig(url)
		if err != nil {
			return app, err
		}
		config.MaxConns = mostConnections
		pool, err := pgxpool.NewWithConfig(ctx, config)
		if err != nil {
			return app, err
		}
		in, err := engine(ctx, pool, schema)
		if err != nil {
			return app, err
		}
		return newApp(pool, in, schema), nil
	}
}

func newApp(pool *pgxpool.Pool, in webhook.Inbox, schema string) replica.App {
	app := replica.App{Inbox: in}
	app.Ship = func(ctx context.Context, order int64, broken func() error) error {
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "INSERT INTO "+schema+".shipment (id) VALUES ($1)", order); err != nil {
				return err
			}
			if err := broken(); err != nil {
				return err
			}
			return webhook.CommitTx(ctx, tx)
		})
	}
	app.Copy = func(ctx context.Context, product, version, fence int64) error {
		_, err := pool.Exec(ctx, "INSERT INTO "+schema+`.copy AS c VALUES ($1, $2, $3)
			ON CONFLICT (id) DO UPDATE SET version = $2, fence = $3 WHERE c.fence <= $3`, product, version, fence)
		return err
	}
	return app
}
