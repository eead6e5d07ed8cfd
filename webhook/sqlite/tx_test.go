package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

func TestTransact(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	if _, err := in.DB().Exec("CREATE TABLE effect (key TEXT)"); err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		t.Helper()
		if err := in.DB().QueryRow("SELECT count(*) FROM effect").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	accepted(t, in, "a")
	l := leased(t, in)
	broke := errors.New("the handler failed")
	for _, end := range []error{broke, nil, webhook.ErrLeaseLost} {
		err := in.Transact(t.Context(), func(tx *sql.Tx) error {
			if err := effect(t.Context(), in, tx, l); err != nil {
				return err
			}
			return end
		})
		if !errors.Is(err, end) {
			t.Errorf("Transact: %v, want %v", err, end)
		}
	}
	if n := count(); n != 1 {
		t.Errorf("%d effects, want 1", n)
	}
	if s, err := in.Stats(t.Context()); s.Pending != 0 || s.Done != 1 || err != nil {
		t.Errorf("stats %+v, %v", s, err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := in.Transact(ctx, func(*sql.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("Transact with a context that ended: %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_ = in.Transact(t.Context(), func(*sql.Tx) error { panic("handler") })
	}()
	accepted(t, in, "after a panic")
	if _, err := in.CommitTx(t.Context(), nil, l); err == nil {
		t.Error("CommitTx without a transaction: no error")
	}
}

// Senders that never pause do not keep out a transaction of a handler, nor the other way round.
func TestTurns(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	var senders sync.WaitGroup
	var accepts atomic.Int64
	for range 32 {
		senders.Go(func() {
			for n := accepts.Add(1); n <= 3000; n = accepts.Add(1) {
				if _, err := in.Accept(t.Context(), update(n)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	var longest time.Duration
	transactions := 0
	for ; accepts.Load() < 3000 && !t.Failed(); transactions++ {
		began := time.Now()
		if err := in.Transact(t.Context(), func(*sql.Tx) error { return nil }); err != nil {
			t.Error(err)
		}
		longest = max(longest, time.Since(began))
	}
	senders.Wait()
	t.Logf("%d transactions beside 3000 deliveries, the longest took %v", transactions, longest)
	if transactions < 10 {
		t.Errorf("%d transactions beside 3000 deliveries in groups of at most 32, want some for each group", transactions)
	}
}

func TestAcceptRefuses(t *testing.T) {
	t.Parallel()
	good := delivery("key")
	for _, spoil := range []func(e *webhook.Entry){
		func(e *webhook.Entry) { e.Key = "" },
		func(e *webhook.Entry) { e.Key = "a\x00b" },
		func(e *webhook.Entry) { e.Lane = "" },
		func(e *webhook.Entry) { e.Kind = "rumour" },
		func(e *webhook.Entry) { e.Settle = -time.Second },
		func(e *webhook.Entry) { e.Clears = []webhook.Name{"order/created\norder/paid"} },
	} {
		in := inbox(t, file(t), sqlite.Options{})
		bad := good
		spoil(&bad)
		if _, err := in.Accept(t.Context(), good, bad); err == nil {
			t.Errorf("Accept of %#v: no error", bad)
		}
		if s, err := in.Stats(t.Context()); s.Pending != 0 || err != nil {
			t.Errorf("%d entries of the call were stored, %v", s.Pending, err)
		}
	}
}

// The bound holds exactly, for all processes of a file, and one that is refused does not
// keep the others of its group out.
func TestHighWaterIsExact(t *testing.T) {
	t.Parallel()
	path := file(t)
	handles := []*sqlite.Inbox{inbox(t, path, sqlite.Options{HighWater: 50}), inbox(t, path, sqlite.Options{HighWater: 50})}
	var all sync.WaitGroup
	var mu sync.Mutex
	full := 0
	for i := range 120 {
		all.Go(func() {
			_, err := handles[i%2].Accept(t.Context(), update(int64(i)))
			mu.Lock()
			defer mu.Unlock()
			if errors.Is(err, webhook.ErrFull) {
				full++
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if s, err := handles[0].Stats(t.Context()); s.Pending != 50 || full != 70 || err != nil {
		t.Errorf("%d taken and %d refused, %v; want 50 and 70", s.Pending, full, err)
	}
}

// TestReplayGivenUp: who no longer waits for a call is not written to by it. Only the race detector notices.
func TestReplayGivenUp(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	_, err := in.Accept(t.Context(), webhook.Entry{Key: "a", Lane: "a", Kind: webhook.KindFact, Unhandled: "nobody wants it"})
	if err != nil {
		t.Fatal(err)
	}
	begun, returned := make(chan struct{}), filepath.Join(t.TempDir(), "returned")
	var other sync.WaitGroup
	defer other.Wait()
	other.Go(func() {
		err := in.Transact(t.Context(), func(*sql.Tx) error {
			close(begun)
			for { // until Replay has returned; a channel or a timer would hide the race
				if _, err := os.Stat(returned); err == nil {
					return nil
				}
				runtime.Gosched()
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-begun
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond) // one of the test would hide it too
	defer cancel()
	if n, err := in.Replay(ctx, "a"); n != 0 || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Replay: %d, %v; want 0 and context.DeadlineExceeded", n, err)
	}
	done(t, os.Mkdir(returned, 0o700))
}
