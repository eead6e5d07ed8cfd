package webhook_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// TestWorkerPlaces: a store whose handlers hang leaves places to others, two such stores do too, and one that sets
// PerStore to Concurrency has all.
func TestWorkerPlaces(t *testing.T) {
	for _, test := range []struct {
		concurrency, perStore, stores int
		want                          string // handlers of each store, in the order in which they arrived
	}{
		{0, 0, 1, "map[1:14]"},
		{0, 0, 2, "map[1:14 2:1]"},
		{0, 16, 1, "map[1:16]"},
		{16, 100, 1, "map[1:16]"},
		{16, 4, 1, "map[1:4]"},
		{16, 4, 3, "map[1:4 2:3 3:2]"},
		{8, 0, 1, "map[1:7]"},
		{4, 0, 1, "map[1:3]"},
		{2, 0, 2, "map[1:1 2:1]"},
		{1, 0, 1, "map[1:1]"},
	} {
		t.Run(fmt.Sprintf("%+v", test), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				h.worker.Concurrency, h.worker.PerStore, h.worker.Timeout = test.concurrency, test.perStore, time.Hour
				hung, quiet := map[client.ID]int{}, 0
				var busy atomic.Int64
				release := make(chan struct{})
				webhook.On(h.events, webhook.OrderPaid,
					func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
						if d.StoreID == 99 {
							quiet++
							return nil
						}
						busy.Add(1)
						<-release
						return nil
					})
				stop := h.run()
				before := 0
				for store := range client.ID(test.stores) {
					for id := 1; id <= 40; id++ {
						h.deliver(fmt.Sprintf(`{"store_id":%d,"event":"order/paid","id":%d}`, store+1, id))
					}
					synctest.Wait()
					hung[store+1] = int(busy.Load()) - before
					before = int(busy.Load())
				}
				if got := fmt.Sprint(hung); got != test.want {
					t.Errorf("handlers in progress by store %s, want %s", got, test.want)
				}
				h.deliver(`{"store_id":99,"event":"order/paid","id":1}`)
				synctest.Wait()
				all := test.concurrency
				if all == 0 {
					all = webhook.DefaultConcurrency
				}
				if want := btoi(before < all); quiet != want {
					t.Errorf("%d runs for the quiet store, want %d", quiet, want)
				}
				close(release)
				time.Sleep(time.Minute)
				synctest.Wait()
				stop()
				if s := h.stats(); s.Pending != 0 {
					t.Errorf("%+v, want all handled", s)
				}
			})
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestWorkerWaitsBesideBacklog: a worker does not ask over and over for entries of a store that holds as many places as
// it may.
func TestWorkerWaitsBesideBacklog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		asked := newFaulty(h.inbox)
		h.worker.Inbox, h.worker.Poll = asked, time.Second
		h.orderPaid(func(context.Context) error { time.Sleep(time.Minute); return nil })
		for id := 1; id <= 40; id++ {
			h.deliver(fmt.Sprintf(`{"store_id":123,"event":"order/paid","id":%d}`, id))
		}
		stop := h.run()
		time.Sleep(50 * time.Second)
		synctest.Wait()
		// Once a second, by Poll, and once more when leases were extended, which each of the handlers does four times.
		if n := asked.count("lease"); n < 40 || n > 50+4*webhook.DefaultConcurrency {
			t.Errorf("%d calls of Lease in 50 seconds, want 40 to %d", n, 50+4*webhook.DefaultConcurrency)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		stop()
		if s := h.stats(); s.Pending != 0 {
			t.Errorf("%+v, want all handled", s)
		}
	})
}
