package inboxopstest

import (
	"crypto/rand"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

func TestMemory(t *testing.T) {
	Run(t, func(t *testing.T) webhook.Inbox {
		in, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
		if err != nil {
			t.Fatal(err)
		}
		return in
	})
}

func TestSQLite(t *testing.T) {
	Run(t, func(t *testing.T) webhook.Inbox {
		in, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "inbox.db"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = in.Close() })
		return in
	})
}

func TestPostgres(t *testing.T) {
	cluster, err := pgtest.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Stop)
	pool, err := pgxpool.New(t.Context(), cluster.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	Run(t, func(t *testing.T) webhook.Inbox {
		in, err := postgres.Open(t.Context(), pool, postgres.Options{Queue: rand.Text()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = in.Close() })
		return in
	})
}
