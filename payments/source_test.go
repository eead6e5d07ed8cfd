package payments

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/hooktest"
)

// An answer reports whether the function ran for its call, was joined, or its answer replayed.
func TestAnswerSource(t *testing.T) {
	keyOf()
	synctest.Test(t, func(t *testing.T) {
		s, c := &hooktest.Spans{T: t}, configured(new(failures))
		var mu sync.Mutex
		got := map[string]int{}
		c.OnStarted = s.Started
		c.OnAnswered = func(ctx context.Context, a Answer) {
			s.End(ctx)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case a.Ran && !a.Joined && !a.Repeated:
				got["ran"]++
			case !a.Ran && a.Joined && a.Repeated:
				got["joined"]++
			case !a.Ran && !a.Joined && a.Repeated:
				got["replayed"]++
			default:
				t.Errorf("%+v", a)
			}
		}
		h := &RefundHandler{Callback: c, Refund: func(context.Context, RefundRequest) error {
			time.Sleep(time.Second)
			return nil
		}}
		var calls []*http.Request
		for range 3 {
			calls = append(calls, signed(t, "POST", "/r", refund))
		}
		var all sync.WaitGroup
		for _, r := range calls[:2] {
			all.Go(func() { ask(h, r) })
		}
		all.Wait()
		ask(h, calls[2])
		s.Check(3)
		if got["ran"] != 1 || got["joined"] != 1 || got["replayed"] != 1 {
			t.Errorf("got %v, want one of each", got)
		}
	})
}

// A call whose equal one was answered between the look into the memory and the flight is not executed again.
func TestAnswerOfTheLastMoment(t *testing.T) {
	var r runs
	in := &received{id: callID{asked: [32]byte{1}, signed: [32]byte{2}, once: true, good: time.Now().Add(time.Hour)}}
	in.act = func(context.Context) (answer, error) {
		t.Error("the function was called again")
		return answer{}, nil
	}
	f, _ := r.flights.Join(in.id.asked, nil)
	r.memory.keep(in.id, answer{status: 202}, time.Now())
	if by := r.begin(t.Context(), f, in, time.Now().Add(time.Second)); by != replayed {
		t.Errorf("got an answer by %d, want that of the memory", by)
	}
	if a, err := f.Wait(t.Context()); a.status != 202 || err != nil {
		t.Errorf("got %+v, %v", a, err)
	}
}
