package discounts_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts"
)

// table is a record of withdrawals that outlives the replicas.
type table struct {
	mu  sync.Mutex
	all map[client.ID][]uuid.UUID
}

func (w *table) Withdraw(_ context.Context, store client.ID, promotion uuid.UUID) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[client.ID][]uuid.UUID{}
	}
	w.all[store] = append(w.all[store], promotion)
	return nil
}

func (w *table) Withdrawn(_ context.Context, store client.ID) ([]uuid.UUID, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.all[store]), nil
}

// fleet is an app of two replicas in two stores, of which the platform asks one and then the other.
type fleet struct {
	*testing.T
	platform *clienttest.Server
	table    *table
	stores   [2]*counter
	replicas [2]atomic.Pointer[discounts.Handler]
	turn     atomic.Int64
	failures atomic.Int64
}

// counter is one of the stores, with a customer's cart.
type counter struct {
	*clienttest.Server
	client   *client.Client
	shop     *clienttest.Shop
	basket   *clienttest.Basket
	variant  client.ID
	quantity int
	seen     int // of the shop's runs
}

const lineOffer, cartOffer = "Line offer", "Cart offer"

func openFleet(t *testing.T) *fleet {
	f := &fleet{T: t, platform: clienttest.New(t), table: &table{}}
	second, err := f.platform.AddStore(5005)
	if err != nil {
		t.Fatal(err)
	}
	for i, server := range []*clienttest.Server{f.platform, second} {
		f.stores[i] = &counter{Server: server, client: server.Client(), quantity: 1}
	}
	for i := range f.replicas {
		f.start(i)
	}
	if err := f.platform.Partner("https://carts.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.replicas[f.turn.Add(1)%2].Load().ServeHTTP(w, r)
	})); err != nil {
		t.Fatal(err)
	}
	for _, c := range f.stores {
		f.promote(c)
		p, err := v202503.Products(c.client).Create(t.Context(), client.ProductInput{Name: client.Text{"en": "Mug"},
			Variants: []client.VariantInput{{Price: client.Set(client.Cents(1000))}}})
		if err != nil {
			t.Fatal(err)
		}
		c.variant = p.Variants[0].ID
		c.shop = c.Shop(clienttest.ShopOptions{Stragglers: 4})
		if c.basket, err = c.shop.NewCart(clienttest.Visitor{}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.basket.Add(t.Context(), c.variant, 1); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		for i := range f.replicas {
			_ = f.cache(i).Close()
		}
	})
	return f
}

// promote has the app create its promotions, as after an installation.
func (f *fleet) promote(c *counter) {
	for name, tier := range map[string]promotions.Tier{lineOffer: promotions.TierLineItems,
		cartOffer: promotions.TierCrossItems} {
		if _, err := v202503.Promotions(c.client).Create(f.Context(), promotions.Input{Name: name, Tier: tier,
			Active: client.Set(true)}); err != nil {
			f.Fatal(err)
		}
	}
	if err := v202503.Discounts(c.client).Set(f.Context(), "https://carts.example/carts"); err != nil {
		f.Fatal(err)
	}
}

// start starts a replica with an empty memory; the one before it, if any, is gone as if it was killed.
func (f *fleet) start(i int) {
	ten, err := discounts.BasisPoints(1000)
	if err != nil {
		f.Fatal(err)
	}
	h := &discounts.Handler{
		Guarded: true,
		Promotions: &discounts.PromotionCache{Judge: &client.Judge{FirstRefusal: true}, Withdrawals: f.table, Load: func(
			ctx context.Context, store client.ID,
		) ([]promotions.Promotion, error) {
			for _, c := range f.stores {
				if c.StoreID() != store {
					continue
				}
				all, err := v202503.Promotions(c.client).List().Collect(ctx)
				if errors.Is(err, client.ErrUnauthorized) {
					err = discounts.ErrUninstalled
				}
				return all, err
			}
			return nil, fmt.Errorf("there is no store %d", store)
		}},
		Plans: discounts.Plans{
			LineItems: func(_ context.Context, p *discounts.LinePlan) error {
				if offer, ok := p.Named(lineOffer); ok {
					for _, line := range p.Lines() {
						p.Discount(offer, line, ten)
					}
				}
				return nil
			},
			CrossItems: func(_ context.Context, p *discounts.CrossPlan) error {
				if offer, ok := p.Named(cartOffer); ok {
					p.Discount(offer, ten)
				}
				return nil
			},
		},
		OnFailure: func(_ context.Context, failure *discounts.Failure) {
			f.failures.Add(1)
			f.Errorf("reported %v", failure)
		},
	}
	if old := f.replicas[i].Swap(h); old != nil {
		_ = old.Promotions.Close()
	}
}

func (f *fleet) cache(i int) *discounts.PromotionCache { return f.replicas[i].Load().Promotions }

// change changes the cart of a store, and returns it. None of the answers may cost it its discounts, or the store its
// promotions.
func (f *fleet) change(name string, c *counter) clienttest.Cart {
	f.Helper()
	cart, err := c.basket.Cart()
	if err != nil {
		f.Fatal(err)
	}
	c.quantity = c.quantity%5 + 1
	cart, err = c.basket.SetQuantity(f.Context(), cart.Lines[0].ID, c.quantity)
	if err != nil {
		f.Fatal(err)
	}
	runs := c.shop.Runs()
	for _, r := range runs[c.seen:] {
		if r.Outcome == "removed" || r.Outcome == "uninstalled" {
			f.Errorf("%s: store %d, %s: status %d, %s: %s", name, c.StoreID(), r.Tier, r.Status, r.Outcome, r.Reason)
		}
	}
	c.seen = len(runs)
	return cart
}

// expect changes the carts of all stores some times, and compares the discounts that they have, by name.
func (f *fleet) expect(name string, times int, want ...string) {
	f.Helper()
	for range times {
		for i, c := range f.stores {
			var got []string
			for _, d := range f.change(name, c).Discounts {
				got = append(got, d.Name)
			}
			slices.Sort(got)
			if all := strings.Join(got, ", "); all != want[i] {
				f.Errorf("%s: the cart of store %d has %q, want %q", name, c.StoreID(), all, want[i])
			}
		}
	}
}

func (f *fleet) id(c *counter, name string) uuid.UUID {
	for p, err := range v202503.Promotions(c.client).List().All(f.Context()) {
		if err != nil {
			f.Fatal(err)
		}
		if p.Name == name {
			return p.ID
		}
	}
	return uuid.Nil
}

// Two replicas, of which the second is never notified of anything, through the deletion of a promotion, kill -9, the
// end of an installation and another one: no cart loses a discount that is still in force, and no promotion is ended.
func TestProofTwoReplicasOneDeaf(t *testing.T) { synctest.Test(t, testProofTwoReplicasOneDeaf) }

func testProofTwoReplicasOneDeaf(t *testing.T) {
	const both = cartOffer + ", " + lineOffer
	f := openFleet(t)
	first, quiet := f.stores[0], f.stores[1]
	f.expect("at first", 6, both, both)

	// The deletion of a promotion, during which the replica that withdraws it is killed.
	withdraw := func(ctx context.Context) <-chan error {
		done := make(chan error, 1)
		id := f.id(first, lineOffer)
		go func() { done <- f.cache(0).Withdraw(ctx, first.StoreID(), v202503.Promotions(first.client), id) }()
		return done
	}
	ctx, kill := context.WithCancel(t.Context())
	killed := withdraw(ctx)
	for range 60 {
		time.Sleep(time.Second)
		f.change("while a promotion is withdrawn", first)
		f.change("while a promotion is withdrawn elsewhere", quiet)
	}
	kill()
	if err := <-killed; !errors.Is(err, context.Canceled) || f.id(first, lineOffer) == uuid.Nil {
		t.Fatalf("killed: %v", err)
	}
	f.start(0)
	done := withdraw(t.Context())
	for running := true; running; {
		time.Sleep(500 * time.Millisecond)
		f.change("while a promotion is withdrawn again", first)
		select {
		case err := <-done:
			if running = false; err != nil {
				t.Fatal(err)
			}
		default:
		}
	}
	if f.id(first, lineOffer) != uuid.Nil {
		t.Error("the promotion is still there")
	}
	f.expect("deleted", 6, cartOffer, both)
	time.Sleep(3 * time.Minute)
	f.expect("deleted some time ago", 6, cartOffer, both)

	// The end of an installation, of which the first replica is notified, twice.
	if err := first.Uninstall(); err != nil {
		t.Fatal(err)
	}
	f.cache(0).Uninstall(first.StoreID())
	f.expect("uninstalled", 2, "", both)
	statuses := map[int]int{}
	for _, r := range first.shop.Runs()[len(first.shop.Runs())-4:] {
		statuses[r.Status]++
	}
	if statuses[discounts.StatusUninstalled] == 0 {
		t.Errorf("carts of a store that uninstalled the app are answered %v", statuses)
	}
	time.Sleep(5 * time.Second)
	if _, err := first.Install(); err != nil {
		t.Fatal(err)
	}
	f.cache(0).Install(first.StoreID())
	if err := f.cache(0).Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.promote(first)
	f.expect("installed again", 6, both, both)
	f.cache(0).Uninstall(first.StoreID()) // a late delivery
	f.expect("a late notification", 6, both, both)

	for i := range f.replicas {
		f.start(i)
		f.expect("killed", 6, both, both)
	}
	if n := f.failures.Load(); n > 0 {
		t.Errorf("%d failures", n)
	}
}

// A store that is installed again at once, where the promotions are loaded for the first time after that.
func TestReinstallThatAReplicaMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const both = cartOffer + ", " + lineOffer
		f := openFleet(t)
		first := f.stores[0]
		if err := first.Uninstall(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Minute)
		f.expect("uninstalled", 2, "", both) // both replicas find out by themselves
		if _, err := first.Install(); err != nil {
			t.Fatal(err)
		}
		f.promote(first)
		f.expect("installed again", 6, both, both) // and that it is installed again
	})
}
