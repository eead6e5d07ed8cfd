package shipping

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// shelf is a SharedCache of a test. Values do not end, so that the handlers' own bounds show.
type shelf struct {
	mu      sync.Mutex
	values  map[string][]byte
	keeps   []time.Duration
	err     error
	gets    int
	spoiled []byte
}

func (s *shelf) Get(_ context.Context, key string) ([]byte, error) {
	s.mu.Lock()
	s.gets++
	defer s.mu.Unlock()
	if s.spoiled != nil {
		return s.spoiled, s.err
	}
	return s.values[key], s.err
}

func (s *shelf) Put(_ context.Context, key string, value []byte, keep time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if s.values == nil {
		s.values = map[string][]byte{}
	}
	s.values[key] = value
	s.keeps = append(s.keeps, keep)
	return nil
}

func (s *shelf) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// Another replica answers from what one has asked for, while it is fresh, and even when its own calls fail.
func TestReplicasShareRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := document(t, "rate_request")
		shared := &shelf{}
		set := func(h *Handler) { h.Shared = shared }
		one, two := &script{}, &script{}
		first, second := newProbe(one.do, set), newProbe(two.do, set)
		one.set([]Rate{ship(t, "standard")}, nil, 0)
		two.set(nil, errDown, 0)
		first.want(t, body, 200, SourceCalled)
		synctest.Wait()
		second.want(t, body, 200, SourceCached)
		if n := two.calls.Load(); n != 0 {
			t.Errorf("the second replica called its function %d times", n)
		}
		time.Sleep(FreshTime)
		third := newProbe(two.do, set) // it has nothing in memory
		third.want(t, body, 200, SourceStale)
		if n := two.calls.Load(); n != 1 {
			t.Errorf("the third replica called its function %d times, want 1", n)
		}
		one.set([]Rate{ship(t, "express")}, nil, 0)
		first.want(t, body, 200, SourceCalled)
		synctest.Wait()
		second.want(t, body, 200, SourceCached) // the newer answer, although it has an older one
		if got := post(second, body).Body.String(); got != post(first, body).Body.String() {
			t.Errorf("the second replica answers %s", got)
		}
		time.Sleep(StaleTime)
		newProbe(two.do, set).want(t, body, 503, SourceNobody)
		for _, keep := range shared.keeps {
			if keep != StaleTime {
				t.Errorf("put for %v, want %v", keep, StaleTime)
			}
		}
	})
}

// Refusals are shared for their minute, partial rates and failures never, and with Fresh and Stale off nothing is.
func TestWhatIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := document(t, "rate_request")
		shared := &shelf{}
		set := func(h *Handler) { h.Shared = shared }
		for _, test := range []struct {
			rates  []Rate
			err    error
			change func(h *Handler)
			keep   time.Duration
		}{
			{nil, ErrNoCoverage, set, RefusalTime},
			{[]Rate{ship(t, "standard")}, ErrPartial, set, 0},
			{nil, errDown, set, 0},
			{[]Rate{ship(t, "standard")}, nil, func(h *Handler) { h.Shared, h.Fresh, h.Stale = shared, -1, -1 }, 0},
		} {
			shared.change(func() { shared.values, shared.keeps = nil, nil })
			s := &script{}
			s.set(test.rates, test.err, 0)
			post(newProbe(s.do, test.change), body)
			synctest.Wait()
			shared.change(func() {
				if len(shared.keeps) > 1 || test.keep == 0 && len(shared.keeps) > 0 || test.keep > 0 && (len(shared.keeps) == 0 || shared.keeps[0] != test.keep) {
					t.Errorf("%v: put for %v, want %v", test.err, shared.keeps, test.keep)
				}
			})
		}
	})
}

// A cache that fails or is spoiled is reported, and is left alone for a second.
func TestSharedCacheFails(t *testing.T) {
	for name, spoil := range map[string]func(s *shelf){
		"error":  func(s *shelf) { s.err = errors.New("no database") },
		"spoilt": func(s *shelf) { s.spoiled = []byte(`{"status":302,"body":{}}`) },
		"empty":  func(s *shelf) { s.spoiled = []byte(`{}`) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				body := document(t, "rate_request")
				shared := &shelf{}
				spoil(shared)
				s := &script{}
				s.set([]Rate{ship(t, "standard")}, nil, 0)
				p := newProbe(s.do, func(h *Handler) { h.Shared, h.Fresh = shared, -1 })
				p.want(t, body, 200, SourceCalled)
				synctest.Wait()
				failed := p.failures()
				if len(failed) == 0 || !errors.Is(failed[0], ErrShared) || failed[0].StoreID == 0 {
					t.Fatalf("reported %v, want ErrShared with the store", failed)
				}
				if name == "spoilt" || name == "empty" {
					return // the cache itself works
				}
				p.want(t, body, 200, SourceCalled)
				if len(p.failures()) != len(failed) {
					t.Errorf("reported again: %v", p.failures())
				}
				shared.change(func() {
					if shared.gets != 1 {
						t.Errorf("asked %d times within a second", shared.gets)
					}
				})
				time.Sleep(sharedPause)
				shared.change(func() { shared.err = nil })
				p.want(t, body, 200, SourceCalled)
				synctest.Wait()
				if len(shared.values) != 1 {
					t.Errorf("%d values after it works again, want 1", len(shared.values))
				}
			})
		})
	}
}

// The clock of another replica may be wrong: an answer is never fresh for longer than Fresh from when it was read.
func TestSharedByAWrongClock(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	for ahead, want := range map[time.Duration]time.Duration{-time.Hour: -time.Hour, 24 * time.Hour: 0} {
		value := `{"status":200,"body":{"rates":[]},"rates":0,"began":"2020-01-01T00:00:00Z","at":"` + now.Add(ahead).UTC().Format(time.RFC3339) + `"}`
		e, err := readShared([]byte(value), now)
		if err != nil || e.at.Sub(now) != want {
			t.Errorf("a clock that is %v ahead: at %v from now, %v; want %v", ahead, e.at.Sub(now), err, want)
		}
	}
}

// The key of a quote is that of its request.
func TestQuoteKey(t *testing.T) {
	req, err := ReadRequest(document(t, "rate_request"))
	if err != nil {
		t.Fatal(err)
	}
	if q := req.Quote(); q.Key() != req.Key() {
		t.Errorf("the quote has the key %s, the request %s", q.Key(), req.Key())
	}
}
