package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Two replicas on PostgreSQL.
func TestOnPostgreSQL(t *testing.T) {
	t.Parallel()
	cluster, err := pgtest.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Stop)
	t.Run("killed after its transaction", func(t *testing.T) { killedAfterItsTransaction(t, emptyDatabase(t, cluster.URL())) })
	t.Run("story", func(t *testing.T) { story(t, emptyDatabase(t, cluster.URL()), 2) })
}

// One process on SQLite.
func TestOnSQLite(t *testing.T) {
	t.Parallel()
	t.Run("killed after its transaction", func(t *testing.T) { killedAfterItsTransaction(t, filepath.Join(t.TempDir(), "app.db")) })
	t.Run("story", func(t *testing.T) { story(t, filepath.Join(t.TempDir(), "app.db"), 1) })
}

// README: database of a test
// emptyDatabase makes a database on a server of PostgreSQL, drops it after the test, and returns its URL.
func emptyDatabase(t *testing.T, server string) string {
	t.Helper()
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("pgx", server) // by github.com/jackc/pgx/v5/stdlib
	if err != nil {
		t.Fatal(err)
	}
	address.Path = "/test_" + strings.ToLower(rand.Text())
	if _, err := db.ExecContext(t.Context(), "CREATE DATABASE "+address.Path[1:]); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, err := db.Exec("DROP DATABASE " + address.Path[1:] + " WITH (FORCE)")
		if err := errors.Join(err, db.Close()); err != nil {
			t.Error(err)
		}
	})
	return address.String()
}

// end

// story plays the life of an installation: install, copy, webhooks with a kill, carts, rates, an orderly end in the
// middle of a handler, uninstall and reinstall.
func story(t *testing.T, database string, replicas int) {
	w := newWorld(t, database)
	var living []*replica
	for range replicas {
		living = append(living, w.start())
	}
	s := &merchant{world: w}
	s.fill(40, 10)
	w.installs(replicas)
	w.until(w.equal)

	// A replica is killed while the store changes, and another one is started. The platform repeats lost deliveries.
	for range 3 {
		s.work()
	}
	w.kill(living[0])
	s.work()
	living = append(living[1:], w.start())
	s.work()
	w.deliveredAgain()
	w.once(webhook.ProductDeleted.Name)
	if replicas > 1 && len(slices.Compact(slices.Sorted(slices.Values(w.front.by("POST /hooks"))))) < 2 {
		t.Errorf("one replica got all webhooks: %v", w.front.by("POST /hooks"))
	}

	shop := w.platform.Shop(clienttest.ShopOptions{Stragglers: 2 * replicas})
	var baskets []*clienttest.Basket
	for range 4 {
		baskets = append(baskets, w.givesOneGift(shop, s))
	}
	w.quotes()
	s.replacesTag("gift", "present")
	s.replacesTag("present", "gift")

	for _, r := range living[1:] {
		r.Terminate(t)
		r.Wait(t)
		w.front.remove(r.address)
	}
	w.drains(living[0], s)
	s.work() // without a replica
	living = nil
	for range replicas {
		living = append(living, w.start())
	}
	w.deliveredAgain()

	w.uninstalls(living, baskets[0], shop)
	s.reinstall(replicas)
	w.until(w.equal)
	w.givesOneGift(shop, s)
	for range 2 {
		s.work()
	}
	w.deliveredAgain()
	w.once(webhook.ProductDeleted.Name)
	for _, r := range living {
		r.Terminate(t)
	}
	for _, r := range living {
		r.Wait(t)
	}
	stats, err := w.inbox.Stats(t.Context())
	w.must(err)
	if stats.Dead > 0 || stats.Pending > 0 {
		t.Errorf("got %+v, want no delivery dead or pending", stats)
	}
	w.must(w.equal(t.Context()))
}

// installs lets the merchant install the app. With two replicas, one begins it and another one ends it.
func (w *world) installs(replicas int) {
	w.t.Helper()
	end, shown := w.visit("/oauth/callback")
	if end != "/" || !strings.Contains(shown, "Store "+w.platform.StoreID().String()) {
		w.t.Fatalf("the browser ends at %s: %s", end, shown)
	}
	visits := w.front.by("GET /oauth/callback")
	if replicas > 1 && visits[len(visits)-2] == visits[len(visits)-1] {
		w.t.Errorf("begun and ended by one replica: %v", visits)
	}
	hooks, err := v202503.Webhooks(w.client).List(client.WebhookFilter{}).Collect(w.t.Context())
	w.must(err)
	promotions, err := v202503.Promotions(w.client).List().Collect(w.t.Context())
	w.must(err)
	carriers, err := v202503.Carriers(w.client).List().Collect(w.t.Context())
	w.must(err)
	if len(hooks) != len(w.app.Events.Names()) || len(promotions) != 1 || len(carriers) != 1 {
		w.t.Errorf("%d webhooks, %d promotions, %d carriers; want %d, 1 and 1", len(hooks), len(promotions), len(carriers), len(w.app.Events.Names()))
	}
}

// deliveredAgain waits until the platform has repeated unanswered deliveries, all are handled and the copy is complete.
func (w *world) deliveredAgain() {
	w.t.Helper()
	w.until(func(ctx context.Context) error {
		if err := w.quiet(ctx); err != nil {
			w.platform.Clock().Advance(time.Hour)
			return err
		}
		return w.equal(ctx)
	})
}

// once fails the test if an event had its effect more than once. A signal that the platform repeats may have it again,
// and events that update a copy are signals unless they delete.
func (w *world) once(event webhook.Name) {
	w.t.Helper()
	facts, err := w.query(w.t.Context(), "SELECT key, runs FROM handled WHERE event = '"+string(event)+"'")
	w.must(err)
	for key, runs := range facts {
		if runs != "1" {
			w.t.Errorf("%s was handled %s times", key, runs)
		}
	}
	if len(facts) == 0 {
		w.t.Errorf("no %s was handled", event)
	}
}

// givesOneGift fills a cart with two gifts and something else: one piece of the cheaper one is free.
func (w *world) givesOneGift(shop *clienttest.Shop, s *merchant) *clienttest.Basket {
	w.t.Helper()
	ctx := w.t.Context()
	basket, err := shop.NewCart(clienttest.Visitor{})
	w.must(err)
	var cart clienttest.Cart
	for _, p := range []*client.Product{s.gifts[0], s.gifts[1], s.plain} {
		cart, err = basket.Add(ctx, p.Variants[0].ID, 2)
		w.must(err)
	}
	w.until(func(ctx context.Context) error {
		if len(cart.Discounts) == 1 && cart.Discounts[0].Amount.Equal(client.MustMoney("5.00")) && cart.Promotions.Equal(client.MustMoney("5.00")) {
			return nil
		}
		failed := fmt.Errorf("discounts %+v, want one of 5.00", cart.Discounts)
		line := cart.Lines[2] // a busy machine answers late, which keeps the cart as it was
		changed, err := basket.SetQuantity(ctx, line.ID, line.Quantity+1)
		if err == nil {
			cart = changed
		}
		return errors.Join(failed, err)
	})
	return basket
}

// replacesTag changes the tag of gifts on the page, and a job gives it to their products.
func (s *merchant) replacesTag(before, after string) {
	s.t.Helper()
	answer, err := s.browser.PostForm(public+"/offer", url.Values{"tag": {after}, "rename": {"1"}})
	s.must(err)
	s.must(answer.Body.Close())
	s.until(func(ctx context.Context) error {
		for _, gift := range s.gifts {
			p, err := v202503.Products(s.client).Get(ctx, gift.ID)
			if err != nil {
				return err
			}
			if tags := p.TagList(); !slices.Contains(tags, after) || slices.Contains(tags, before) {
				return fmt.Errorf("product %d has the tags %q, want %s", p.ID, tags, after)
			}
		}
		want := fmt.Sprintf("%s → %s: 2 of 2 products are changed.", before, after)
		if _, shown := s.visit("/"); !strings.Contains(shown, want) {
			return fmt.Errorf("the page does not show %q: %s", want, shown)
		}
		return s.equal(ctx) // otherwise the next job would have no products
	})
}

// quotes asks for rates at the checkout.
func (w *world) quotes() {
	w.t.Helper()
	for grams, want := range map[int]string{400: "13.50", 1400: "15.00"} {
		quote, err := w.platform.Quote(w.t.Context(), clienttest.Parcel{
			To:    clienttest.ShippingAddress{Country: "AR", PostalCode: "2000"},
			Items: []clienttest.ParcelItem{{ID: 1, ProductID: 1, Name: "Mug", Quantity: 1, Grams: grams, Price: client.MustMoney("20.00")}},
		})
		w.must(err)
		if len(quote.Options) != 2 || quote.Options[0].Price.String() != want || quote.Options[1].Price.String() != "3.00" {
			w.t.Errorf("%d g: %+v, %+v, want options of %s and 3.00", grams, quote.Options, quote.Calls, want)
		}
	}
}

// drains ends the last replica while a handler waits for the API. The handler's next call succeeds, and its delivery
// ends.
func (w *world) drains(last *replica, s *merchant) {
	w.t.Helper()
	w.until(w.quiet)
	w.must(w.platform.Fault(clienttest.Fault{Operation: "GET /products/{id}", Count: 1, Delay: time.Minute, Status: http.StatusServiceUnavailable}))
	s.rename(s.plain)
	leased := func(want int) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			stats, err := w.inbox.Stats(ctx)
			if err == nil && stats.Leased != want {
				err = fmt.Errorf("%d handlers run, want %d", stats.Leased, want)
			}
			return err
		}
	}
	w.until(leased(1))
	last.Terminate(w.t)
	w.until(func(ctx context.Context) error { // it accepts no more connections
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, last.address+"/readyz", nil)
		w.must(err)
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			return nil
		}
		_ = answer.Body.Close()
		return fmt.Errorf("status %d, want a closed server", answer.StatusCode)
	})
	w.front.remove(last.address)
	w.must(leased(1)(w.t.Context()))
	w.platform.Clock().Advance(time.Minute) // the API fails the call, and the client repeats it
	last.Wait(w.t)
	w.must(w.quiet(w.t.Context()))
	w.must(w.equal(w.t.Context()))
}

// uninstalls lets the merchant uninstall the app, after which all replicas leave the store alone.
func (w *world) uninstalls(living []*replica, basket *clienttest.Basket, shop *clienttest.Shop) {
	w.t.Helper()
	store := w.platform.StoreID()
	w.must(w.platform.Uninstall())
	w.until(func(ctx context.Context) error {
		known, err := w.app.Tokens.Known(ctx, store)
		if known {
			err = errors.New("the token is stored")
		}
		rows, failed := w.query(ctx, "SELECT id, name FROM product UNION ALL SELECT id, status FROM purchase "+
			"UNION ALL SELECT store, job FROM commerce_job")
		if len(rows) > 0 {
			err = fmt.Errorf("%d records are left", len(rows))
		}
		return errors.Join(err, failed, w.quiet(ctx))
	})
	if _, shown := w.visit("/"); strings.Contains(shown, "Store") {
		w.t.Errorf("the merchant is signed in: %s", shown)
	}
	before, cart := len(shop.Runs()), must(basket.Cart())
	for _, r := range living {
		w.front.only(r.address)
		cart = must(basket.SetQuantity(w.t.Context(), cart.Lines[2].ID, cart.Lines[2].Quantity+1))
	}
	w.front.only()
	for _, r := range living {
		w.front.add(r.address)
	}
	runs := shop.Runs()[before:]
	if len(runs) < len(living) {
		w.t.Errorf("%d carts were sent, want %d", len(runs), len(living))
	}
	for _, r := range runs {
		if r.Status != discounts.StatusUninstalled {
			w.t.Errorf("a cart was answered %d, %s: want %d", r.Status, r.Outcome, discounts.StatusUninstalled)
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// merchant changes the store.
type merchant struct {
	*world
	gifts    []*client.Product // the cheaper one first
	plain    *client.Product
	products []client.ID
	orders   []client.ID
	n        int
}

func (s *merchant) product(price, tags string) *client.Product {
	s.t.Helper()
	s.n++
	p, err := v202503.Products(s.client).Create(s.t.Context(), client.ProductInput{
		Name: client.Text{"es": fmt.Sprintf("Cosa %d", s.n)}, Tags: client.Set(tags),
		Variants: []client.VariantInput{{Price: client.Set(client.MustMoney(price))}},
	})
	s.must(err)
	return p
}

func (s *merchant) order() {
	s.t.Helper()
	o, err := v202503.Orders(s.client).Create(s.t.Context(), client.OrderInput{
		Products: []client.OrderProductInput{{VariantID: s.plain.Variants[0].ID, Quantity: 1}},
		Customer: client.OrderCustomerInput{Name: "Ana Paz", Email: "ana@example.com"},
	})
	s.must(err)
	s.orders = append(s.orders, o.ID)
}

func (s *merchant) rename(p *client.Product) {
	s.t.Helper()
	s.n++
	_, err := v202503.Products(s.client).Update(s.t.Context(), p.ID, client.ProductInput{Name: client.Text{"es": fmt.Sprintf("Otra %d", s.n)}})
	s.must(err)
}

func (s *merchant) fill(products, orders int) {
	s.t.Helper()
	s.gifts = []*client.Product{s.product("5.00", "gift"), s.product("7.00", "new,gift")}
	s.plain = s.product("30.00", "")
	for range products {
		s.products = append(s.products, s.product("10.00", "").ID)
	}
	for range orders {
		s.order()
	}
}

// work changes the store in each way.
func (s *merchant) work() {
	s.t.Helper()
	for range 3 {
		s.products = append(s.products, s.product("12.00", "").ID)
		s.order()
		s.rename(s.plain)
	}
	s.must(v202503.Products(s.client).Delete(s.t.Context(), s.products[0]))
	_, err := v202503.Orders(s.client).Cancel(s.t.Context(), s.orders[0], client.OrderCancel{})
	s.must(err)
	s.products, s.orders = s.products[1:], s.orders[1:]
}

// reinstall installs the app again, with another token.
func (s *merchant) reinstall(replicas int) {
	s.t.Helper()
	s.installs(replicas)
	in, err := s.app.Tokens.Load(s.t.Context(), s.platform.StoreID())
	s.must(err)
	access, err := webhook.ProbeBy(s.app.Stores.Client)(s.t.Context(), in.StoreID)
	if err != nil || access.Access != webhook.AccessActive {
		s.t.Errorf("with the new token: %+v, %v", access, err)
	}
}
