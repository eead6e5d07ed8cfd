package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Secret signs deliveries.
const Secret client.Secret = "0123456789abcdef"

// Variables of the process.
const (
	EnvDatabase = "REPLICA_DATABASE" // what the engine opens
	EnvShop     = "REPLICA_SHOP"     // the address at which the versions of products are read
	EnvLog      = "REPLICA_LOG"      // the file for the log
	EnvRuns     = "REPLICA_RUNS"     // the file for runs, a line of JSON for each (Started)
)

// ErrUnlucky is the error of handlers that are made to fail.
var ErrUnlucky = errors.New("no luck")

// App is what the engine gives an app.
type App struct {
	Inbox webhook.Inbox
	// Ship stores an effect of an order and commits the entry in one transaction, which is rolled back if broken
	// returns an error.
	Ship func(ctx context.Context, order int64, broken func() error) error
	// Copy stores the version of a product, unless a later lease (fence) has stored one.
	Copy func(ctx context.Context, product, version, fence int64) error
}

// Body is the body of a delivery. No two deliveries have the same number.
type Body struct {
	StoreID int64        `json:"store_id"`
	Event   webhook.Name `json:"event"`
	ID      int64        `json:"id"`
	Number  int64        `json:"number"`
}

// Started is the beginning of a run: the number of its body, and its trace if the release knows one.
type Started struct {
	Number int64  `json:"number"`
	Trace  string `json:"trace"`
}

// Run opens the inbox, prints where it listens, receives and handles deliveries, and ends by being killed. The function
// trace is nil for a release without traces.
func Run(open func(ctx context.Context, database string) (App, error), trace func(webhook.Lease) string) error {
	log, err := appendTo(EnvLog)
	if err != nil {
		return err
	}
	runs, err := appendTo(EnvRuns)
	if err != nil {
		return err
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	ctx := context.Background()
	app, err := open(ctx, os.Getenv(EnvDatabase))
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	events := app.handlers()
	worker := &webhook.Worker{Inbox: app.Inbox, Registry: events, Concurrency: 4}
	worker.Lease, worker.Poll = 5*time.Second, 50*time.Millisecond
	worker.OnStarted = func(ctx context.Context, l webhook.Lease) context.Context {
		var body Body
		err := json.Unmarshal(l.Body, &body)
		started := Started{Number: body.Number}
		if trace != nil {
			started.Trace = trace(l)
		}
		if err == nil {
			err = json.NewEncoder(runs).Encode(started) // a single write, before the handler runs
		}
		if err != nil {
			slog.Error("note a run", "error", err)
		}
		return ctx
	}
	h := &webhook.Handler{Secrets: []client.Secret{Secret}, Registry: events, Inbox: app.Inbox}
	ended := make(chan error, 2)
	go func() { ended <- worker.Run(ctx) }()
	go func() { ended <- http.Serve(l, h) }()
	fmt.Println("http://" + l.Addr().String())
	return <-ended
}

func appendTo(variable string) (*os.File, error) {
	return os.OpenFile(os.Getenv(variable), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
}

func (a App) handlers() *webhook.Registry {
	var r webhook.Registry
	webhook.On(&r, webhook.OrderCreated, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		return a.Ship(ctx, int64(d.Payload.ID), unlucky)
	})
	webhook.On(&r, webhook.ProductUpdated, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		version, err := read(ctx, int64(d.Payload.ID))
		if err == nil {
			err = unlucky()
		}
		if err != nil {
			return err
		}
		return a.Copy(ctx, int64(d.Payload.ID), version, int64(webhook.Fence(ctx)))
	})
	return &r
}

// unlucky fails now and then.
func unlucky() error {
	if rand.IntN(50) == 0 {
		return ErrUnlucky
	}
	return nil
}

// shop keeps a connection for each handler.
var shop = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: webhook.DefaultConcurrency}}

// read asks the shop for the version of a product.
func read(ctx context.Context, id int64) (version int64, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/%d", os.Getenv(EnvShop), id), nil)
	if err != nil {
		return 0, err
	}
	answer, err := shop.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = fmt.Fscan(answer.Body, &version)
	return version, err
}
