package webhook_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// A store that is swept for hours delays no other one, and is left out until its sweep has ended.
func TestSweepOfSlowStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		var mu sync.Mutex
		began := map[client.ID][]time.Duration{}
		start, release := time.Now(), make(chan struct{})
		source := webhook.Source{
			Event: "product/updated", Since: func(ctx context.Context, store client.ID, _ time.Time) (webhook.Changes,
				error) {
				mu.Lock()
				began[store] = append(began[store], time.Since(start))
				mu.Unlock()
				if store == 1 {
					<-release
				}
				return shelfChanges{shelf: new(shelf), now: time.Now()}, nil
			},
		}
		webhook.On(h.events, webhook.ProductUpdated, nothing)
		sweep := newSweep(h, source)
		sweep.Stores = func(context.Context) ([]client.ID, error) { return []client.ID{1, 2, 3}, nil }
		sweep.Concurrency = 2
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- sweep.Run(ctx) }()
		time.Sleep(90 * time.Minute)
		close(release)
		time.Sleep(time.Hour)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		want := []time.Duration{0, time.Hour, 2 * time.Hour}
		if !slices.Equal(began[2], want) || !slices.Equal(began[3], want) ||
			!slices.Equal(began[1], []time.Duration{0, 2 * time.Hour}) {
			t.Errorf("sweeps began after %v, want %v, but for that of store 1 which took 90 minutes", began, want)
		}
	})
}

func nothing(context.Context, webhook.Delivery[webhook.Entity]) error { return nil }
