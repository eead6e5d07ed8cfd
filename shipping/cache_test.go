package shipping

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// script is a function whose answers a test changes.
type script struct {
	calls atomic.Int64
	mu    sync.Mutex
	rates []Rate
	err   error
	takes time.Duration
	deaf  bool // to its context
}

func (s *script) set(rates []Rate, err error, takes time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rates, s.err, s.takes = rates, err, takes
}

func (s *script) do(ctx context.Context, _ Quote) ([]Rate, error) {
	s.calls.Add(1)
	s.mu.Lock()
	rates, err, takes := s.rates, s.err, s.takes
	s.mu.Unlock()
	if takes > 0 {
		quit := ctx.Done()
		if s.deaf {
			quit = nil
		}
		select {
		case <-time.After(takes):
		case <-quit:
			return nil, ctx.Err()
		}
	}
	return rates, err
}

// want posts the request and checks what it is answered.
func (p *probe) want(t *testing.T, body []byte, status int, from Source) {
	t.Helper()
	w := post(p, body)
	if a := p.last(); w.Code != status || a.Source != from {
		t.Errorf("got %d %s from %s (%v), want %d from %s", w.Code, w.Body, a.Source, a.Err, status, from)
	}
}

func TestStaleAnswers(t *testing.T) { synctest.Test(t, testStaleAnswers) }

func testStaleAnswers(t *testing.T) {
	body := document(t, "rate_request")
	s := &script{}
	p := newProbe(s.do, nil)
	s.set([]Rate{ship(t, "standard")}, nil, 0)
	p.want(t, body, 200, SourceCalled)
	time.Sleep(FreshTime)
	s.set(nil, errDown, 0)
	p.want(t, body, 200, SourceStale)
	if a := p.last(); !errors.Is(a.Err, errDown) || a.Rates != 1 {
		t.Errorf("told %+v", a)
	}
	s.set(nil, nil, time.Hour)
	p.want(t, body, 200, SourceStale)
	if a := p.last(); !errors.Is(a.Err, ErrLate) || a.Took != DefaultBudget-margin {
		t.Errorf("told %+v", a)
	}
	time.Sleep(StaleTime - FreshTime - DefaultBudget + margin)
	s.set(nil, errDown, 0)
	p.want(t, body, 503, SourceNobody)
	// A refusal is no failure: what is known to be wrong is not given instead of it.
	s.set([]Rate{ship(t, "standard")}, nil, 0)
	p.want(t, body, 200, SourceCalled)
	time.Sleep(FreshTime)
	s.set(nil, ErrNoCoverage, 0)
	p.want(t, body, 422, SourceNobody)
	time.Sleep(RefusalTime)
	s.set(nil, errDown, 0)
	p.want(t, body, 503, SourceNobody)
}

func TestWithoutCache(t *testing.T) { synctest.Test(t, testWithoutCache) }

func testWithoutCache(t *testing.T) {
	body := document(t, "rate_request")
	s := &script{}
	p := newProbe(s.do, func(h *Handler) { h.Fresh, h.Stale = -1, -1 })
	s.set([]Rate{ship(t, "standard")}, nil, 0)
	p.want(t, body, 200, SourceCalled)
	p.want(t, body, 200, SourceCalled)
	s.set(nil, ErrNoCoverage, 0)
	p.want(t, body, 422, SourceNobody)
	p.want(t, body, 422, SourceNobody)
	s.set(nil, errDown, 0)
	p.want(t, body, 503, SourceNobody)
}

func TestOneCallForEqualKeys(t *testing.T) { synctest.Test(t, testOneCallForEqualKeys) }

func testOneCallForEqualKeys(t *testing.T) {
	s := &script{}
	s.set([]Rate{ship(t, "standard")}, nil, time.Second)
	p := newProbe(s.do, nil)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * 10 * time.Millisecond)
			if w := post(p, with(t, "cart_id", fmt.Sprint(i))); w.Code != 200 {
				t.Errorf("got %d", w.Code)
			}
		})
	}
	wg.Wait()
	shared := 0
	for _, a := range p.answers {
		if a.Source == SourceShared {
			shared++
		}
	}
	if s.calls.Load() != 1 || shared != 49 {
		t.Errorf("%d calls, %d shared", s.calls.Load(), shared)
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := &cache{fresh: time.Hour, most: 3, mostBytes: 100}
	put := func(id byte, size int) {
		c.put(&entry{id: identity{id}, status: 200, body: make([]byte, size), at: time.Now()})
	}
	held := func() string {
		var all []string
		for id := range byte(9) {
			if _, ok := c.byID.Peek(identity{id}); ok {
				all = append(all, fmt.Sprint(id))
			}
		}
		return strings.Join(all, "")
	}
	for id := range byte(4) {
		put(id, 1)
	}
	if held() != "123" {
		t.Errorf("kept %s", held())
	}
	c.get(identity{1})
	put(4, 1)
	if held() != "134" {
		t.Errorf("kept %s, want the least recently used gone", held())
	}
	put(5, 99)
	if held() != "45" || c.bytes != 100 {
		t.Errorf("kept %s, %d bytes", held(), c.bytes)
	}
	put(4, 101)
	if held() != "5" || c.bytes != 99 || c.byID.Len() != 1 {
		t.Errorf("kept %s, %d bytes", held(), c.bytes)
	}
}

func TestRecheck(t *testing.T) { synctest.Test(t, testRecheck) }

func testRecheck(t *testing.T) {
	body := document(t, "rate_request")
	s := &script{}
	s.set([]Rate{ship(t, "standard")}, nil, 0)
	p := newProbe(s.do, func(h *Handler) { h.Recheck = 3 })
	p.want(t, body, 200, SourceCalled)
	for range 3 {
		p.want(t, body, 200, SourceCached)
		p.want(t, body, 200, SourceCached)
		p.want(t, body, 200, SourceCalled)
	}
	if len(p.failures()) > 0 {
		t.Errorf("reported %v", p.failures())
	}
	s.set([]Rate{ship(t, "express")}, nil, 0)
	for range 3 {
		post(p, body)
	}
	if f := p.failures(); len(f) != 1 || !errors.Is(f[0], ErrVolatile) {
		t.Errorf("reported %v", f)
	}
	s.set(nil, errDown, 0)
	for range 3 {
		if w := post(p, body); w.Code != 200 {
			t.Errorf("got %d, want what is in the cache", w.Code)
		}
	}
	synctest.Wait() // a failure is told after the answer
	if f := p.failures(); len(f) != 2 || !errors.Is(f[1], errDown) {
		t.Errorf("reported %v", f)
	}
	// Dates that the clock moves are no other answer, and other refusals are.
	p = newProbe(func(context.Context, Quote) ([]Rate, error) {
		r, err := DoorRate(Offer{Code: "standard", Name: "N", Price: client.Cents(100), Currency: "ARS", MinDelivery: time.Now().Add(time.Hour), MaxDelivery: time.Now().Add(24 * time.Hour)})
		return []Rate{r}, err
	}, func(h *Handler) { h.Recheck = 1 })
	for range 3 {
		p.want(t, body, 200, SourceCalled)
		time.Sleep(time.Minute)
	}
	if f := p.failures(); len(f) != 0 {
		t.Errorf("reported %v", f)
	}
	s.set(nil, ErrNoCoverage, 0)
	p = newProbe(s.do, func(h *Handler) { h.Recheck = 1 })
	post(p, body)
	s.set(nil, &Refusal{Code: "other"}, 0)
	post(p, body)
	if f := p.failures(); len(f) != 1 || !errors.Is(f[0], ErrVolatile) {
		t.Errorf("reported %v", f)
	}
}

// Whether an item has free shipping is not in the key, but an answer that is right only with it is
// not given to others from here.
func TestMerchantsPriceIsNotGivenToOthers(t *testing.T) {
	synctest.Test(t, testMerchantsPriceIsNotGivenToOthers)
}

func testMerchantsPriceIsNotGivenToOthers(t *testing.T) {
	cheaper, err := DoorRate(Offer{Code: "standard", Name: "N", Price: client.Cents(0), PriceMerchant: client.Set(client.Cents(900)), Currency: "ARS"})
	if err != nil {
		t.Fatal(err)
	}
	p := newProbe(always(cheaper, ship(t, "express")), nil)
	p.want(t, document(t, "rate_request"), 200, SourceCalled)
	if got := p.last().Rates; got != 2 {
		t.Errorf("%d rates with free shipping, want 2", got)
	}
	p.want(t, with(t, "items.1.free_shipping", false), 200, SourceCalled)
	if got := p.last().Rates; got != 1 {
		t.Errorf("%d rates without, want 1", got)
	}
	p.want(t, with(t, "store_id", 7), 200, SourceCalled) // nor are those of a store
}
