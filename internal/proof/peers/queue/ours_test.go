package queue

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// ours is an inbox of this module with its defaults. All deliveries are of one store, which may take all places.
type ours struct {
	inbox webhook.Inbox
	close func() error
}

func openPostgres(ctx context.Context, pool *pgxpool.Pool) (Queue, error) {
	in, err := postgres.Open(ctx, pool, postgres.Options{})
	if err != nil {
		return nil, err
	}
	return &ours{in, func() error { in.Close(); return nil }}, nil
}

func openSQLite(ctx context.Context, path string) (Queue, error) {
	in, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	return &ours{in, in.Close}, nil
}

func (q *ours) Handler() http.Handler {
	return &webhook.Handler{
		Secrets: []client.Secret{bench.Secret}, Inbox: q.inbox, Logger: slog.New(slog.DiscardHandler),
	}
}

func (q *ours) Work(ctx context.Context, handle Handle) error {
	var events webhook.Registry
	webhook.On(&events, webhook.OrderUpdated, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		return handle(ctx, int64(d.Payload.ID))
	})
	w := &webhook.Worker{
		Inbox: q.inbox, Registry: &events, Concurrency: Workers, PerStore: Workers,
		OnFailure: func(context.Context, *webhook.Failure) {}, // failures are what tests return
	}
	return w.Run(ctx)
}

func (q *ours) Close() error { return q.close() }
