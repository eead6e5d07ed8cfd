package callback

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A call is left at the deadline of its caller if that is before the limit, and its context ends shortly before.
func TestGuardedHasADeadline(t *testing.T) {
	for name, tt := range map[string]struct{ left, want time.Duration }{
		"none":             {0, time.Second},
		"after the limit":  {time.Minute, time.Second},
		"before the limit": {300 * time.Millisecond, 300 * time.Millisecond},
		"past":             {-time.Second, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx := t.Context()
			if tt.left != 0 {
				due := WithDeadline(ctx, time.Now().Add(tt.left))
				defer due.End()
				ctx = due
			}
			began, ended := time.Now(), make(chan time.Duration, 1)
			release := make(chan struct{})
			_, err := Guarded(ctx, NewGuard(time.Second), "Cache", func(ctx context.Context) (int, error) {
				<-ctx.Done()
				ended <- time.Since(began)
				<-release
				return 1, nil
			})
			if took := time.Since(began); !errors.Is(err, ErrHangs) || !strings.HasPrefix(err.Error(), "Cache: ") || took != tt.want {
				t.Errorf("deadline %s: left after %v with %v, want ErrHangs of Cache after %v", name, took, err, tt.want)
			}
			if at := <-ended; at != tt.want*9/10 {
				t.Errorf("deadline %s: the context ended after %v, want %v", name, at, tt.want*9/10)
			}
			close(release)
		})
	}
}
