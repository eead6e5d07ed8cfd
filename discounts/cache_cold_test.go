package discounts

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
)

// Carts of a thousand stores that are not loaded arrive at once, and a load takes longer than an answer may. Each cart
// is answered in time, and each store is loaded later. The stores were forgotten: 48 of 1,000 were loaded.
func TestColdStores(t *testing.T) {
	const stores = 1000
	synctest.Test(t, func(t *testing.T) {
		s := newSteady(700 * time.Millisecond)
		p := newProbe(t, Plans{LineItems: nothing}, func(h *Handler) { h.Promotions = s.PromotionCache })
		defer s.Close()
		bodies := make([][]byte, stores)
		for i := range bodies {
			bodies[i] = ofStore(t, i+1)
		}
		for range 2 { // the second carts come when it is known how long a load takes
			var all sync.WaitGroup
			for _, body := range bodies {
				all.Go(func() {
					began := time.Now()
					if w := post(p, body); w.Code != 204 || time.Since(began) > DefaultBudget {
						t.Errorf("answered %d after %v", w.Code, time.Since(began))
					}
				})
			}
			all.Wait()
			time.Sleep(time.Second)
		}
		time.Sleep(87 * time.Second)
		if got, most := s.calls.Load(), s.most.Load(); got != stores || most > mostLoads {
			t.Errorf("%d loads, %d at a time; want %d, %d at most", got, most, stores, mostLoads)
		}
		for store := range client.ID(stores) {
			if known, after := s.cart(t, store+1); !known || after > 0 {
				t.Fatalf("store %d: known %v after %v", store+1, known, after)
			}
		}
		if s.failed.Load() > 0 {
			t.Errorf("%d loads were reported", s.failed.Load())
		}
		for _, f := range p.failures() {
			if !errors.Is(f, ErrNoPromotions) {
				t.Errorf("reported %v", f)
			}
		}
	})
	// Two hundred thousand loads that waited took 696 MiB.
	if size := unsafe.Sizeof(loading{}); size > 128 {
		t.Errorf("a waiting load has %d bytes", size)
	}
}

// Load hangs for some stores whatever its context says, panics or ends its goroutine. Each is reported with its store,
// is in progress once, and holds up no other store, nor Close.
func TestLoadsThatHang(t *testing.T) {
	const hung = 40
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		var mu sync.Mutex
		calls, reports := map[client.ID]int{}, map[client.ID]string{}
		r := &PromotionCache{
			Load: func(_ context.Context, store client.ID) ([]promotions.Promotion, error) {
				mu.Lock()
				calls[store]++
				mu.Unlock()
				switch {
				case store <= hung:
					<-end
				case store == 1001:
					runtime.Goexit()
				case store == 1002:
					panic("no")
				}
				return []promotions.Promotion{{Name: "offer"}}, nil
			},
			OnFailure: func(_ context.Context, f *Failure) {
				mu.Lock()
				defer mu.Unlock()
				reports[f.StoreID] += fmt.Sprint(f.Err, "; ")
			},
		}
		look := func(store client.ID) (took time.Duration, err error) {
			began := time.Now()
			_, err = r.lookup(deadline(t, DefaultBudget), store)
			return time.Since(began), err
		}
		for range 20 { // a minute
			var all sync.WaitGroup
			for store := range client.ID(hung) {
				all.Go(func() {
					if took, err := look(store + 1); !errors.Is(err, ErrNoPromotions) || took > DefaultBudget {
						t.Errorf("a store whose load hangs: %v after %v", err, took)
					}
				})
			}
			all.Wait()
			time.Sleep(3*time.Second - DefaultBudget)
		}
		for store, want := range map[client.ID]string{1001: "runtime.Goexit", 1002: "panic: no"} {
			if took, err := look(store); err == nil || !strings.Contains(err.Error(), want) || took > 0 {
				t.Errorf("store %d: %v after %v, want %s", store, err, took, want)
			}
		}
		for store := range client.ID(2 * mostLoads) {
			if took, err := look(2001 + store); err != nil || took > 0 {
				t.Errorf("another store: %v after %v", err, took)
			}
		}
		mu.Lock()
		for store := range client.ID(hung) {
			if n, report := calls[store+1], reports[store+1]; n != 1 || strings.Count(report, "did not return in time") != 1 {
				t.Errorf("store %d: %d calls, reported %q; want it once", store+1, n, report)
			}
		}
		mu.Unlock()
		go func() { _, _ = look(hung) }()
		synctest.Wait()
		began := time.Now()
		if err := r.Close(); err != nil || time.Since(began) > loadTime+loadGrace {
			t.Errorf("closed after %v: %v", time.Since(began), err)
		}
		close(end)
		synctest.Wait()
	})
}
