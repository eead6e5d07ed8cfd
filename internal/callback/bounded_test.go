package callback_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// No more functions are in progress than MaxRuns, those included whose calls were answered without them. A call beyond
// them waits a moment for a place, is answered as one that is late, and reported once.
func TestRowsAreBounded(t *testing.T) {
	each(t, func(t *testing.T, r row) {
		if r.guarded {
			t.Log("an inbox and a queue are bounded by their guard")
			return
		}
		var p report
		a := &app{maxRuns: 2}
		p.watch(a)
		var calls atomic.Int32
		end := make(chan struct{})
		a.function = func(context.Context, client.ID) error { calls.Add(1); <-end; return nil }
		h := r.handler(a)
		for store := range 2 {
			q := r.request(t, client.ID(store+1), 0)
			go ask(h, q)
			synctest.Wait()
		}
		for _, rest := range []time.Duration{0, 2 * r.due} { // then nobody waits for the functions
			time.Sleep(rest)
			synctest.Wait()
			before, began := len(p.reported()), time.Now()
			status := ask(h, r.request(t, 3, int(rest)))
			isOK := status == r.ok && r.ok != r.failed
			if took := time.Since(began); calls.Load() != 2 || isOK || status != 0 && took > r.due/10 {
				t.Errorf("got %d after %v, with %d functions in progress", status, took, calls.Load())
			}
			synctest.Wait()
			isOther := func(err error) bool { return !errors.Is(err, callback.ErrBusy) }
			busy := slices.DeleteFunc(p.reported()[before:], isOther)
			if len(busy) != 1 || !strings.Contains(busy[0].Error(), "MaxRuns is 2") {
				t.Errorf("reported %v", p.reported())
			}
		}
		close(end)
		settled()
		if status := ask(h, r.request(t, 3, 9)); status != r.ok || calls.Load() != 3 {
			t.Errorf("after their end: got %d, %d calls", status, calls.Load())
		}
	})
}

// reported returns the failures so far.
func (p *report) reported() []error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.failures)
}
