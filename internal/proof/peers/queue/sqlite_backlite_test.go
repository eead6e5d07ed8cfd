package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/mikestefanello/backlite"
)

// backliteQueue is backlite. It does not deduplicate, so a table of keys does.
type backliteQueue struct {
	db     *sql.DB
	client *backlite.Client                // which adds tasks
	worker atomic.Pointer[backlite.Client] // nil unless one works
}

// backliteTask is a delivery.
type backliteTask struct {
	Body json.RawMessage `json:"body"`
}

// Config implements backlite.Task. Tasks that are done leave nothing behind.
func (backliteTask) Config() backlite.QueueConfig {
	return backlite.QueueConfig{Name: "delivery", MaxAttempts: 20, Backoff: time.Second, Timeout: time.Minute}
}

func openBacklite(ctx context.Context, path string) (Queue, error) {
	db, err := openFile(ctx, path, keysSchema)
	if err != nil {
		return nil, err
	}
	q := &backliteQueue{db: db}
	if q.client, err = q.newClient(); err == nil {
		err = q.client.Install()
	}
	if err != nil {
		_ = db.Close() // the first error says more
		return nil, err
	}
	return q, nil
}

func (q *backliteQueue) newClient() (*backlite.Client, error) {
	return backlite.NewClient(backlite.ClientConfig{DB: q.db, NumWorkers: Workers, ReleaseAfter: 10 * time.Minute})
}

func (q *backliteQueue) Handler() http.Handler {
	return put(func(ctx context.Context, key string, body []byte) error {
		added, err := once(ctx, q.db, key, func(tx *sql.Tx) error {
			_, err := q.client.Add(backliteTask{body}).Ctx(ctx).Tx(tx).Save()
			return err
		})
		if worker := q.worker.Load(); added && worker != nil {
			worker.Notify()
		}
		return err
	})
}

func (q *backliteQueue) Work(ctx context.Context, handle Handle) error {
	worker, err := q.newClient()
	if err != nil {
		return err
	}
	worker.Register(backlite.NewQueue(func(ctx context.Context, t backliteTask) error { return handle.run(ctx, t.Body) }))
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	worker.Start(running)
	q.worker.Store(worker)
	defer q.worker.Store(nil)
	<-ctx.Done()
	stopping, cancel := context.WithTimeout(running, time.Minute)
	defer cancel()
	if !worker.Stop(stopping) {
		return errors.New("backlite: tasks do not end")
	}
	return nil
}

func (q *backliteQueue) Close() error { return q.db.Close() }
