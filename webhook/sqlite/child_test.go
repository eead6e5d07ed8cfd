package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// Variables of a child.
const (
	childFile = "SQLITE_TEST_FILE"
	childShop = "SQLITE_TEST_SHOP"
)

const secret = "0123456789abcdef"

// roles are what the test binary is as another process of a test.
func roles() map[string]func() error {
	on := func(role func(*world) error) func() error {
		return func() error {
			in, err := sqlite.Open(context.Background(), os.Getenv(childFile), sqlite.Options{})
			if err != nil {
				return err
			}
			return role(&world{in: in, shop: os.Getenv(childShop)})
		}
	}
	return map[string]func() error{
		"visitor":  visit,
		"receiver": on(receive),
		"sleeper":  on(oversleep),
		"poison":   on(func(w *world) error { return bench.Poison(w.in) }),
	}
}

// start runs a child on the file of a world.
func (w *world) start(t *testing.T, role string) *proctest.Process {
	t.Helper()
	return proctest.Start(t, role, childFile+"="+w.path, childShop+"="+w.shop)
}

// visit reads the file as the tool of SQLite does, by which a person looks at it.
func visit() error {
	db, err := sql.Open("sqlite", os.Getenv(childFile))
	if err != nil {
		return err
	}
	return errors.Join(db.QueryRow("SELECT count(*) FROM inbox_entry").Scan(new(int)), db.Close())
}

// receive is a receiver as an app has it. It says where it listens, and ends by being killed.
func receive(w *world) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	events, quiet := w.handlers(), slog.New(slog.DiscardHandler)
	worker := &webhook.Worker{Inbox: w.in, Registry: events, Concurrency: 8, Lease: 2 * time.Second, Logger: quiet}
	ended := make(chan error, 2)
	go func() { ended <- worker.Run(context.Background()) }()
	h := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: events, Inbox: w.in, Logger: quiet}
	go func() { ended <- http.Serve(l, h) }()
	fmt.Println("http://" + l.Addr().String())
	return <-ended
}
