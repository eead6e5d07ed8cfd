package postgres

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/webhook"
)

// senders is how many deliveries are in progress at a time.
const senders = 64

// BenchmarkAccept measures durable accepts against the floor: rows of the same tables, inserted by hand in groups, by
// the least code that keeps a promise to each caller. Both run in turns, so that a noisy machine is noisy for
// both.
func BenchmarkAccept(b *testing.B) {
	pool := newPool(b, database.URL(), 8)
	in, err := Open(b.Context(), pool, Options{Queue: newQueue(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	f := newFloor(b, pool)
	defer f.close()
	accept := func(ctx context.Context, e webhook.Entry) error {
		_, err := in.Accept(ctx, e)
		return err
	}
	var n atomic.Int64
	var took, floor []time.Duration
	for b.Loop() {
		took = append(took, burst(b, &n, accept))
		floor = append(floor, burst(b, &n, f.insert))
	}
	slices.Sort(took)
	slices.Sort(floor)
	b.ReportMetric(burstSize/took[len(took)/2].Seconds(), "accepts/s")
	b.ReportMetric(burstSize/floor[len(floor)/2].Seconds(), "floor/s")
	b.ReportMetric(float64(floor[len(floor)/2])/float64(took[len(took)/2]), "ratio")
	b.ReportMetric(float64(floor[0])/float64(took[0]), "best-ratio")
	b.ReportMetric(0, "ns/op")
}

const burstSize = 5_000

// burst sends different signals and returns how long they took.
func burst(b *testing.B, n *atomic.Int64, accept func(context.Context, webhook.Entry) error) time.Duration {
	began := time.Now()
	var all sync.WaitGroup
	left := atomic.Int64{}
	left.Store(burstSize)
	for range senders {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				if err := accept(b.Context(), delivery(n.Add(1))); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(began)
}

func delivery(n int64) webhook.Entry {
	key := fmt.Sprintf("app:123:order/updated:%d", n)
	return webhook.Entry{
		Key: key, Lane: fmt.Sprintf("app:123:order:%d", n), Kind: webhook.KindSignal, Event: "order/updated", StoreID: 123,
		Body: fmt.Appendf(nil, `{"store_id":123,"event":"order/updated","id":%d,"note":"%0100d"}`, n, n),
	}
}

// floor inserts rows in groups: those that came while the group before was being committed.
type floor struct {
	pool  *pgxpool.Pool
	calls chan floorCall
	ended chan struct{}
}

type floorCall struct {
	entry webhook.Entry
	done  chan error
}

func newFloor(b *testing.B, pool *pgxpool.Pool) *floor {
	for _, table := range []string{"entry", "lane"} {
		if _, err := pool.Exec(b.Context(), fmt.Sprintf(`DROP TABLE IF EXISTS floor_%s;
			CREATE TABLE floor_%[1]s (LIKE webhook_inbox.%[1]s INCLUDING ALL)`, table)); err != nil {
			b.Fatal(err)
		}
	}
	f := &floor{pool: pool, calls: make(chan floorCall, senders), ended: make(chan struct{})}
	go f.run()
	return f
}

func (f *floor) close() {
	close(f.calls)
	<-f.ended
}

func (f *floor) insert(_ context.Context, e webhook.Entry) error {
	c := floorCall{e, make(chan error, 1)}
	f.calls <- c
	return <-c.done
}

func (f *floor) run() {
	defer close(f.ended)
	for first := range f.calls {
		group := []floorCall{first}
		for more := true; more; {
			select {
			case c, open := <-f.calls:
				if more = open; open {
					group = append(group, c)
				}
			default:
				more = false
			}
		}
		err := f.write(group)
		for _, c := range group {
			c.done <- err
		}
	}
}

func (f *floor) write(group []floorCall) error {
	var keys, lanes, kinds, events, clears, unhandled []string
	var bodies [][]byte
	var stores, windows, settles []int64
	var protected []bool
	for _, c := range group {
		e := &c.entry
		keys, lanes, kinds, events = append(keys, e.Key), append(lanes, e.Lane), append(kinds, string(e.Kind)), append(events, string(e.Event))
		stores, bodies = append(stores, int64(e.StoreID)), append(bodies, e.Body)
		windows, settles = append(windows, int64(e.Window)), append(settles, int64(e.Settle))
		clears, protected, unhandled = append(clears, ""), append(protected, e.Protected), append(unhandled, e.Unhandled)
	}
	b := &pgx.Batch{}
	b.Queue(`INSERT INTO floor_entry (queue, key, lane, kind, event, store_id, body, window_ns, settle_ns, clears, protected, unhandled,
			state, generation, due, attempts, arrivals, first_seen, last_seen, pending_since, outcome)
		SELECT 'floor', a.key, a.lane, a.kind, a.event, a.store_id, a.body, a.window_ns, a.settle_ns, string_to_array(a.clears, ','), a.protected, a.unhandled,
			'pending', 1, now(), 0, 1, now(), now(), now(), 'stored'
		FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bytea[], $7::bigint[], $8::bigint[], $9::text[], $10::boolean[], $11::text[])
			AS a (key, lane, kind, event, store_id, body, window_ns, settle_ns, clears, protected, unhandled)`,
		keys, lanes, kinds, events, stores, bodies, windows, settles, clears, protected, unhandled)
	b.Queue(`INSERT INTO floor_lane (queue, lane, due) SELECT 'floor', a.lane, now() FROM unnest($1::text[]) AS a (lane)`, lanes)
	return f.pool.SendBatch(context.Background(), b).Close()
}
