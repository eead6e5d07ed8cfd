package main

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// One process after the other is killed at its third request, and later ones at a later request, in turn while the
// request is on its way and while its answer is being written, until one ends by itself. The store changes in between.
func TestKilled(t *testing.T) {
	p := startPlatform(t, clienttest.Options{})
	shop := p.fill(t, 45, 25)
	for round := 0; ; round++ {
		if round > 60 {
			t.Fatal("no process ended by itself")
		}
		nth := int64(3 + round/2)
		before := p.query(t, "SELECT count(*) FROM products") + " " + p.query(t, "SELECT count(*) FROM orders")
		if !p.killedAt(t, nth, (round+round/2)%2 == 0) {
			break
		}
		p.complete(t, "products", shop.products)
		p.complete(t, "orders", shop.orders)
		t.Logf("killed at request %d: %s products and orders before, %s %s after", nth, before,
			p.query(t, "SELECT count(*) FROM products"), p.query(t, "SELECT count(*) FROM orders"))
		p.Clock().Advance(time.Hour)
		if _, err := shop.work(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	}
	p.equal(t)
}

// killedAt runs the program and kills it at its nth request, before or just when the answer comes. It returns false if
// the program ended by itself.
func (p *platform) killedAt(t *testing.T, nth int64, before bool) bool {
	t.Helper()
	var requests atomic.Int64
	reached := make(chan struct{})
	p.watch(func(r *http.Request) {
		if requests.Add(1) == nth && before {
			close(reached)
			<-r.Context().Done() // the process is dead
		}
	}, func(*http.Response) error {
		if requests.Load() == nth && !before {
			close(reached) // the answer races with the kill
		}
		return nil
	})
	defer p.watch(nil, nil)
	c, err := start(t.Context(), func(string) {}, p.environ())
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-reached:
		if err := c.kill(); err != nil {
			t.Fatal(err)
		}
		return true
	case <-c.ended:
		if c.err != nil {
			t.Fatal(c.err)
		}
		return false
	}
}

// complete fails the test if a record up to the cursor of a crawl is missing, or of all if the crawl is over.
func (p *platform) complete(t *testing.T, resource string, ids []client.ID) {
	t.Helper()
	m, err := openMirror(t.Context(), p.db)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.close() }()
	pass, err := m.pass(t.Context(), resource)
	if err != nil {
		t.Fatal(err)
	}
	there, err := m.ids(t.Context(), resource)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if pass.phase == crawling && id <= pass.cursor && !there[id] {
			t.Errorf("%s %d is missing although the cursor is %d", resource, id, pass.cursor)
		}
	}
	for id := range there {
		if pass.phase == crawling && id > pass.cursor {
			t.Errorf("%s %d is there although the cursor is %d", resource, id, pass.cursor)
		}
	}
}
