package webhook

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// The handlers of one store hang, and deliveries of other stores are handled at once. They were answered 503 once,
// because the store took all places.
func TestOneStoreHangs(t *testing.T) {
	const stores = 20
	for _, hung := range []int{64, 2 * DefaultMaxRuns} {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			var events Registry
			On(&events, OrderPaid, func(_ context.Context, d Delivery[Entity]) error {
				if d.StoreID == 1 {
					<-release
				}
				return nil
			})
			p := newProbe(t, func(h *Handler) { h.Registry, h.OnFailure = &events, func(context.Context, *Failure) {} })
			deliver := func(store client.ID, order int) int {
				return send(p, signed(fmt.Sprintf(`{"store_id":%d,"event":"order/paid","id":%d}`, store, order))).Code
			}
			var all sync.WaitGroup
			for n := range hung {
				all.Go(func() { deliver(1, n+1) })
			}
			synctest.Wait()
			both := func(when string) {
				for n := range stores {
					began := time.Now()
					if code := deliver(client.ID(2+n), 1); code != http.StatusOK || time.Since(began) > 0 {
						t.Errorf("%d handlers of a store hang: %s, another store was answered %d after %v", hung, when, code, time.Since(began))
					}
				}
			}
			both("before they are late")
			all.Wait()
			both("after they were late")
			close(release)
		})
	}
}

// A run that waits for another one of its key takes a place like others. If there is none, its delivery is answered 503
// and reported, and the key is free again.
func TestNextRunFindsNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := taking(time.Second)
		p := s.handler(t, func(h *Handler) { h.MaxRuns = 1 })
		order := func(store int) int {
			return send(p, signed(fmt.Sprintf(`{"store_id":%d,"event":"order/paid","id":5}`, store))).Code
		}
		var all sync.WaitGroup
		codes := make([]int, 3)
		for i, at := range []time.Duration{0, 500 * time.Millisecond, time.Second - time.Millisecond} {
			all.Go(func() {
				time.Sleep(at)
				codes[i] = order([]int{1, 1, 2}[i]) // the last takes the place that the first leaves
			})
		}
		all.Wait()
		if codes[0] != 200 || codes[1] != 503 || codes[2] != 200 || len(p.failed) != 1 || p.lanes() != 0 {
			t.Errorf("got %v, reports %v, %d keys left; want the second of the store 503 and reported", codes, p.failed, p.lanes())
		}
		if code := order(1); code != 200 {
			t.Errorf("afterwards: got %d, want 200", code)
		}
	})
}
