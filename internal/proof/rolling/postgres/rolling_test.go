package rollingapp

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/proof/rolling"
	"github.com/commerceplatform/commerce-go/internal/proof/rolling/replica"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
)

var cluster *pgtest.Cluster

func TestMain(m *testing.M) {
	proctest.Main(map[string]func() error{
		rolling.Role: func() error { return replica.Run(Opener(openIn), rolling.Trace) },
	})
	var err error
	if cluster, err = pgtest.Start(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(status int) {
		cluster.Stop()
		os.Exit(status)
	}))
}

func openIn(ctx context.Context, pool *pgxpool.Pool, schema string) (webhook.Inbox, error) {
	return postgres.Open(ctx, pool, postgres.Options{Schema: schema})
}

// The tables are upgraded under load while the release before works on, and that release comes back after the upgrade.
func TestProofRolling(t *testing.T) {
	rolling.Run(t, rolling.Engine{Name: "postgres", New: database, Length: tier.Size(0, 0, 5*time.Minute)})
}

func database(t *testing.T) rolling.Database {
	pool, err := pgxpool.New(t.Context(), cluster.URL())
	done(t, err)
	t.Cleanup(pool.Close)
	schema := "rolling_" + strings.ToLower(rand.Text())
	t.Cleanup(func() {
		_, err := pool.Exec(context.WithoutCancel(t.Context()), "DROP SCHEMA IF EXISTS "+schema+" CASCADE")
		done(t, err)
	})
	db := stdlib.OpenDBFromPool(pool)
	t.Cleanup(func() { done(t, db.Close()) })
	return rolling.Database{
		Address: cluster.URL(), Env: []string{EnvSchema + "=" + schema}, DB: db, Prefix: schema + ".",
		Open: func(t *testing.T) rolling.Inbox {
			pool, err := pgxpool.New(t.Context(), cluster.URL())
			done(t, err)
			t.Cleanup(pool.Close)
			in, err := postgres.Open(t.Context(), pool, postgres.Options{Schema: schema})
			done(t, err)
			t.Cleanup(func() { done(t, in.Close()) })
			return in
		},
		Versions: func(t *testing.T) (is, want int) {
			migrations, err := filepath.Glob("../../../../webhook/postgres/migrations/*.sql")
			done(t, err)
			done(t, pool.QueryRow(t.Context(), "SELECT max(version) FROM "+schema+".migration").Scan(&is))
			return is, len(migrations)
		},
	}
}

func done(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}
