package rules

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// of returns a request of a store.
func of(t *testing.T, store int) []byte {
	return bytes.Replace(about(t, DomainCart), []byte(`"1001"`), fmt.Appendf(nil, "%d", store), 1)
}

// The functions of one store hang, and requests of other stores are answered at once.
func TestOneStoreHangs(t *testing.T) {
	for _, hung := range []int{DefaultMaxRuns, 4 * DefaultMaxRuns} {
		synctest.Test(t, func(t *testing.T) {
			end := make(chan struct{})
			p := newProbe(t, func(h *Handler) {
				h.Cart = func(_ context.Context, r *Request) (Verdict, error) {
					if r.StoreID == 1 {
						<-end
					}
					return VerdictBlock, nil
				}
			})
			var all sync.WaitGroup
			for range hung {
				all.Go(func() { post(t.Context(), p, of(t, 1)) })
			}
			synctest.Wait()
			for store := range 20 {
				began := time.Now()
				if w := post(t.Context(), p, of(t, 2+store)); w.Code != 200 || time.Since(began) > 0 {
					t.Errorf("%d functions of a store hang: another store was answered %d after %v", hung, w.Code, time.Since(began))
				}
			}
			all.Wait()
			close(end)
			synctest.Wait()
		})
	}
}

// Failures of a store are one line of the log a minute for each kind of error, with the number of those in between.
func TestFailuresInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		p := newProbe(t, func(h *Handler) {
			h.OnFailure, h.Logger = nil, slog.New(slog.NewTextHandler(&log, nil))
			h.Cart = func(context.Context, *Request) (Verdict, error) { return 7, nil }
		})
		for range 2 {
			for range 100 {
				post(t.Context(), p, of(t, 1))
				post(t.Context(), p, of(t, 2))
				post(t.Context(), p, []byte("{"))
			}
			time.Sleep(time.Minute)
		}
		if lines, since := strings.Count(log.String(), "\n"), strings.Count(log.String(), "not_logged=99"); lines != 6 || since != 3 {
			t.Errorf("%d lines, %d with the number of failures that were left out; want 6 and 3:\n%s", lines, since, log.String())
		}
	})
}
