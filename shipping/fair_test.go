package shipping

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// The functions of one store hang, and requests of other stores are answered at once, for rates and for labels. A store
// whose labels hung took the places of all others.
func TestOneStoreHangs(t *testing.T) {
	const stores = 20
	storeOf := func(r *http.Request) client.ID {
		id, _ := strconv.ParseInt(strings.Split(r.URL.Path, "/")[1], 10, 64)
		return client.ID(id)
	}
	for name, handler := range map[string]func(hang hanging) (http.Handler, asking, int){
		"rates": func(hang hanging) (http.Handler, asking, int) {
			return &Handler{
				Rates: func(_ context.Context, q Quote) ([]Rate, error) {
					hang(q.StoreID)
					return []Rate{ship(t, "standard")}, nil
				},
				Access: Access{Guarded: true}, OnFailure: func(context.Context, *Failure) {},
			}, func(store client.ID, n int) (string, []byte) { return "/rates", of(store, fmt.Sprint(n%2), n) }, 200
		},
		"labels with StoreOf": func(hang hanging) (http.Handler, asking, int) {
			h, path := labelsOf(hang)
			h.StoreOf = storeOf
			return h, func(store client.ID, n int) (string, []byte) { return path(store, n), refs(firstLabel) }, 204
		},
		"labels without StoreOf": func(hang hanging) (http.Handler, asking, int) {
			h, path := labelsOf(hang)
			return h, func(store client.ID, _ int) (string, []byte) { return path(store, 0), refs(firstLabel) }, 204
		},
	} {
		for _, hung := range []int{64, 2 * DefaultMaxRuns} {
			synctest.Test(t, func(t *testing.T) {
				h, request, status := handler(func(store client.ID) {
					if store == 1 {
						time.Sleep(time.Hour)
					}
				})
				ask := func(store client.ID, n int) int {
					path, body := request(store, n)
					return postTo(h, path, body).Code
				}
				var all sync.WaitGroup
				for n := range hung {
					all.Go(func() { ask(1, n) })
				}
				time.Sleep(10 * time.Millisecond)
				for n := range stores {
					began := time.Now()
					if code := ask(client.ID(2+n), n); code != status || time.Since(began) > 0 {
						t.Errorf("%s, %d calls of a store hang: another store was answered %d after %v", name, hung, code, time.Since(began))
					}
				}
				all.Wait()
				time.Sleep(2 * time.Hour)
			})
		}
	}
}

// hanging is what functions do first, for a store.
type hanging func(store client.ID)

// asking returns the path and the body of the nth request of a store.
type asking func(store client.ID, n int) (string, []byte)

type pathKey struct{}

// labelsOf returns a handler of labels whose function hangs for the store of its URL, and that URL.
func labelsOf(hang hanging) (*LabelHandler, func(store client.ID, n int) string) {
	h := &LabelHandler{
		Generate: func(context.Context, []Label) ([]LabelFailure, error) { return nil, nil },
		Cancel: func(ctx context.Context, _ []LabelRef) ([]LabelFailure, error) {
			path, _ := ctx.Value(pathKey{}).(string)
			id, _ := strconv.ParseInt(strings.Split(path, "/")[1], 10, 64)
			hang(client.ID(id))
			return nil, nil
		},
		Access: Access{Guarded: true}, OnFailure: func(context.Context, *Failure) {},
		OnStarted: func(ctx context.Context, r *http.Request) context.Context {
			return context.WithValue(ctx, pathKey{}, r.URL.Path)
		},
	}
	return h, func(store client.ID, n int) string { return fmt.Sprintf("/%d/%d/cancel", store, n) }
}

// Requests that find no place do not count against the function.
func TestBusyIsNoFailureOfTheFunction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{deaf: true}
		s.set([]Rate{ship(t, "standard")}, nil, time.Second)
		p := newProbe(s.do, func(h *Handler) { h.MaxRuns = 1 })
		var wg sync.WaitGroup
		for n := range 5 * upstreamRequests {
			wg.Go(func() { post(p, of(1, "7", n)) })
		}
		wg.Wait()
		if calls := s.calls.Load(); calls != 1 {
			t.Errorf("%d calls, want one at a time", calls)
		}
		s.set([]Rate{ship(t, "standard")}, nil, 0)
		for n := range 5 { // more than a breaker that is half open allows
			p.want(t, of(1, "7", 1000+n), 200, SourceCalled)
		}
	})
}

// A call whose client disconnects is still shared with the requests that come then, and its outcome counts when it is
// late, as that of any other.
func TestCallsOfClientsThatDisconnect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{deaf: true}
		s.set(nil, nil, time.Hour)
		p := newProbe(s.do, nil)
		for n := range upstreamRequests {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Millisecond, cancel)
			serve(p, httptest.NewRequestWithContext(ctx, http.MethodPost, "/rates", bytes.NewReader(of(1, "7", n))))
		}
		var wg sync.WaitGroup
		wg.Go(func() { post(p, of(1, "7", 0)) })
		synctest.Wait()
		if calls := s.calls.Load(); calls != upstreamRequests {
			t.Errorf("%d calls, want %d: a request with a key in progress joins it", calls, upstreamRequests)
		}
		time.Sleep(DefaultBudget - margin)
		wg.Wait()
		synctest.Wait()
		late := 0
		for _, f := range p.failures() {
			if errors.Is(f, ErrLate) {
				late++
			}
		}
		if late != upstreamRequests {
			t.Errorf("%d calls are reported as late, want %d", late, upstreamRequests)
		}
		began := time.Now()
		p.want(t, of(1, "7", 1000), 503, SourceNobody)
		if a := p.last(); !errors.Is(a.Err, ErrUpstream) || time.Since(began) > 0 {
			t.Errorf("got %v after %v, want that the function is not called", a.Err, time.Since(began))
		}
		time.Sleep(time.Hour)
	})
}
