package queue

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
)

// riverQueue is River with unique jobs, which are inserted by each request.
type riverQueue struct {
	driver *riverpgxv5.Driver
	client *river.Client[pgx.Tx] // which inserts
	tuned  bool
}

// riverArgs are the arguments of a job. The key makes it unique.
type riverArgs struct {
	Key  string          `json:"key" river:"unique"`
	Body json.RawMessage `json:"body"`
}

func (riverArgs) Kind() string { return "delivery" }

// riverPending are the states in which a second delivery adds nothing. River's default adds the completed ones, whose
// rows then stay in the index.
var riverPending = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning,
	rivertype.JobStateScheduled,
}

// openRiver opens River as it is, or as fast as its settings make it.
func openRiver(tuned bool) func(context.Context, *pgxpool.Pool) (Queue, error) {
	return func(ctx context.Context, pool *pgxpool.Pool) (Queue, error) {
		q := &riverQueue{driver: riverpgxv5.New(pool), tuned: tuned}
		migrator, err := rivermigrate.New(q.driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			return nil, err
		}
		if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return nil, err
		}
		q.client, err = river.NewClient(q.driver, q.config())
		return q, err
	}
}

func (q *riverQueue) config() *river.Config {
	c := &river.Config{Logger: slog.New(slog.DiscardHandler), SkipUnknownJobCheck: true}
	if q.tuned {
		c.FetchCooldown, c.FetchPollInterval = river.FetchCooldownMin, 10*time.Millisecond
	}
	return c
}

func (q *riverQueue) Handler() http.Handler {
	unique := river.UniqueOpts{ByArgs: true}
	if q.tuned {
		unique.ByState = riverPending
	}
	return put(func(ctx context.Context, key string, body []byte) error {
		_, err := q.client.Insert(ctx, riverArgs{key, body}, &river.InsertOpts{UniqueOpts: unique})
		return err
	})
}

func (q *riverQueue) Work(ctx context.Context, handle Handle) error {
	c := q.config()
	c.Queues = map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: Workers}}
	c.Workers = river.NewWorkers()
	river.AddWorker(c.Workers, river.WorkFunc(func(ctx context.Context, j *river.Job[riverArgs]) error {
		return handle.run(ctx, j.Args.Body)
	}))
	worker, err := river.NewClient(q.driver, c)
	if err != nil {
		return err
	}
	running := context.WithoutCancel(ctx)
	if err := worker.Start(running); err != nil {
		return err
	}
	<-ctx.Done()
	return worker.Stop(running)
}

func (q *riverQueue) Close() error { return nil }
