package rounds_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/internal/rounds"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// user is a loop over stores that the kernel drives.
type user struct {
	name   string
	passes int
	every  time.Duration // between two passes
	// run visits the stores until ctx ends, and returns the results if it has them.
	run func(ctx context.Context, t *testing.T, c *city) (visits func() map[client.ID]client.Visited)
}

// users are all users of the kernel.
var users = []user{
	{"Sweep", 4, webhook.DefaultEvery, sweep},
	{"Copies", 4, client.DefaultCopyEvery, copies},
	{"Registry", 3, 2 * discounts.DefaultTTL, carts}, // loads that hang have 10 s, and first loads 8 places
	{"Cashier", 4, payments.DefaultLease + 30*time.Second, cashier},
	{"Each", 1, 3 * time.Minute, each}, // sqlstore.Store.Reseal is a pass of it
}

// Stores of a city, by id. The bad ones are listed first.
const (
	stubborn = 32              // the last store whose visits hang until the end, whatever their contexts say
	hanging  = 64              // the last store whose visits hang
	failing  = hanging + 16    // the last store whose visits fail
	broken   = failing + 4     // the last store whose visits panic or end their goroutines
	all      = client.ID(1000) // stores
)

// city notes when each store is visited, and what is reported.
type city struct {
	release  chan struct{}
	start    time.Time
	mu       sync.Mutex
	visits   map[client.ID][]time.Duration
	active   map[client.ID]int
	reported map[client.ID]int
	twice    bool // a store had two visits at a time
}

var errDown = errors.New("down")

// visit is a visit of a store.
func (c *city) visit(ctx context.Context, store client.ID) error {
	c.mu.Lock()
	c.visits[store] = append(c.visits[store], time.Since(c.start))
	c.active[store]++
	c.twice = c.twice || c.active[store] > 1
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.active[store]--
	}()
	switch {
	case store <= stubborn:
		<-c.release
		return errDown
	case store <= hanging:
		<-ctx.Done()
		return ctx.Err()
	case store <= failing:
		return errDown
	case store <= broken && store%2 == 0:
		panic("no")
	case store <= broken:
		runtime.Goexit()
	}
	time.Sleep(10 * time.Millisecond)
	return nil
}

func (c *city) report(store client.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reported[store]++
}

func (c *city) stores(yield func(client.ID, error) bool) {
	for store := range all {
		if !yield(store+1, nil) {
			return
		}
	}
}

func sweep(ctx context.Context, t *testing.T, c *city) func() map[client.ID]client.Visited {
	in, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		t.Fatal(err)
	}
	s := &webhook.Sweep{
		Inbox: in,
		Stores: func(context.Context) (listed []client.ID, err error) {
			for store := range c.stores {
				listed = append(listed, store)
			}
			return listed, nil
		},
		Sources: []webhook.Source{{Event: webhook.ProductUpdated.Name,
			Since: func(ctx context.Context, store client.ID, _ time.Time) (webhook.Changes, error) {
				return unchanged{time.Now()}, c.visit(ctx, store)
			}}},
		OnFailure: func(_ context.Context, f *webhook.Failure) { c.report(f.StoreID) },
	}
	if err := s.Run(ctx); err != nil {
		t.Error(err)
	}
	return s.Visits
}

// unchanged is an empty list.
type unchanged struct{ mark time.Time }

func (unchanged) All(context.Context) iter.Seq2[string, error] {
	return func(func(string, error) bool) {}
}

func (u unchanged) Mark() time.Time { return u.mark }

func copies(ctx context.Context, t *testing.T, c *city) func() map[client.ID]client.Visited {
	all := &client.Copies{
		Stores: func(context.Context) iter.Seq2[client.ID, error] { return c.stores },
		Of: []func(context.Context, client.ID) (client.Copier, error){
			func(_ context.Context, store client.ID) (client.Copier, error) {
				return copier{city: c, store: store}, nil
			},
		},
		OnFailure: func(_ context.Context, store client.ID, _ error) { c.report(store) },
	}
	if err := all.Run(ctx); err != nil {
		t.Error(err)
	}
	return all.Visits
}

// copier is a copy whose run is a visit.
type copier struct {
	client.Copier
	city  *city
	store client.ID
}

func (c copier) Run(ctx context.Context) error { return c.city.visit(ctx, c.store) }

func (copier) Reconcile(context.Context) error { return nil }

// carts has a cart of each store every 20 s.
func carts(ctx context.Context, t *testing.T, c *city) func() map[client.ID]client.Visited {
	const secret = "the secret of the app"
	r := &discounts.PromotionCache{
		Load: func(ctx context.Context, store client.ID) ([]promotions.Promotion, error) {
			return []promotions.Promotion{{Name: "offer"}}, c.visit(ctx, store)
		},
		OnFailure: func(_ context.Context, f *discounts.Failure) { c.report(f.StoreID) },
	}
	h := &discounts.Handler{
		Plans:      discounts.Plans{LineItems: func(context.Context, *discounts.LinePlan) error { return nil }},
		Promotions: r, Secrets: []client.Secret{secret}, OnFailure: func(context.Context, *discounts.Failure) {},
	}
	var carts sync.WaitGroup
	for ctx.Err() == nil {
		for store := range all {
			body := fmt.Sprintf(`{"cart_id":"1","store_id":"%d","execution_tier":"line_item","currency":"ARS",`+
				`"products":[{"id":101,"price":"10.00","product_id":1,"variant_id":11,"quantity":3}],`+
				`"totals":{"subtotal":"30.00"},"promotions":[]}`, store+1)
			carts.Go(func() {
				r := httptest.NewRequest(http.MethodPost, "/carts", strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set(discounts.SignatureHeader, discounts.Sign(secret, []byte(body)))
				h.ServeHTTP(httptest.NewRecorder(), r)
			})
		}
		select {
		case <-time.After(20 * time.Second):
		case <-ctx.Done():
		}
	}
	carts.Wait()
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	return r.Visits
}

// cashier has an interrupted payment of each store, which was cancelled, so that nothing must be reported. When it is
// completed, there is another one.
func cashier(ctx context.Context, t *testing.T, c *city) func() map[client.ID]client.Visited {
	l := &interrupted{entries: map[string]payments.Entry{}}
	for store := range all {
		key := fmt.Sprintf("%04d", store+1)
		l.entries[key] = payments.Entry{Key: key, State: payments.StateBegun, Call: payments.CallProcess, Tries: 1,
			About: payments.About{StoreID: store + 1, PaymentAttemptID: client.Code(key)}, Request: []byte("{}")}
	}
	all := &payments.Cashier{
		Ledger: l,
		Charge: func(ctx context.Context, p payments.Payment) (in providers.TransactionInput, _ any, err error) {
			store, err := client.ParseID(p.Key)
			return in, nil, cmp.Or(err, c.visit(ctx, store), payments.ErrNotCharged)
		},
		Transactions: func(context.Context, client.ID) (*providers.TransactionService, error) { return nil, errDown },
		OnFailure:    func(_ context.Context, f *payments.Failure) { c.report(f.StoreID) },
	}
	if err := all.Run(ctx); err != nil {
		t.Error(err)
	}
	return all.Visits
}

// interrupted is a ledger of payments that are always open.
type interrupted struct {
	mu      sync.Mutex
	entries map[string]payments.Entry
}

func (l *interrupted) Begin(_ context.Context, e payments.Entry) (payments.Entry, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.entries[e.Key], false, nil
}

func (l *interrupted) Swap(_ context.Context, e payments.Entry) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.entries[e.Key].Version != e.Version {
		return false, nil
	}
	if e.Version++; !e.State.Open() {
		e.State, e.Tries = payments.StateBegun, 1
	}
	l.entries[e.Key] = e
	return true, nil
}

func (*interrupted) Find(_ context.Context, about payments.About) ([]payments.Entry, error) {
	return []payments.Entry{{State: payments.StateCancelled, Call: payments.CallCancel, About: about}}, nil
}

func (l *interrupted) Open(_ context.Context, after string, n int) (open []payments.Entry, _ error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(l.entries)) {
		if key > after && len(open) < n {
			open = append(open, l.entries[key])
		}
	}
	return open, nil
}

func each(ctx context.Context, _ *testing.T, c *city) func() map[client.ID]client.Visited {
	rounds.Each(ctx, 4, 10*time.Second, func(yield func(client.ID, func(context.Context) error) bool) {
		for store := range c.stores {
			if !yield(store, func(ctx context.Context) error { return c.visit(ctx, store) }) {
				return
			}
		}
	}, func(store client.ID, _ error) { c.report(store) })
	return nil
}

// 64 of 1,000 stores hang, half of them whatever their contexts say. 16 fail, and 4 panic or end their goroutines. Each
// of them is reported, and every other store is visited on time. A sweep once visited none of the others in a day.
func TestUsersVisitOnTime(t *testing.T) {
	for _, u := range users {
		t.Run(u.name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { onTime(t, u) }) })
	}
}

func onTime(t *testing.T, u user) {
	c := &city{release: make(chan struct{}), start: time.Now(), visits: map[client.ID][]time.Duration{},
		active: map[client.ID]int{}, reported: map[client.ID]int{}}
	ctx, stop := context.WithTimeout(t.Context(), time.Duration(u.passes)*u.every+u.every/2)
	defer stop()
	visits := u.run(ctx, t, c)
	c.mu.Lock()
	if c.twice {
		t.Error("a store had two visits at a time")
	}
	for store := client.ID(1); store <= all; store++ {
		switch healthy := store > broken; {
		case !healthy && c.reported[store] == 0:
			t.Errorf("store %d is not reported", store)
		case healthy && c.reported[store] > 0:
			t.Errorf("store %d is reported", store)
		case healthy:
			late(t, u, store, c.visits[store])
		case store <= stubborn && len(c.visits[store]) != 1:
			t.Errorf("store %d hangs, and was visited at %v", store, c.visits[store])
		}
	}
	c.mu.Unlock()
	if visits != nil {
		results(t, visits())
	}
	close(c.release)
	synctest.Wait()
}

// late verifies that a store was visited in each pass: within Every at first, and then at most two Every later.
func late(t *testing.T, u user, store client.ID, at []time.Duration) {
	due := u.every
	for i := 0; i < u.passes; i++ {
		if i >= len(at) || at[i] > due {
			t.Errorf("store %d was visited at %v, want visit %d until %v", store, at, i+1, due)
			return
		}
		due = at[i] + 2*u.every
	}
}

func results(t *testing.T, all map[client.ID]client.Visited) {
	for store, v := range all {
		switch {
		case store <= hanging && (!v.Good.IsZero() || !errors.Is(v.Err, context.DeadlineExceeded)):
		case store > hanging && store <= failing && (!v.Good.IsZero() || !errors.Is(v.Err, errDown)):
		case store > broken && (v.Good.IsZero() || v.Err != nil):
		default:
			continue
		}
		t.Errorf("store %d: %+v", store, v)
	}
	if len(all) != 1000 {
		t.Errorf("got results of %d stores, want 1000", len(all))
	}
}
