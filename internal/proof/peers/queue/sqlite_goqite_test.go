package queue

import (
	"context"
	"database/sql"
	_ "embed"
	"net/http"
	"sync"
	"time"

	"maragu.dev/goqite"
)

// goqiteQueue is goqite. It does not deduplicate, so a table of keys does.
type goqiteQueue struct {
	db    *sql.DB
	queue *goqite.Queue
}

//go:embed sqlite_goqite.sql
var goqiteSchema string

// goqitePoll is how often the queue is looked at: it does not notify.
const goqitePoll = time.Millisecond

func openGoqite(ctx context.Context, path string) (Queue, error) {
	db, err := openFile(ctx, path, keysSchema, goqiteSchema)
	if err != nil {
		return nil, err
	}
	return &goqiteQueue{db, goqite.New(goqite.NewOpts{DB: db, Name: "inbox"})}, nil
}

func (q *goqiteQueue) Handler() http.Handler {
	return put(func(ctx context.Context, key string, body []byte) error {
		_, err := once(ctx, q.db, key, func(tx *sql.Tx) error {
			return q.queue.SendTx(ctx, tx, goqite.Message{Body: body})
		})
		return err
	})
}

// Work does what goqite's own runner of jobs does, but does not wrap messages nor extend their timeouts.
func (q *goqiteQueue) Work(ctx context.Context, handle Handle) error {
	var workers sync.WaitGroup
	defer workers.Wait()
	running, places := context.WithoutCancel(ctx), make(chan struct{}, Workers)
	for ctx.Err() == nil {
		places <- struct{}{}
		m, err := q.queue.ReceiveAndWait(ctx, goqitePoll)
		if err != nil {
			return unless(ctx, err)
		}
		workers.Go(func() {
			defer func() { <-places }()
			if handle.run(running, m.Body) == nil {
				_ = q.queue.Delete(running, m.ID) // it is received again if it could not be deleted
			}
		})
	}
	return nil
}

func (q *goqiteQueue) Close() error { return q.db.Close() }
