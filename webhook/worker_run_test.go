package webhook_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// accounts is a transaction of an engine that has one.
type accounts struct{}

// transactional is an inbox with transactions of type *accounts.
type transactional struct{ *inboxmem.Inbox }

func (x transactional) CommitTx(ctx context.Context, _ *accounts, l webhook.Lease) (bool, error) {
	return x.Commit(ctx, l)
}

// TestCommitTx: the entry ends with the handler's own transaction, and is not ended a second time.
func TestCommitTx(t *testing.T) {
	later := errors.New("mail could not be sent")
	for _, tt := range []struct {
		name   string
		after  error // what the handler returns behind CommitTx
		report int
	}{{"success", nil, 0}, {"failure behind it", later, 1}, {"failure for good behind it", webhook.ErrPermanent, 1}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				h.worker.Inbox = transactional{h.inbox}
				runs := 0
				h.orderPaid(func(ctx context.Context) error {
					runs++
					if err := webhook.CommitTx(ctx, &accounts{}); err != nil {
						t.Errorf("got %v, want it committed", err)
					}
					if err := webhook.CommitTx(ctx, &accounts{}); !errors.Is(err, webhook.ErrLeaseLost) {
						t.Errorf("got %v the second time, want ErrLeaseLost", err)
					}
					if err := webhook.CommitTx(ctx, "another database"); err == nil ||
						!strings.Contains(err.Error(), "cannot commit in a string") {
						t.Errorf("got %v, want an error that names the type", err)
					}
					return tt.after
				})
				h.deliver(paid)
				stop := h.run()
				synctest.Wait()
				stop()
				told, ended := h.told(), h.ended()
				if runs != 1 || h.stats().Pending != 0 || len(told) != tt.report || len(ended) != 1 ||
					!errors.Is(ended[0].Err, tt.after) || errors.Is(ended[0].Err, webhook.ErrLeaseLost) {
					t.Errorf("got %d runs, %+v, reports %v, results %+v; want one run, nothing left and %d reports",
						runs, h.stats(), told, ended, tt.report)
				}
				if ended[0].Dead || ended[0].Retry != 0 || len(told) == 1 && told[0].Dead {
					t.Errorf("got %+v, reports %+v; want neither dead nor another attempt: the entry is gone", ended[0],
						told)
				}
			})
		})
	}
	if err := webhook.CommitTx(t.Context(), &accounts{}); err == nil ||
		!strings.Contains(err.Error(), "must be that of a worker") {
		t.Errorf("got %v outside of a worker, want an error", err)
	}
	if l, ok := webhook.LeaseOf(t.Context()); ok || l.Token != 0 || webhook.Fence(t.Context()) != 0 {
		t.Errorf("got lease %v, %v outside of a worker; want none", l, ok)
	}
}

// undone is an inbox whose transactions are rolled back after CommitTx.
type undone struct{ webhook.Inbox }

func (undone) CommitTx(context.Context, *accounts, webhook.Lease) (bool, error) { return false, nil }

// TestCommitTxRolledBack: an entry whose transaction did not come to be has failed, and rests and is tried again like
// any other.
func TestCommitTxRolledBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.worker.Inbox = undone{h.inbox}
		var attempts []int
		h.orderPaid(func(ctx context.Context) error {
			l, _ := webhook.LeaseOf(ctx)
			if attempts = append(attempts, l.Attempt); len(attempts) == 2 {
				return fmt.Errorf("it never will: %w", webhook.ErrPermanent)
			}
			if err := webhook.CommitTx(ctx, &accounts{}); err != nil {
				t.Errorf("got %v, want nil", err)
			}
			return errors.New("commit: could not serialize")
		})
		h.deliver(paid)
		stop := h.run()
		time.Sleep(5 * time.Second) // its lease is of 30 s
		synctest.Wait()
		stop()
		ended := h.ended()
		if !slices.Equal(attempts, []int{1, 2}) || len(ended) != 2 || ended[0].Dead || ended[0].Retry < time.Second ||
			!ended[1].Dead || h.stats().Dead != 1 {
			t.Errorf("got attempts %v, results %+v, %+v; want the second after a rest, and the entry dead after it",
				attempts, ended, h.stats())
		}
	})
}

// TestWorkerHooks: what a trace needs is told before and after each run, and a hook that is not set is no matter.
func TestWorkerHooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		type spanKey struct{}
		var order []string
		h.worker.OnStarted = func(ctx context.Context, l webhook.Lease) context.Context {
			order = append(order, "started "+string(l.Event))
			return context.WithValue(ctx, spanKey{}, "span")
		}
		h.worker.OnFinished = func(_ context.Context, l webhook.Lease, r webhook.Result) {
			order = append(order, "finished "+l.Key)
			if r.Err != nil || r.Took != 2*time.Second {
				t.Errorf("got %+v, want a success that took 2 s", r)
			}
		}
		h.orderPaid(func(ctx context.Context) error {
			span, _ := ctx.Value(spanKey{}).(string)
			order = append(order, "handler with "+span)
			time.Sleep(2 * time.Second)
			return nil
		})
		h.deliver(paid)
		stop := h.run()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		stop()
		if want := []string{
			"started order/paid", "handler with span", "finished :123:order/paid:5"}; !slices.Equal(order, want) {
			t.Errorf("got %v, want %v", order, want)
		}
	})
}

// TestWorkerHooksThatPanic: the process lives. A run whose trace cannot begin has failed; one that cannot be measured
// ended as it did.
func TestWorkerHooksThatPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		runs := 0
		h.orderPaid(func(context.Context) error { runs++; return nil })
		h.worker.OnStarted = func(ctx context.Context, l webhook.Lease) context.Context {
			if l.Attempt == 1 {
				panic("no tracer")
			}
			return ctx
		}
		h.worker.OnFinished = func(context.Context, webhook.Lease, webhook.Result) { panic("no meter") }
		h.deliver(paid)
		stop := h.run()
		time.Sleep(time.Minute)
		synctest.Wait()
		stop()
		told := h.told()
		if want := (webhook.Stats{}); runs != 1 || h.stats() != want || len(told) != 1 || told[0].Stack == nil ||
			!strings.Contains(told[0].Error(), "no tracer") {
			t.Errorf("got %d runs, %+v, reports %v; want one run, nothing left and the panic of Started told", runs,
				h.stats(), told)
		}
	})
}

// TestCommitTxAgain: what arrived during the run is told of whichever way the entry was committed.
func TestCommitTxAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.worker.Inbox = transactional{h.inbox}
		// The entry is free before the first run ends, so another place can report its end first.
		h.worker.Concurrency = 1
		runs := 0
		h.orderPaid(func(ctx context.Context) error {
			if runs++; runs == 1 {
				h.deliver(paid)
			}
			return webhook.CommitTx(ctx, &accounts{})
		})
		h.deliver(paid)
		stop := h.run()
		synctest.Wait()
		stop()
		ended := h.ended()
		if runs != 2 || len(ended) != 2 || !ended[0].Again || ended[1].Again {
			t.Errorf("got %d runs, results %+v; want two, and Again with the first", runs, ended)
		}
	})
}

// standard is an inbox that also commits in transactions of database/sql.
type standard struct {
	transactional
	in *[]*sql.Tx
}

func (x standard) CommitSQL(ctx context.Context, tx *sql.Tx, l webhook.Lease) (bool, error) {
	*x.in = append(*x.in, tx)
	return x.Commit(ctx, l)
}

// TestCommitTxStandard: a transaction of database/sql goes to the engine's CommitSQL, any other one to its CommitTx.
func TestCommitTxStandard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		var in []*sql.Tx
		h.worker.Inbox = standard{transactional{h.inbox}, &in}
		tx := new(sql.Tx)
		h.orderPaid(func(ctx context.Context) error { return webhook.CommitTx(ctx, tx) })
		h.deliver(paid)
		stop := h.run()
		synctest.Wait()
		stop()
		if len(in) != 1 || in[0] != tx || h.stats().Pending != 0 || len(h.told()) != 0 {
			t.Errorf("committed in %d transactions, %+v, reports %v; want one, and nothing left", len(in), h.stats(),
				h.told())
		}
	})
}
