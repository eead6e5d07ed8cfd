package client_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// noted is a copy that notes what it is asked for.
type noted struct {
	client.Copier
	calls *notebook
	name  string
	err   error // of Run

	compare error // of Reconcile
}

// notebook has lines that are noted by one goroutine and taken by another one.
type notebook struct {
	mu  sync.Mutex
	all []string
}

func (l *notebook) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, line)
}

// take returns the lines since the last call.
func (l *notebook) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.all
	l.all = nil
	return all
}

func (n noted) Run(context.Context) error {
	n.calls.add(n.name + " run")
	return n.err
}

func (n noted) Reconcile(context.Context) error {
	n.calls.add(n.name + " reconcile")
	return n.compare
}

// All copies run at the start, every so often and when they are woken, and are compared once a day. A store that
// fails, and a copy that another replica runs, do not keep the others from it.
func TestCopies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls, failures notebook
		var later, unlisted atomic.Bool
		broken, unprepared := errors.New("no database"), true
		kind := func(name string, errs map[client.ID]error) func(context.Context, client.ID) (client.Copier, error) {
			return func(_ context.Context, store client.ID) (client.Copier, error) {
				return noted{calls: &calls, name: fmt.Sprint(name, store), err: errs[store]}, nil
			}
		}
		copies := &client.Copies{
			Stores: func(context.Context) iter.Seq2[client.ID, error] {
				return func(yield func(client.ID, error) bool) {
					_ = yield(1, nil) && yield(2, nil) && (!later.Load() || yield(3, nil)) && (!unlisted.Load() || yield(0, broken))
				}
			},
			Of: []func(context.Context, client.ID) (client.Copier, error){
				kind("p", map[client.ID]error{1: broken}), kind("o", map[client.ID]error{2: fmt.Errorf("moved: %w", client.ErrCopyMoved)}),
			},
			Prepare: func(_ context.Context, store client.ID) error {
				calls.add(fmt.Sprint("prepare", store))
				if store == 2 && unprepared {
					unprepared = false
					return broken
				}
				return nil
			},
			Every: time.Hour, Concurrency: 1,
			OnFailure: func(_ context.Context, store client.ID, err error) {
				failures.add(fmt.Sprint(store, " ", err))
			},
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- copies.Run(ctx) }()
		expect := func(did string) {
			t.Helper()
			synctest.Wait()
			got := strings.Join(calls.take(), ", ")
			if got != did {
				t.Errorf("got %s, want %s", got, did)
			}
			want := []string{"1 no database"}
			if strings.Contains(got, "prepare1") {
				want = append(want, "2 prepare: no database")
			}
			if unlisted.Load() {
				want = append(want, "0 no database")
			}
			slices.Sort(want)
			if failed := slices.Sorted(slices.Values(failures.take())); !slices.Equal(failed, want) {
				t.Errorf("failures %q, want %q", failed, want)
			}
		}
		const changes, whole = "p1 run, o1 run, p2 run, o2 run", "p1 run, o1 run, o1 reconcile, p2 run, p2 reconcile, o2 run"
		expect("prepare1, p1 run, o1 run, o1 reconcile, prepare2, p2 run, p2 reconcile, o2 run")
		unlisted.Store(true)
		time.Sleep(time.Hour)
		expect("p1 run, o1 run, prepare2, p2 run, o2 run")
		copies.Wake()
		expect(changes)
		later.Store(true) // a store that installs the app now prepares itself
		time.Sleep(time.Hour)
		expect(changes + ", p3 run, o3 run")
		later.Store(false)
		time.Sleep(21 * time.Hour)
		synctest.Wait()
		_, _ = calls.take(), failures.take()
		time.Sleep(time.Hour)
		expect(whole)
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	if err := (&client.Copies{}).Run(t.Context()); err == nil {
		t.Error("Run without Stores: want an error")
	}
}

// A store is gone after its token was refused, or was missing, for ten minutes. Until then its runs fail.
func TestCopiesOfStoresThatAreGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, gone, doubts := time.Now(), map[client.ID]time.Duration{}, 0
		ctx, stop := context.WithTimeout(t.Context(), 14*time.Minute)
		defer stop()
		dead := &client.Copies{
			Stores: func(context.Context) iter.Seq2[client.ID, error] {
				return func(yield func(client.ID, error) bool) { _ = yield(1, nil) && yield(2, nil) }
			},
			Of: []func(context.Context, client.ID) (client.Copier, error){func(_ context.Context, store client.ID) (client.Copier, error) {
				return nil, map[client.ID]error{1: fmt.Errorf("GET /products: %w", client.ErrUnauthorized), 2: oauth.ErrNotInstalled}[store]
			}},
			OnGone: func(_ context.Context, store client.ID) error {
				gone[store] = time.Since(began)
				return nil
			},
			OnFailure: func(_ context.Context, store client.ID, err error) {
				if doubts++; !errors.Is(err, client.ErrDoubtful) {
					t.Errorf("store %d: %v", store, err)
				}
			},
			Concurrency: 1,
		}
		if err := dead.Run(ctx); err != nil || len(gone) != 2 || gone[1] != 10*time.Minute || gone[2] != 10*time.Minute || doubts != 4 {
			t.Errorf("gone %v after %d doubts, %v; want 1 and 2 after ten minutes and four doubts", gone, doubts, err)
		}
	})
}

// stalled is a copy that runs until its context ends.
type stalled struct{ client.Copier }

func (stalled) Run(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// A store whose copy takes very long, and one that makes the app panic, do not keep the others from theirs; a
// comparison that failed is repeated, and stores that could not be listed at the start are prepared later.
func TestCopiesOfBadStores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls, failures notebook
		lists := 0
		copies := &client.Copies{
			Stores: func(context.Context) iter.Seq2[client.ID, error] {
				return func(yield func(client.ID, error) bool) {
					switch lists++; lists {
					case 1:
						yield(0, errors.New("no database"))
						return
					case 4:
						panic("nil pool")
					}
					_ = yield(1, nil) && yield(2, nil) && yield(3, nil) && yield(3, nil)
				}
			},
			Of: []func(context.Context, client.ID) (client.Copier, error){
				func(_ context.Context, store client.ID) (client.Copier, error) {
					switch store {
					case 1:
						calls.add("stalled")
						return stalled{}, nil
					case 2:
						panic("a record of the merchant")
					}
					return noted{calls: &calls, name: "p3", compare: errors.New("the network failed")}, nil
				},
			},
			Prepare: func(_ context.Context, store client.ID) error {
				calls.add(fmt.Sprint("prepare", store))
				return nil
			},
			Every: time.Minute, Concurrency: 2,
			OnFailure: func(_ context.Context, store client.ID, err error) {
				failures.add(fmt.Sprint(store, " ", strings.SplitN(err.Error(), "\n", 2)[0]))
			},
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- copies.Run(ctx) }()
		const others, panicked = "p3 reconcile, p3 run", "2 panic: a record of the merchant, 3 the network failed"
		for i, want := range []struct{ did, failed string }{
			{"", "0 no database"},
			{"p3 reconcile, p3 run, prepare1, prepare2, prepare3, stalled", panicked},
			{others, "1 no progress in time: none for 3s, must make some within 3s; it continues without its place; " +
				"check whether the API, the database or a function of the app hangs, " + panicked},
			{"", "0 panic: nil pool"},
			{others, panicked},
		} {
			synctest.Wait()
			did, failed := slices.Sorted(slices.Values(calls.take())), slices.Sorted(slices.Values(failures.take()))
			if got := strings.Join(did, ", "); got != want.did {
				t.Errorf("run %d: %s; want %s", i+1, got, want.did)
			}
			if got := strings.Join(failed, ", "); got != want.failed {
				t.Errorf("run %d failed: %s; want %s", i+1, got, want.failed)
			}
			time.Sleep(time.Minute)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// A store that only waits is information with the time at which it ends, and a failure is a warning.
func TestStoresThatWaitAreNoWarnings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lines strings.Builder
		before := slog.Default()
		slog.SetDefault(slog.New(slog.NewTextHandler(&lines, nil)))
		defer func() {
			slog.SetDefault(before)
			log.SetOutput(os.Stderr) // which SetDefault had changed
			log.SetFlags(log.LstdFlags)
		}()
		var calls notebook
		copies := &client.Copies{
			Stores: func(context.Context) iter.Seq2[client.ID, error] {
				return func(yield func(client.ID, error) bool) { _ = yield(1, nil) && yield(2, nil) }
			},
			Of: []func(context.Context, client.ID) (client.Copier, error){
				func(_ context.Context, store client.ID) (client.Copier, error) {
					err := fmt.Errorf("copy of products: %w", client.ErrRateLimited)
					if store == 2 {
						err = errors.New("no table")
					}
					return noted{calls: &calls, name: "p", err: err}, nil
				},
			},
			Every: time.Minute,
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- copies.Run(ctx) }()
		synctest.Wait()
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		for _, want := range []string{
			`level=INFO msg="a store waits, and a later run continues its copies" store=1 until=2000-01-01T00:01:00Z`,
			`level=WARN msg="a store was not copied" store=2 error="no table"`,
		} {
			if !strings.Contains(lines.String(), want) || strings.Count(lines.String(), "\n") != 2 {
				t.Errorf("got\n%swant %s, one line for each store", &lines, want)
			}
		}
	})
}
