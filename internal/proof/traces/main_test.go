package traces

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

var cluster *pgtest.Cluster

func TestMain(m *testing.M) {
	flag.Parse()
	proctest.Main(map[string]func() error{"worker": replica})
	os.Exit(run(m))
}

func run(m *testing.M) (status int) {
	var err error
	if cluster, err = pgtest.Start(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	status = m.Run()
	cluster.Stop()
	if err := goleak.Find(); err != nil && status == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return status
}

// inbox is an engine, with the marks of sweeps.
type inbox interface {
	webhook.Inbox
	webhook.Marks
}

// place is where the entries of a test are: an engine, and an address that other processes can open too.
type place struct{ engine, address, queue string }

// places returns one of each engine; that in memory is of this process alone.
func places(t *testing.T) []place {
	return []place{
		{engine: "memory"},
		{"sqlite", filepath.Join(t.TempDir(), "inbox.db"), ""},
		{"postgres", cluster.URL(), rand.Text()},
	}
}

// open opens the inbox of a place. The function closes it.
func (p place) open(ctx context.Context) (inbox, func(), error) {
	switch p.engine {
	case "sqlite":
		in, err := sqlite.Open(ctx, p.address, sqlite.Options{})
		if err != nil {
			return nil, nil, err
		}
		return in, func() { _ = in.Close() }, nil
	case "postgres":
		in, err := postgres.OpenURL(ctx, p.address, postgres.Options{Queue: p.queue})
		if err != nil {
			return nil, nil, err
		}
		return in, func() { _ = in.Close() }, nil
	}
	in, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	return in, func() {}, err
}

// opened opens the inbox of a place until the end of the test.
func (p place) opened(t *testing.T) inbox {
	t.Helper()
	in, end, err := p.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	return in
}
