package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/commerceplatform/commerce-go/internal/condition"
)

// step is something that happens to a breaker or a limiter in a sequence.
type step struct {
	What string
	N    int
	Pass time.Duration // first
	Long int           // requests that are not over at the end, or the number of the endpoint
}

func (s step) String() string {
	return fmt.Sprintf("after %v: %d x %s, %d of them long", s.Pass, s.N, s.What, s.Long)
}

// inBubbles plays sequences of steps, each in a bubble of its own. play says where the
// subject of the test and its model differ.
func inBubbles(t *testing.T, steps *rapid.Generator[step], play func(log func(format string, args ...any), steps []step) error) {
	t.Helper()
	sequences, all := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		list := rapid.SliceOfN(steps, 1, 40).Draw(rt, "steps")
		sequences, all = sequences+1, all+len(list)
		var err error
		synctest.Test(t, func(*testing.T) { err = play(rt.Logf, list) })
		if err != nil {
			rt.Fatal(err)
		}
	})
	t.Logf("%d sequences of %d steps in all", sequences, all)
}

// fuse is the model of a breaker: what counts, in buckets of ten seconds of which the
// last six are looked at, and how it stands.
type fuse struct {
	state  string // closed, open or half
	since  time.Time
	counts map[int]*[2]int // by bucket since then: attempts and failures
	proven int
}

func (f *fuse) become(state string) {
	*f = fuse{state: state, since: time.Now(), counts: map[int]*[2]int{}}
}

// admits reports whether an attempt is made.
func (f *fuse) admits() bool {
	if f.state == "open" && time.Since(f.since) > 10*time.Second {
		f.become("half")
	}
	return f.state != "open"
}

// end counts an attempt, unless it is left out.
func (f *fuse) end(failed, out bool) {
	if out {
		return
	}
	if f.state == "half" {
		if f.proven++; failed {
			f.become("open")
		} else if f.proven == 3 {
			f.become("closed")
		}
		return
	}
	now := int(time.Since(f.since) / (10 * time.Second))
	if f.counts[now] == nil {
		f.counts[now] = &[2]int{}
	}
	f.counts[now][0]++
	if !failed {
		return
	}
	f.counts[now][1]++
	attempts, failures := 0, 0
	for bucket, n := range f.counts {
		if now-bucket < 6 {
			attempts, failures = attempts+n[0], failures+n[1]
		}
	}
	if attempts >= 20 && 2*failures >= attempts {
		f.become("open")
	}
}

// fuses is the model of a breaker: the fuse of the origin, and one of each endpoint that failed in the last minute.
type fuses struct {
	origin *fuse
	own    map[string]*fuse
	failed map[string]time.Time
}

// admits reports whether an attempt at an endpoint is made.
func (f *fuses) admits(at string) bool {
	if last, ok := f.failed[at]; ok && time.Since(last) > time.Minute {
		delete(f.own, at)
		delete(f.failed, at)
	}
	return (f.own[at] == nil || f.own[at].admits()) && f.origin.admits()
}

// end counts an attempt. What the way to the platform does is the origin's, a 500 is the endpoint's, and the origin's
// too if three endpoints failed in the last minute.
func (f *fuses) end(at, what string) {
	all := false
	if what == "500" {
		if f.failed[at] = time.Now(); f.own[at] == nil {
			f.own[at] = &fuse{}
			f.own[at].become("closed")
		}
		recent := 0
		for _, last := range f.failed {
			if time.Since(last) <= time.Minute {
				recent++
			}
		}
		all = recent >= 3
	}
	left := what == "cancelled" || what == "too late"
	way := what == "503" || what == "broken"
	f.origin.end(way || all, left || what == "500" && !all)
	if own := f.own[at]; own != nil {
		own.end(what == "500", left || way)
	}
}

// states says how the fuses of the origin and of an endpoint stand.
func (f *fuses) states(at string) string {
	if f.own[at] == nil {
		return f.origin.state
	}
	return f.origin.state + ", itself " + f.own[at].state
}

// TestModelOfBreaker compares the breaker with its model.
func TestModelOfBreaker(t *testing.T) {
	ends := map[string]func() (*http.Response, error){
		"200":       func() (*http.Response, error) { return &http.Response{StatusCode: 200}, nil },
		"404":       func() (*http.Response, error) { return &http.Response{StatusCode: 404}, nil },
		"429":       func() (*http.Response, error) { return &http.Response{StatusCode: 429}, nil },
		"500":       func() (*http.Response, error) { return &http.Response{StatusCode: 500}, nil },
		"503":       func() (*http.Response, error) { return &http.Response{StatusCode: 503}, nil },
		"broken":    func() (*http.Response, error) { return nil, ErrTruncated },
		"cancelled": func() (*http.Response, error) { return nil, &lostError{left: true, err: context.Canceled} },
		"too late":  func() (*http.Response, error) { return nil, &lostError{left: true, err: context.DeadlineExceeded} },
	}
	second := time.Second
	steps := rapid.Custom(func(t *rapid.T) step {
		return step{
			What: rapid.SampledFrom([]string{"503", "200", "500", "broken", "404", "429", "cancelled", "too late"}).Draw(t, "what"),
			N:    rapid.SampledFrom([]int{1, 2, 3, 9, 10, 19, 20, 25}).Draw(t, "n"),
			Long: rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3}).Draw(t, "endpoint"),
			Pass: rapid.SampledFrom([]time.Duration{0, 0, 0, second, 5 * second, 10 * second, 10*second + 1, 30 * second, 50 * second, time.Minute}).Draw(t, "pass"),
		}
	})
	opened := map[string]int{}
	inBubbles(t, steps, func(log func(string, ...any), steps []step) error {
		b, m := newBreaker(), &fuses{&fuse{}, map[string]*fuse{}, map[string]time.Time{}}
		m.origin.become("closed")
		for _, s := range steps {
			log("%v", s)
			time.Sleep(s.Pass)
			at := []string{"/a", "/b", "/c", "/d"}[s.Long]
			for i := range s.N {
				made := false
				_, err := b.do(nil, endpoint{"GET", at}, func(*http.Request) (*http.Response, error) { made = true; return ends[s.What]() })
				admitted := m.admits(at)
				if made != admitted || made == errors.Is(err, condition.ErrCircuitOpen) {
					return fmt.Errorf("attempt %d: made %v, %v; the model is %s and makes it: %v", i+1, made, err, m.states(at), admitted)
				}
				if !admitted {
					continue
				}
				before := m.states(at)
				if m.end(at, s.What); before != m.states(at) {
					log("%d attempts later it is %s", i+1, m.states(at))
					opened[m.states(at)]++
				}
			}
		}
		return nil
	})
	if opened["open"] == 0 || opened["closed, itself open"] == 0 {
		t.Errorf("%v: want that the origin opened, and an endpoint alone", opened)
	}
}
