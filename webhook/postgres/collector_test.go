package postgres

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// TestGroups: calls that come while a group is being committed wait for each other, and not for a group that is slow.
func TestGroups(t *testing.T) {
	t.Parallel()
	type add struct {
		calls int
		after time.Duration
	}
	for name, tt := range map[string]struct {
		takes time.Duration // each group
		adds  []add
		sizes []int
		begun []time.Duration // in milliseconds
	}{
		"one after the other": {10, []add{{1, 0}, {1, 20}}, []int{1, 1}, []time.Duration{0, 20}},
		"together":            {10, []add{{40, 0}}, []int{40}, []time.Duration{0}},
		"beside a single one": {10, []add{{1, 0}, {1, 5}, {1, 6}}, []int{1, 1, 1}, []time.Duration{0, 5, 10}},
		"too few":             {10, []add{{40, 0}, {19, 5}}, []int{40, 19}, []time.Duration{0, 10}},
		"as many as half":     {10, []add{{40, 0}, {19, 5}, {1, 6}}, []int{40, 20}, []time.Duration{0, 6}},
		"half of the last":    {10, []add{{40, 0}, {20, 5}, {10, 11}}, []int{40, 20, 10}, []time.Duration{0, 5, 11}},
		"beside a slow one":   {1000, []add{{40, 0}, {3, 5}, {1, 150}}, []int{40, 3, 1}, []time.Duration{0, 100, 200}},
		"more than fit":       {10, []add{{600, 0}}, []int{512, 88}, []time.Duration{0, 10}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var c collector[*call]
				c.came = make(chan struct{}, 1)
				var mu sync.Mutex
				var sizes []int
				var begun []time.Duration
				start := time.Now()
				store := func(group []*call) {
					mu.Lock()
					sizes, begun = append(sizes, len(group)), append(begun, time.Since(start)/time.Millisecond)
					mu.Unlock()
					time.Sleep(tt.takes * time.Millisecond)
				}
				ctx, stop := context.WithCancel(t.Context())
				var running sync.WaitGroup
				for i, a := range tt.adds {
					time.Sleep(time.Until(start.Add(a.after * time.Millisecond)))
					for range a.calls {
						c.add(&call{ctx: ctx, entries: make([]webhook.Entry, 1)})
					}
					if i == 0 {
						running.Go(func() { c.run(ctx, &running, store) })
					}
					synctest.Wait()
				}
				time.Sleep(5 * time.Second)
				stop()
				running.Wait()
				if !slices.Equal(sizes, tt.sizes) || !slices.Equal(begun, tt.begun) {
					t.Errorf("got groups of %v begun at %v ms, want %v at %v", sizes, begun, tt.sizes, tt.begun)
				}
			})
		})
	}
}
