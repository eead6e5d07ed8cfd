package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Variables of a child.
const (
	childURL   = "POSTGRES_TEST_URL"
	childQueue = "POSTGRES_TEST_QUEUE"
)

// quick is how often an idle worker of a test looks.
const quick = 50 * time.Millisecond

// hung is after what time a call or a database is taken to hang. How fast they are is
// in the logs of the proofs: a test cannot know what else its machine does.
const hung = 5 * time.Minute

// roles are what the test binary is as another process of a test.
func roles() map[string]func() error {
	on := func(role func(*world, *Inbox) error) func() error {
		return func() error {
			ctx := context.Background()
			pool, err := pgxpool.New(ctx, os.Getenv(childURL))
			if err != nil {
				return err
			}
			in, err := Open(ctx, pool, Options{Queue: os.Getenv(childQueue)})
			if err != nil {
				return err
			}
			return role(&world{pool: pool, queue: os.Getenv(childQueue)}, in)
		}
	}
	return map[string]func() error{
		"receiver": on(receive),
		"sleeper":  on(oversleep),
		"poison":   on(func(_ *world, in *Inbox) error { return bench.Poison(in) }),
		"cluster":  abandon,
	}
}

// start runs a child on a queue of a database.
func start(t *testing.T, role, url, queue string) *proctest.Process {
	t.Helper()
	return proctest.Start(t, role, childURL+"="+url, childQueue+"="+queue, "GOMAXPROCS=2")
}

// receive is a receiver as an app has it. It says where it listens, and ends by being killed.
func receive(w *world, in *Inbox) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	events, quiet := w.handlers(), slog.New(slog.DiscardHandler)
	worker := &webhook.Worker{Inbox: in, Registry: events, Concurrency: 4, Lease: 2 * time.Second, Poll: quick, Logger: quiet}
	ended := make(chan error, 2)
	go func() { ended <- worker.Run(context.Background()) }()
	h := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: events, Inbox: in, Logger: quiet}
	go func() { ended <- http.Serve(l, h) }()
	fmt.Println("http://" + l.Addr().String())
	return <-ended
}
