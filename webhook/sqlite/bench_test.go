package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// BenchmarkAccept measures durable accepts against the floor: the same bytes, appended to a file and synced in groups,
// by the least code that keeps a promise to each caller. Both run in turns, so that a noisy machine is noisy for both.
func BenchmarkAccept(b *testing.B) {
	for _, senders := range []int{64, 512} {
		b.Run(fmt.Sprint(senders), func(b *testing.B) {
			in := inbox(b, file(b), sqlite.Options{})
			f := newFloor(b)
			defer f.close()
			accept := func(ctx context.Context, e webhook.Entry) error {
				_, err := in.Accept(ctx, e)
				return err
			}
			var n atomic.Int64
			var accepts, appends []time.Duration
			var waits []time.Duration
			for b.Loop() {
				took, each := burst(b, &n, senders, accept)
				accepts, waits = append(accepts, took), append(waits, each...)
				took, _ = burst(b, &n, senders, f.add)
				appends = append(appends, took)
			}
			for _, all := range [][]time.Duration{accepts, appends, waits} {
				slices.Sort(all)
			}
			b.ReportMetric(burstSize/accepts[len(accepts)/2].Seconds(), "accepts/s")
			b.ReportMetric(burstSize/appends[len(appends)/2].Seconds(), "floor/s")
			b.ReportMetric(float64(appends[len(appends)/2])/float64(accepts[len(accepts)/2]), "ratio")
			b.ReportMetric(float64(waits[len(waits)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

const burstSize = 10_000

// burst sends different signals and returns how long they took, all and each.
func burst(b *testing.B, n *atomic.Int64, senders int, accept func(context.Context, webhook.Entry) error) (time.Duration, []time.Duration) {
	began := time.Now()
	var all sync.WaitGroup
	waits := make([]time.Duration, burstSize)
	var next atomic.Int64
	for range senders {
		all.Go(func() {
			for i := next.Add(1); i <= burstSize; i = next.Add(1) {
				asked := time.Now()
				if err := accept(b.Context(), update(n.Add(1))); err != nil {
					b.Error(err)
					return
				}
				waits[i-1] = time.Since(asked)
			}
		})
	}
	all.Wait()
	return time.Since(began), waits
}

func update(n int64) webhook.Entry {
	return webhook.Entry{
		Key: fmt.Sprintf("app:123:order/updated:%d", n), Lane: fmt.Sprintf("app:123:order:%d", n), Kind: webhook.KindSignal,
		Event: "order/updated", StoreID: 123, Body: fmt.Appendf(nil, `{"store_id":123,"event":"order/updated","id":%d,"note":"%0100d"}`, n, n),
	}
}

// floor appends entries to a file in groups: those that came while the group before was being synced.
type floor struct {
	file  *os.File
	calls chan floorCall
	ended chan struct{}
}

type floorCall struct {
	entry webhook.Entry
	done  chan error
}

func newFloor(b *testing.B) *floor {
	file, err := os.Create(file(b) + "-floor")
	if err != nil {
		b.Fatal(err)
	}
	f := &floor{file, make(chan floorCall, 256), make(chan struct{})}
	go f.run()
	return f
}

func (f *floor) close() {
	close(f.calls)
	<-f.ended
	_ = f.file.Close() // a benchmark
}

func (f *floor) add(_ context.Context, e webhook.Entry) error {
	c := floorCall{e, make(chan error, 1)}
	f.calls <- c
	return <-c.done
}

func (f *floor) run() {
	defer close(f.ended)
	for first := range f.calls {
		group, data := []floorCall{first}, line(nil, first)
		for more := true; more && len(group) < cap(f.calls); {
			select {
			case c, open := <-f.calls:
				if more = open; open {
					group, data = append(group, c), line(data, c)
				}
			default:
				more = false
			}
		}
		_, err := f.file.Write(data)
		if err == nil {
			err = f.file.Sync()
		}
		for _, c := range group {
			c.done <- err
		}
	}
}

func line(to []byte, c floorCall) []byte {
	return fmt.Appendf(to, "%s\t%s\t%s\t%s\t%d\t%s\n", c.entry.Key, c.entry.Lane, c.entry.Kind, c.entry.Event, c.entry.StoreID, c.entry.Body)
}
