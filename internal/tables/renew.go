package tables

import (
	"context"
	"time"
)

// renew renews a claim that was made at start, four times in each term, until its context ends. It calls lost, once or
// more often, if no renewal succeeds for three quarters of the term, or if renew reports that the claim has passed to
// another process. An error of renew is tried again at the next tick.
func renew(ctx context.Context, start time.Time, term time.Duration,
	again func(context.Context) (bool, error), lost func(),
) {
	every := term / 4
	late := time.AfterFunc(3*every-time.Since(start), lost)
	defer late.Stop()
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		start := time.Now()
		limited, stop := context.WithTimeout(ctx, every)
		ours, err := again(limited)
		stop()
		switch {
		case err != nil:
		case !ours:
			lost()
			return
		default:
			late.Reset(3*every - time.Since(start))
		}
	}
}
