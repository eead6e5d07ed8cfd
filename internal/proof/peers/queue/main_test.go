package queue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/proof/peers/sender"
)

func TestMain(m *testing.M) {
	sender.Main()
	status := m.Run()
	database.stop()
	// A fetch of backlite that began with its end waits for workers forever.
	backlite := goleak.IgnoreAnyFunction("github.com/mikestefanello/backlite.(*dispatcher).fetcher")
	if err := goleak.Find(backlite); err != nil && status == 0 {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// connections is how many each queue may have in a benchmark: one for each delivery in progress and for each worker,
// and a few more.
const connections = bench.Connections + Workers + 8

// database is a server that is started for the first test or benchmark that requires it.
var database server

type server struct {
	once    sync.Once
	cluster *pgtest.Cluster
	err     error
	names   int
}

func (s *server) stop() {
	if s.cluster != nil {
		s.cluster.Stop()
	}
}

// execute runs a statement by a connection of its own.
func (s *server) execute(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, s.cluster.URL())
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	return errors.Join(err, conn.Close(ctx))
}

// pool returns a pool of at most so many connections to a new database, which is dropped after the test. It is not for
// concurrent use.
func (s *server) pool(tb testing.TB, connections int32) *pgxpool.Pool {
	tb.Helper()
	s.once.Do(func() { s.cluster, s.err = pgtest.Start(context.Background()) })
	if s.err != nil {
		tb.Fatal(s.err)
	}
	s.names++
	name := fmt.Sprintf("peers_%d_%d", os.Getpid(), s.names)
	if err := s.execute(tb.Context(), "CREATE DATABASE "+name); err != nil {
		tb.Fatal(err)
	}
	config, err := pgxpool.ParseConfig(s.cluster.URL())
	if err != nil {
		tb.Fatal(err)
	}
	config.ConnConfig.Database, config.MaxConns = name, connections
	pool, err := pgxpool.NewWithConfig(tb.Context(), config)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		pool.Close()
		if err := s.execute(context.WithoutCancel(tb.Context()), "DROP DATABASE "+name); err != nil {
			tb.Error(err)
		}
	})
	return pool
}
