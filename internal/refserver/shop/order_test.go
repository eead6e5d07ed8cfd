package shop_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// The order in which commands are executed is not guaranteed, and makes no difference.
func TestOrderOfExecution(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	turns := map[string]bool{}
	var first shop.View
	for seed := range uint64(20) {
		m := open(t)
		front := m.Storefront(m.store.ID, shop.Options{Seed: seed})
		a := m.app()
		var promotions []string
		for range 6 {
			promotions = append(promotions, a.promote("line_item"))
		}
		amounts := []string{"1.00", "3.10", "9.99", "4.05", "2.00", "7.77"}
		a.always("line_item", func(cart object) []object {
			var out []object
			for i, p := range promotions {
				out = append(out, offLines(p, specs("fixed", amounts[i]))(cart)...)
			}
			random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
			return out
		})
		cart := m.begin(front)
		m.add(front, cart, m.pot, 1)
		v := m.add(front, cart, m.mug, 1)
		var turn []int
		for _, c := range m.last(front).Commands {
			turn = append(turn, c.Turn)
		}
		turns[fmt.Sprint(turn)] = true
		if seed == 0 {
			first = v
		}
		if !reflect.DeepEqual(v, first) {
			t.Fatalf("seed %d: got %+v, want %+v", seed, v, first)
		}
	}
	if len(turns) < 10 {
		t.Errorf("%d orders in 20 runs: %v", len(turns), turns)
	}
}

// TestDiscountsAddUp plays random discounts and adds them up in integers of cents.
func TestDiscountsAddUp(t *testing.T) {
	const seed = 20250101
	random := rand.New(rand.NewPCG(seed, 0))
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	line, cross := a.promote("line_item"), a.promote("cross_items")
	var linePart, crossPart int64 // hundredths of a percent
	a.answer = func(cart object) (int, []object) {
		if cart["execution_tier"] == "line_item" {
			return http.StatusOK, offLines(line, specs("percentage", cents(linePart)))(cart)
		}
		return http.StatusOK, offCart(cross, specs("percentage", cents(crossPart)))(cart)
	}
	cart := m.begin(front)
	m.add(front, cart, m.mug, 1)
	potLine := m.add(front, cart, m.pot, 1).Lines[1].ID
	// part is a part in hundredths of a percent, half a cent up.
	part := func(of, hundredths int64) int64 { return (of*hundredths + 5000) / 10000 }
	for i := range 500 {
		linePart, crossPart = random.Int64N(10001), random.Int64N(10001)
		n := int64(2 + i)
		v, err := front.SetQuantity(t.Context(), cart, potLine, n)
		if err != nil {
			t.Fatal(err)
		}
		full := 1000 + 3333*n
		off := part(1000, linePart) + part(3333*n, linePart)
		off += part(full-off, crossPart)
		if want := decimal.New(off, -2); !v.Promotions.Equal(want) || !v.Total.Equal(decimal.New(full-off, -2)) {
			t.Fatalf("seed %d, %s %% and %s %% of %d pots: %s is taken off, want %s", seed, cents(linePart), cents(crossPart), n, v.Promotions, want)
		}
	}
}

func cents(n int64) string { return decimal.New(n, -2).StringFixed(2) }

// Carts are independent of each other; changes of one come one after the other.
func TestConcurrentChanges(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	p := a.promote("line_item")
	carts := []int64{m.begin(front), m.begin(front), m.begin(front)}
	var under [3]atomic.Int32
	if err := m.Partner(a.origin, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var cart object
		if err := json.NewDecoder(r.Body).Decode(&cart); err != nil {
			t.Error(err)
			return
		}
		of := &under[slices.Index(carts, parsed(cart["cart_id"]))]
		if of.Add(1) > 1 {
			t.Error("a cart was changed while another change of it was under way")
		}
		runtime.Gosched()
		if err := json.NewEncoder(w).Encode(object{"commands": offLines(p, specs("fixed", "1.00"))(cart)}); err != nil {
			t.Error(err)
		}
		of.Add(-1)
	})); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			if _, err := front.Add(t.Context(), carts[i%3], m.mug.ID, 1); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, cart := range carts {
		v, err := front.View(cart)
		if err != nil {
			t.Fatal(err)
		}
		m.wantTotals(v, "200.00", "1.00", "199.00")
	}
	if n := len(front.Runs()); n != 60 {
		t.Errorf("%d runs, want 60", n)
	}
	for i, r := range front.Runs() {
		if r.N != i+1 {
			t.Errorf("run %d has the number %d", i+1, r.N)
		}
	}
}

func parsed(id any) int64 {
	n, _ := strconv.ParseInt(fmt.Sprint(id), 10, 64)
	return n
}

// On the machine's clock, or that of a bubble, time is what it is.
func TestLateInRealTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := refserver.New(refserver.Options{Bucket: 1 << 30, Leak: 1 << 30})
		defer s.Close()
		store, err := s.AddStore(world.Store{ID: 1001, MainCurrency: "ARS"})
		if err != nil {
			t.Fatal(err)
		}
		m := &market{T: t, Server: s, store: store}
		m.update(func(tx *world.Tx) error { m.mug = article(tx, 11, "10.00"); return nil })
		a := m.app()
		p := a.promote("cross_items")
		a.always("cross_items", offCart(p, specs("fixed", "1.00")))
		takes := 799 * time.Millisecond
		if err := m.Partner(a.origin, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(takes):
				a.ServeHTTP(w, r)
			case <-r.Context().Done():
			}
		})); err != nil {
			t.Fatal(err)
		}
		front := m.Storefront(store.ID, shop.Options{})
		cart := m.begin(front)
		m.wantTotals(m.add(front, cart, m.mug, 1), "10.00", "1.00", "9.00")
		takes = 2 * time.Second
		begun := time.Now()
		m.wantTotals(m.add(front, cart, m.mug, 1), "20.00", "1.00", "19.00")
		r := m.last(front)
		if took := time.Since(begun); took != shop.Timeout || !r.Late || r.DecidedBy != "real" || r.Duration != shop.Timeout {
			t.Errorf("took %v: %+v", took, r)
		}
	})
}
