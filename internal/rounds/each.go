package rounds

import (
	"context"
	"iter"
	"sync"
	"time"
)

// Each visits each listed store once, a number of them at a time. A visit ends after the limit. Failed is called with
// each failure, sequentially. Each returns when ctx or the list has ended and all visits have returned, or were ended.
func Each[K comparable](
	ctx context.Context, places int, limit time.Duration,
	list iter.Seq2[K, func(context.Context) error], failed func(key K, err error),
) {
	visits := Visits[K]{Limit: limit}
	taken := make(chan struct{}, places)
	var mu sync.Mutex
	for key, visit := range list {
		select {
		case taken <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		var once sync.Once // the visit is over when it ends, or when it is late
		over := func(err error) {
			once.Do(func() {
				<-taken
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					failed(key, err)
				}
			})
		}
		visits.Start(ctx, key, Work{Run: visit, Late: over, Ended: func(o Outcome) { over(o.Err) }})
	}
	visits.Wait(limit)
}
