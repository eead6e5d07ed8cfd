package postgres

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/commerceplatform/commerce-go/internal/rolling"
	"github.com/commerceplatform/commerce-go/internal/rolling/replica"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/postgres/internal/rollingapp"
)

// roll is a replica of this release.
func roll() error {
	engine := func(ctx context.Context, pool *pgxpool.Pool, schema string) (webhook.Inbox, error) {
		return Open(ctx, pool, Options{Schema: schema})
	}
	return replica.Run(rollingapp.Opener(engine), rolling.Trace)
}

// The tables are upgraded under load while the release before works on, and that release comes back after the upgrade.
func TestProofRolling(t *testing.T) {
	t.Parallel()
	e := rolling.Engine{Name: "postgres", New: rollingDatabase}
	if *soak {
		e.Length = 5 * time.Minute
	}
	rolling.Run(t, e)
}

func rollingDatabase(t *testing.T) rolling.Database {
	o := Options{Schema: newSchema(t)}
	pool := newPool(t, database.URL(), 4)
	db := stdlib.OpenDBFromPool(pool)
	t.Cleanup(func() { _ = db.Close() }) // it owns no connection
	return rolling.Database{
		Address: database.URL(), Env: []string{rollingapp.EnvSchema + "=" + o.Schema}, DB: db, Prefix: o.Schema + ".",
		Open: func(t *testing.T) rolling.Inbox { return open(t, database.URL(), o) },
		Versions: func(t *testing.T) (is, want int) {
			migrations, err := filepath.Glob("migrations/*.sql")
			if err != nil {
				t.Fatal(err)
			}
			query := o.in("SELECT max(version) FROM inbox.migration")
			if err := pool.QueryRow(t.Context(), query).Scan(&is); err != nil {
				t.Fatal(err)
			}
			return is, len(migrations)
		},
	}
}
