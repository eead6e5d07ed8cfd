package traffic

import (
	"testing"
	"time"
)

func TestBucket(t *testing.T) {
	var l Limiter
	now := time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)
	k := Key{App: 1, Store: 2}
	accepted := 0
	for range 50 {
		if _, ok := l.Take(k, StandardRate(), now); ok {
			accepted++
		}
	}
	if accepted != 40 {
		t.Errorf("50 at once: %d accepted, want 40", accepted)
	}
	for _, step := range []struct {
		after     time.Duration
		ok        bool
		remaining int
		reset     time.Duration
	}{
		{499 * time.Millisecond, false, 0, 19501 * time.Millisecond},
		{time.Millisecond, true, 0, 20 * time.Second},
		{0, false, 0, 20 * time.Second},
		{5 * time.Second, true, 9, 15500 * time.Millisecond},
		{time.Hour, true, 39, 500 * time.Millisecond},
		{-time.Hour, true, 38, time.Second}, // a clock that goes back empties nothing
	} {
		now = now.Add(step.after)
		st, ok := l.Take(k, StandardRate(), now)
		if ok != step.ok || st.Remaining != step.remaining || (st.Reset-step.reset).Abs() > time.Millisecond {
			t.Errorf("after %v: got %v %+v, want %+v", step.after, ok, st, step)
		}
	}
	if st, ok := l.Take(Key{App: 1, Store: 3}, StandardRate().Times(10), now); !ok || st.Limit != 400 || st.Remaining != 399 {
		t.Errorf("another store on a top plan: got %v %+v", ok, st)
	}
}
