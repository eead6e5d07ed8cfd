package multistore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/oauth"
)

const copyEvery = 15 * time.Minute

// An outage of the platform's authorization loses no token, promotion, record or entry, is reported once by each
// replica, and a minute after it all is normal. Stores that remove the app during the outage or after it are treated as
// removed.
func TestProofAuthorizationOutage(t *testing.T) {
	stores, lasts := tier.Size[client.ID](100, 300, 1000), []time.Duration{time.Minute, time.Hour, 12 * time.Hour}
	for _, last := range lasts[:tier.Size(2, 2, 3)] {
		t.Run(last.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := &outage{shop: newShop(t, stores), removed: stores / 20}
				stop := o.start()
				defer stop()
				o.normal("before")
				o.during(last)
				o.after()
				o.removals()
				t.Logf("%d stores, %v, %d calls", stores, last, o.platform.called())
			})
		})
	}
}

// outage is the story of an outage. Of the stores, the first tenth gets late events although it has the app, the last
// ones remove the app during the outage, and as many before them remove it afterwards.
type outage struct {
	*shop
	removed  client.ID // number of stores that remove the app during the outage, and after it
	replicas [2]*replica
	lasting  bool // the outage
}

// keep reports whether a store keeps the app.
func (o *outage) keep(store client.ID) bool { return store <= o.stores-2*o.removed }

// start runs the parts of both replicas, as App.Serve does.
func (o *outage) start() (stop func()) {
	ctx, cancel := context.WithCancel(o.t.Context())
	var all sync.WaitGroup
	for i := range o.replicas {
		r := o.shop.replica()
		o.replicas[i] = r
		for _, run := range []func(context.Context) error{r.Worker.Run, r.Copies.Run, r.Install.KeepRetired} {
			all.Go(func() {
				if err := run(ctx); err != nil {
					o.t.Error(err)
				}
			})
		}
	}
	time.Sleep(5 * time.Minute)
	return func() {
		cancel()
		all.Wait()
		for _, r := range o.replicas {
			if err := r.Promotions.Close(); err != nil {
				o.t.Error(err)
			}
		}
	}
}

// carts sends a cart of each store to both replicas. It counts the stores that keep the app and get another answer than
// one of want. It fails if a store that keeps the app is answered 310.
func (o *outage) carts(when string, want ...int) (others int) {
	o.t.Helper()
	ended := 0
	for _, r := range o.replicas {
		for store := range o.all {
			got := r.cart(store)
			if o.keep(store) && got == discounts.StatusUninstalled {
				ended++
			}
			if o.keep(store) && !slices.Contains(want, got) {
				others++
			}
		}
	}
	if ended > 0 {
		o.t.Errorf("%s: %d carts are answered 310", when, ended)
	}
	return others
}

// normal fails unless carts have discounts and nothing was lost.
func (o *outage) normal(when string) {
	o.t.Helper()
	if others := o.carts(when, 200); others > 0 {
		o.t.Errorf("%s: %d carts have no discounts", when, others)
	}
	o.intact(when)
}

// intact fails if something was lost.
func (o *outage) intact(when string) {
	o.t.Helper()
	tokens, records := 0, 0
	for store := range o.all {
		if _, err := o.tokens.Load(o.t.Context(), store); err != nil && (o.lasting || o.keep(store)) {
			tokens++
		}
		if !o.mirrors[store].whole() {
			records++
		}
	}
	stats, err := o.inbox.Stats(o.t.Context())
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil || tokens+records+stats.Dead+len(o.lost)+len(o.redacted) > 0 {
		o.t.Errorf("%s: %d tokens retired, %d mirrors changed, %d entries dead, lost %q, redacted %v, %v",
			when, tokens, records, stats.Dead, o.lost, o.redacted, err)
	}
}

func (o *outage) deliver(r *replica, store client.ID, event string) {
	body := fmt.Sprintf(`{"store_id":%d,"event":%q,"id":7}`, store, event)
	if status, err := r.hooks.Deliver(o.t.Context(), []byte(body)); err != nil || status != 200 {
		o.t.Errorf("%s: status %d, %v", body, status, err)
	}
}

// during is the outage. Webhooks of all stores arrive after a third of it.
func (o *outage) during(last time.Duration) {
	began := time.Now()
	o.lasting = true
	o.platform.set(true)
	pause := max(20*time.Second, min(last/3, time.Hour))
	for round := 0; time.Since(began)+pause <= last; round++ {
		when := fmt.Sprint("in the outage after ", time.Since(began))
		if others := o.carts(when, 200, 204); others > 0 { // 200 with promotions that were loaded before it
			o.t.Errorf("%s: %d carts are answered neither 200 nor 204", when, others)
		}
		if round == 1 {
			o.events()
		}
		time.Sleep(pause)
		o.intact(when)
	}
	time.Sleep(last - time.Since(began))
	o.intact("at the end of the outage")
	for i, r := range o.replicas {
		if all := r.reported(); len(all) != 1 || !all[0].Ended.IsZero() {
			o.t.Errorf("replica %d reported %+v, want the begin of one outage", i, all)
		}
	}
}

func (o *outage) events() {
	for store := range o.all {
		r := o.replicas[store%2]
		switch {
		case o.keep(store):
			o.deliver(r, store, "order/paid")
			if store <= o.stores/10 {
				o.deliver(r, store, "app/uninstalled")
				o.deliver(r, store, "store/redact")
			}
		case store > o.stores-o.removed:
			o.platform.set(true, store)
			if store%2 == 0 { // the other events are lost
				o.deliver(r, store, "app/uninstalled")
			}
		}
	}
}

// after is the minute after the outage. At its end all is normal.
func (o *outage) after() {
	o.lasting = false
	o.platform.set(false)
	ended := time.Now()
	for time.Since(ended) < 50*time.Second {
		o.carts("after the outage")
		time.Sleep(10 * time.Second)
	}
	time.Sleep(time.Until(ended.Add(time.Minute)))
	o.normal("a minute after the outage")
	if n := o.unhandled(); n > 0 {
		o.t.Errorf("a minute after the outage: the entries of %d stores are not handled", n)
	}
	for i, r := range o.replicas {
		all := r.reported()
		if len(all) != 2 || all[1].Since != all[0].Since || all[1].Ended.Before(ended) {
			o.t.Errorf("replica %d reported %+v, want one outage and its end", i, all)
		}
	}
}

// unhandled counts the stores whose order/paid was not handled once.
func (o *outage) unhandled() (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for store := range o.all {
		if o.keep(store) && o.handled[store] != 1 {
			n++
		}
	}
	return n
}

// removals is the hour after the outage, in which other stores remove the app.
func (o *outage) removals() {
	for store := range o.all {
		if !o.keep(store) {
			o.platform.set(false, store)
		}
	}
	began := time.Now()
	last := map[client.ID]int{}
	for ; time.Since(began) < time.Hour; time.Sleep(5 * time.Minute) {
		for store := range o.all {
			last[store] = o.replicas[store%2].cart(store)
		}
	}
	for store := range o.all {
		_, err := o.tokens.Load(o.t.Context(), store)
		retired := errors.Is(err, oauth.ErrNotInstalled)
		want := 200
		if !o.keep(store) {
			want = discounts.StatusUninstalled
		}
		if retired == o.keep(store) || last[store] != want {
			o.t.Errorf("store %d, an hour later: retired %v, cart answered %d, want %d", store, retired, last[store], want)
		}
	}
	if stats, err := o.inbox.Stats(o.t.Context()); err != nil || stats.Pending+stats.Dead > 0 || len(o.lost) > 0 {
		o.t.Errorf("an hour after the outage: %+v, %v, lost %q; want no entry left", stats, err, o.lost)
	}
}
