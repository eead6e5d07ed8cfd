package inboxshards_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxshards"
)

var errDown = errors.New("the server is down")

// ill is a shard whose calls fail, or hang until their context ends.
type ill struct {
	inboxshards.Engine
	mu    sync.Mutex
	fails bool
	hangs bool
}

func (i *ill) set(fails, hangs bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.fails, i.hangs = fails, hangs
}

func (i *ill) state(ctx context.Context) error {
	i.mu.Lock()
	fails, hangs := i.fails, i.hangs
	i.mu.Unlock()
	if hangs {
		<-ctx.Done()
		return ctx.Err()
	}
	if fails {
		return errDown
	}
	return nil
}

func (i *ill) Accept(ctx context.Context, all ...webhook.Entry) ([]webhook.Outcome, error) {
	if err := i.state(ctx); err != nil {
		return nil, err
	}
	return i.Engine.Accept(ctx, all...)
}

func (i *ill) Lease(ctx context.Context, q webhook.LeaseQuery) ([]webhook.Lease, error) {
	if err := i.state(ctx); err != nil {
		return nil, err
	}
	return i.Engine.Lease(ctx, q)
}

func (i *ill) Wait(ctx context.Context, q webhook.LeaseQuery, d time.Duration) error {
	if err := i.state(ctx); err != nil {
		return err
	}
	return i.Engine.Wait(ctx, q, d)
}

func (i *ill) Stats(ctx context.Context) (webhook.Stats, error) {
	if err := i.state(ctx); err != nil {
		return webhook.Stats{}, err
	}
	return i.Engine.Stats(ctx)
}

// A shard that fails or hangs affects its stores only. The app gets one report when it begins and one when it ends.
func TestShardThatIsDown(t *testing.T) {
	for name, hangs := range map[string]bool{"fails": false, "hangs": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { shardIsDown(t, hangs) })
		})
	}
}

func shardIsDown(t *testing.T, hangs bool) {
	sick := &ill{Engine: memory(t, 0)}
	var reports []string
	in, err := inboxshards.Open(t.Context(), inboxshards.Options{
		Shards: []inboxshards.Shard{{Name: "a", Inbox: sick}, {Name: "b", Inbox: memory(t, 0)}},
		OnDown: func(shard string, err error) { reports = append(reports, fmt.Sprint(shard, " is down: ", err != nil)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	var ran sync.Map
	var handlers webhook.Registry
	webhook.On(&handlers, webhook.ProductUpdated, func(_ context.Context, e webhook.Delivery[webhook.Entity]) error {
		ran.Store(e.StoreID, time.Now())
		return nil
	})
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() {
		if err := (&webhook.Worker{Inbox: in, Registry: &handlers}).Run(ctx); err != nil {
			t.Error(err)
		}
	})
	sick.set(!hangs, hangs)
	refused := map[client.ID]bool{}
	for store := client.ID(1); store <= 40; store++ {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		began := time.Now()
		_, err := in.Accept(ctx, handlers.Entry("app", "", fmt.Appendf(nil, `{"store_id":%d,"event":"product/updated","id":1}`, store)))
		cancel()
		refused[store] = err != nil
		if err != nil && !strings.Contains(err.Error(), `shard "a"`) {
			t.Errorf("store %d: %v, want the name of the shard", store, err)
		}
		time.Sleep(time.Second)
		if at, handled := ran.Load(store); handled == (err != nil) || handled && at.(time.Time).Sub(began) > time.Second {
			t.Errorf("store %d: accepted %t, handled %t after %v", store, err == nil, handled, at)
		}
	}
	soon, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := in.Stats(soon); err == nil || !strings.Contains(err.Error(), `shard "a"`) {
		t.Errorf("Stats: %v, want the name of the shard", err)
	}
	sick.set(false, false)
	time.Sleep(5 * time.Second)
	for store, was := range refused {
		if !was {
			continue
		}
		body := fmt.Appendf(nil, `{"store_id":%d,"event":"product/updated","id":1}`, store)
		if _, err := in.Accept(t.Context(), handlers.Entry("app", "", body)); err != nil {
			t.Errorf("store %d after the outage: %v", store, err)
		}
		time.Sleep(3 * time.Second)
		if _, handled := ran.Load(store); !handled {
			t.Errorf("store %d is not handled after the outage", store)
		}
	}
	stop()
	work.Wait()
	if got, want := strings.Join(reports, ", "), "a is down: true, a is down: false"; got != want {
		t.Errorf("reports %q, want %q", got, want)
	}
}
