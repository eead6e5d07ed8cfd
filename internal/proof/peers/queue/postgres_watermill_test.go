package queue

import (
	"context"
	"hash/fnv"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// watermillQueue is Watermill with its queue in PostgreSQL. A subscriber has one message in progress at a time, so
// there is a topic for each worker. It does not deduplicate, so a table of keys does.
type watermillQueue struct{ pool *pgxpool.Pool }

const watermillKeys = `CREATE TABLE IF NOT EXISTS delivery_key (key text PRIMARY KEY)`

var watermillSchema = sql.PostgreSQLQueueSchema{
	GeneratePayloadType: func(string) string { return "bytea" },
}

func openWatermill(ctx context.Context, pool *pgxpool.Pool) (Queue, error) {
	q := &watermillQueue{pool}
	if _, err := pool.Exec(ctx, watermillKeys); err != nil {
		return nil, err
	}
	s, err := q.subscriber()
	if err != nil {
		return nil, err
	}
	for n := range Workers {
		if err := s.SubscribeInitialize(topic(n)); err != nil {
			return nil, err
		}
	}
	return q, s.Close()
}

// topic returns the name of a worker's topic.
func topic(worker int) string { return "inbox_" + strconv.Itoa(worker) }

func topicOf(key string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(key)) // it never fails
	return topic(int(h.Sum32() % Workers))
}

func (q *watermillQueue) subscriber() (*sql.Subscriber, error) {
	return sql.NewSubscriber(sql.BeginnerFromPgx(q.pool), sql.SubscriberConfig{
		PollInterval: 10 * time.Millisecond, SchemaAdapter: watermillSchema,
		OffsetsAdapter: sql.PostgreSQLQueueOffsetsAdapter{DeleteOnAck: true},
	}, watermill.NopLogger{})
}

func (q *watermillQueue) Handler() http.Handler {
	return put(func(ctx context.Context, key string, body []byte) error {
		return pgx.BeginFunc(ctx, q.pool, func(tx pgx.Tx) error {
			added, err := tx.Exec(ctx, `INSERT INTO delivery_key (key) VALUES ($1) ON CONFLICT DO NOTHING`, key)
			if err != nil || added.RowsAffected() == 0 {
				return err
			}
			publisher := sql.PublisherConfig{SchemaAdapter: watermillSchema}
			p, err := sql.NewPublisher(sql.TxFromPgx(tx), publisher, watermill.NopLogger{})
			if err != nil {
				return err
			}
			return p.Publish(topicOf(key), message.NewMessage(watermill.NewUUID(), body))
		})
	})
}

func (q *watermillQueue) Work(ctx context.Context, handle Handle) error {
	s, err := q.subscriber()
	if err != nil {
		return err
	}
	var workers sync.WaitGroup
	for n := range Workers {
		messages, err := s.Subscribe(context.WithoutCancel(ctx), topic(n))
		if err != nil {
			return err
		}
		workers.Go(func() {
			for m := range messages {
				if handle.run(m.Context(), m.Payload) == nil {
					m.Ack()
				} else {
					m.Nack() // it comes again in a second
				}
			}
		})
	}
	<-ctx.Done()
	err = s.Close()
	workers.Wait()
	return err
}

func (q *watermillQueue) Close() error { return nil }
