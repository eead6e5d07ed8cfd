package apptables

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/proof/statetest"
)

// failover returns a server with a standby, and a pool whose new connections lead to the one that takes writes.
func failover(t *testing.T) statetest.Failover {
	t.Helper()
	primary, err := pgtest.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(primary.Stop)
	standby, err := primary.Standby(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(standby.Stop)
	config, err := pgx.ParseConfig(primary.URL())
	if err != nil {
		t.Fatal(err)
	}
	var leads atomic.Pointer[pgtest.Cluster]
	leads.Store(primary)
	config.DialFunc = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, leads.Load().Address())
	}
	db, fresh := stdlib.OpenDB(*config), stdlib.OpenDB(*config)
	db.SetMaxIdleConns(kept)
	fresh.SetMaxIdleConns(-1)
	t.Cleanup(func() { _, _ = db.Close(), fresh.Close() })
	return statetest.Failover{DB: db, Fresh: fresh, Over: func() {
		err := errors.Join(primary.Down(t.Context(), pgtest.Fast), standby.Promote(t.Context()), primary.Rejoin(t.Context(), standby))
		if err != nil {
			t.Fatal(err)
		}
		keep(t, db)
		primary, standby = standby, primary
		leads.Store(primary)
	}}
}

// kept is the number of connections that lead to the standby.
const kept = 32

// keep opens connections, which stay in the pool.
func keep(t *testing.T, db *sql.DB) {
	t.Helper()
	conns := make([]*sql.Conn, kept)
	for i := range conns {
		for conns[i] == nil { // connections of before the failover fail
			conns[i], _ = db.Conn(t.Context())
		}
	}
	for _, c := range conns {
		if err := c.PingContext(t.Context()); err != nil {
			_ = c.Raw(func(any) error { return err })
		}
		_ = c.Close()
	}
}
