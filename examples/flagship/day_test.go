package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
)

var daySeed = flag.Uint64("day.seed", 0, "the seed of TestProofDay; 0 is a random one")

// TestProofDay simulates days of virtual time with buyers, faults, killed replicas, an uninstallation and another
// installation. Afterwards the copy equals the store, no order has two gifts, no deletion was missed and no delivery is
// dead. It prints its seed, and takes an hour in make soak.
func TestProofDay(t *testing.T) {
	seed := *daySeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("to repeat: -day.seed=%d", seed)
	if least := tier.Size(0, 0, time.Hour); least > 0 {
		for n, end := uint64(0), time.Now().Add(least); time.Now().Before(end); n++ {
			t.Run(fmt.Sprint("seed ", seed+n), func(t *testing.T) { days(t, seed+n) })
		}
		return
	}
	t.Parallel()
	days(t, seed)
}

// days are a day of one process on SQLite and, except in make test, one of two replicas on PostgreSQL.
func days(t *testing.T, seed uint64) {
	if tier.Size(false, true, true) {
		t.Run("PostgreSQL", func(t *testing.T) {
			cluster, err := pgtest.Start(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(cluster.Stop)
			newDay(t, emptyDatabase(t, cluster.URL()), 2, seed).run()
		})
	}
	t.Run("SQLite", func(t *testing.T) {
		newDay(t, filepath.Join(t.TempDir(), "app.db"), 1, seed).run()
	})
}

// day is a day of a store.
type day struct {
	*merchant
	rng      *rand.Rand
	shop     *clienttest.Shop
	replicas int
	living   []*replica
	bought   map[client.ID]client.Money // what promotions took off, by order
	buyers   []buyer                    // since the last installation
	erased   []client.ID                // likewise
	erasures int

	installed bool
	kills     int
	faults    int
}

type buyer struct{ customer, order client.ID }

func newDay(t *testing.T, database string, replicas int, seed uint64) *day {
	d := &day{
		merchant: &merchant{world: newWorld(t, database)}, rng: rand.New(rand.NewPCG(seed, uint64(replicas))),
		replicas: replicas, bought: map[client.ID]client.Money{},
	}
	d.shop = d.platform.Shop()
	for range replicas {
		d.living = append(d.living, d.start())
	}
	d.fill(20, 5)
	d.installs(replicas)
	d.installed = true
	return d
}

func (d *day) run() {
	for hour := range 24 {
		switch {
		case hour == 10:
			d.leave()
		case hour == 12:
			d.mustKnow(false)
			d.platform.EndFaults() // otherwise the merchant might have to install again
			d.installs(d.replicas)
			d.installed = true
			fallthrough
		case hour < 10 || hour > 12:
			d.open(hour)
		}
		d.mayKill()
		d.platform.Clock().Advance(time.Hour)
		d.must(d.platform.Settle(d.t.Context()))
	}
	d.platform.EndFaults()
	d.close()
}

// open is an hour in which the store has the app.
func (d *day) open(hour int) {
	d.t.Helper()
	if d.rng.IntN(2) == 0 {
		d.disturb()
	}
	d.buy()
	d.mayKill()
	d.change()
	if hour == 5 || hour == 20 {
		d.askForData(d.buyers[0].customer)
	}
	if hour == 6 || hour == 21 {
		d.erase(d.buyers[0])
	}
}

// disturb makes some of the app's next reads fail.
func (d *day) disturb() {
	operations := []string{"GET /products", "GET /orders", "GET /products/{id}", "GET /orders/{id}", "GET /promotions"}
	fault := clienttest.Fault{Operation: operations[d.rng.IntN(len(operations))], Count: 1 + d.rng.IntN(3)}
	switch d.rng.IntN(3) {
	case 0:
		fault.Status = http.StatusServiceUnavailable
	case 1:
		fault.Reset = true
	case 2:
		fault.Truncate = true
	}
	d.must(d.platform.Fault(fault))
	d.faults++
}

// mayKill kills a replica, as a power failure would, and starts another one.
func (d *day) mayKill() {
	if d.rng.IntN(8) > 0 {
		return
	}
	i := d.rng.IntN(len(d.living))
	d.kill(d.living[i])
	if d.rng.IntN(2) == 0 && d.installed { // so that deliveries meet no replica, or one less
		d.change()
		d.must(d.platform.Settle(d.t.Context()))
	}
	d.living[i] = d.start()
	d.kills++
}

// buy fills a cart with two gifts and something else, and buys it.
func (d *day) buy() {
	d.t.Helper()
	ctx := d.t.Context()
	basket := d.givesOneGift(d.shop, d.merchant)
	to := clienttest.ShippingAddress{Address: "Mitre", Number: "742", City: "Rosario", Country: "AR", PostalCode: "2000"}
	d.until(func(ctx context.Context) error { // the courier may be the replica that was killed
		quote, err := basket.Quote(ctx, to)
		if err == nil && len(quote.Options) == 0 {
			err = fmt.Errorf("no rates: %+v", quote.Calls)
		}
		return err
	})
	quote, err := basket.Quote(ctx, to)
	d.must(err)
	d.n++
	bought, err := basket.Buy(ctx, clienttest.Purchase{
		Contact: clienttest.Contact{Name: "Ana Paz", Email: fmt.Sprintf("ana%d@mail.example", d.n)},
		Rate:    quote.Options[0].Choice(),
	})
	d.must(err)
	d.bought[bought.OrderID] = bought.Promotions
	d.buyers = append(d.buyers, buyer{bought.CustomerID, bought.OrderID})
}

// change changes the store in each way.
func (d *day) change() {
	d.t.Helper()
	d.products = append(d.products, d.product("12.00", "").ID)
	d.order()
	d.rename(d.plain)
	d.must(v202503.Products(d.client).Delete(d.t.Context(), d.products[0]))
	_, err := v202503.Orders(d.client).Cancel(d.t.Context(), d.orders[0], client.OrderCancel{})
	d.must(err)
	d.products, d.orders = d.products[1:], d.orders[1:]
}

// askForData asks for the data of a customer. The merchant downloads it and answers.
func (d *day) askForData(customer client.ID) {
	d.t.Helper()
	d.until(func(ctx context.Context) error { // the order was copied
		rows, err := d.query(ctx, fmt.Sprint("SELECT id, total FROM purchase WHERE customer = ", customer))
		if err == nil && len(rows) == 0 {
			err = fmt.Errorf("customer %d has no purchase", customer)
		}
		d.platform.Clock().Advance(time.Minute) // for deliveries that a killed replica did not answer
		return errors.Join(err, d.platform.Settle(ctx))
	})
	d.must(d.platform.RequestCustomerData(customer))
	path := fmt.Sprint("/data-requests/", customer) // the platform numbers requests by customers
	var file struct {
		Purchases []struct {
			Order client.ID `json:"order"`
			Gift  string    `json:"gift"`
		} `json:"purchases"`
	}
	d.until(func(ctx context.Context) error {
		d.platform.Clock().Advance(time.Minute)
		d.must(d.platform.Settle(ctx))
		_, shown := d.visit(path)
		if err := json.Unmarshal([]byte(shown), &file); err != nil {
			return err
		}
		if len(file.Purchases) == 0 {
			return errors.New("the file has no purchase")
		}
		return nil
	})
	for _, p := range file.Purchases {
		if want := d.bought[p.Order]; want.String() != p.Gift {
			d.t.Errorf("the file of customer %d has order %d with a gift of %q, want %s", customer, p.Order, p.Gift, want)
		}
	}
	answer, err := d.browser.PostForm(public+path+"/answered", nil)
	d.must(err)
	d.must(answer.Body.Close())
	if _, shown := d.visit(path); answer.StatusCode != http.StatusOK || shown == "" {
		d.t.Errorf("after the answer: %d %s", answer.StatusCode, shown)
	}
}

// erase has a customer's data deleted, and changes the order afterwards.
func (d *day) erase(b buyer) {
	d.t.Helper()
	d.must(d.platform.RedactCustomer(b.customer))
	d.must(d.platform.Settle(d.t.Context()))
	_, err := v202503.Orders(d.client).Update(d.t.Context(), b.order, client.OrderUpdate{OwnerNote: client.Set("Sent")})
	d.must(err)
	d.erased, d.erasures = append(d.erased, b.customer), d.erasures+1
	d.buyers = d.buyers[1:]
}

// nobodyErased returns nil if the app stores nothing about customers who were erased.
func (d *day) nobodyErased(ctx context.Context) error {
	for _, customer := range d.erased {
		rows, err := d.query(ctx, fmt.Sprint("SELECT id, status FROM purchase WHERE customer = ", customer))
		if err == nil && len(rows) > 0 {
			err = fmt.Errorf("erased customer %d has %v", customer, rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leave uninstalls the app, while deliveries are in progress. It first waits for the erasures, and then forgets them:
// unlike the platform, the reference server keeps erased customers, so the next installation copies them again.
func (d *day) leave() {
	d.t.Helper()
	d.until(func(ctx context.Context) error {
		d.platform.Clock().Advance(time.Minute)
		return errors.Join(d.platform.Settle(ctx), d.nobodyErased(ctx))
	})
	d.must(d.platform.Uninstall())
	d.buyers, d.erased, d.installed = nil, nil, false
}

// mustKnow waits until the token of the store is stored, or deleted together with all records.
func (d *day) mustKnow(known bool) {
	d.t.Helper()
	d.until(func(ctx context.Context) error {
		d.platform.Clock().Advance(time.Minute)
		d.must(d.platform.Settle(ctx))
		got, err := d.app.Tokens.Known(ctx, d.platform.StoreID())
		rows, failed := d.query(ctx, "SELECT id, name FROM product UNION ALL SELECT id, status FROM purchase")
		if got != known || !known && len(rows) > 0 {
			err = fmt.Errorf("the token is stored: %v, %d records; want %v", got, len(rows), known)
		}
		return errors.Join(err, failed)
	})
}

// close compares the tables of the app with the platform.
func (d *day) close() {
	d.t.Helper()
	ctx := d.t.Context()
	d.deliveredAgain()
	d.once(webhook.ProductDeleted.Name)
	for _, r := range d.living {
		r.Terminate(d.t)
	}
	for _, r := range d.living {
		r.Wait(d.t)
	}
	stats, err := d.inbox.Stats(ctx)
	d.must(err)
	if stats.Dead > 0 || stats.Pending > 0 {
		d.t.Errorf("got %+v, want no delivery dead or pending", stats)
	}
	d.must(d.equal(ctx))
	gifts, orders := 0, 0
	for o, err := range v202503.Orders(d.client).List(client.OrderFilter{}).All(ctx) {
		d.must(err)
		orders++
		off := o.PromotionalDiscount.V.TotalDiscountAmount
		if off.Cmp(client.Cents(0)) > 0 {
			gifts++
		}
		if off.Cmp(client.Cents(500)) > 0 || !off.Equal(d.bought[o.ID]) {
			d.t.Errorf("order %d has promotions of %s: want %s, and one gift of 5.00 at most", o.ID, off, d.bought[o.ID])
		}
	}
	d.must(d.nobodyErased(ctx))
	if gifts == 0 || len(d.erased) == 0 || d.erasures < 2 {
		d.t.Errorf("%d gifts and %d erasures: the day proves nothing", gifts, d.erasures)
	}
	d.t.Logf("%d replicas: %d orders, %d gifts, %d kills, %d faults, %d deliveries, %d customers erased",
		d.replicas, orders, gifts, d.kills, d.faults, len(d.platform.Deliveries()), d.erasures)
}
