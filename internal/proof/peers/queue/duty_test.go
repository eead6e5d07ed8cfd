package queue

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Every queue does its duty, so that no benchmark measures a broken one.
func TestQueues(t *testing.T) {
	for _, p := range postgresPeers {
		pool := database.pool(t, Workers+4)
		t.Run("postgres/"+p.name, func(t *testing.T) {
			dutiful(t, func() (Queue, error) { return p.open(context.WithoutCancel(t.Context()), pool) })
		})
	}
	for _, p := range sqlitePeers {
		path := filepath.Join(t.TempDir(), p.name)
		t.Run("sqlite/"+p.name, func(t *testing.T) {
			dutiful(t, func() (Queue, error) { return p.open(context.WithoutCancel(t.Context()), path) })
		})
	}
}

// dutiful sends each delivery twice, opens the queue again, and works: each delivery is handled once, except one that
// fails at first, which is handled again.
func dutiful(t *testing.T, open func() (Queue, error)) {
	t.Parallel()
	const orders, failing = 200, 7
	q, err := open()
	if err != nil {
		t.Fatal(err)
	}
	receiver := q.Handler()
	if status := deliver(receiver, 0, "0"); status != http.StatusUnauthorized {
		t.Errorf("wrong signature: status %d, want 401", status)
	}
	var senders sync.WaitGroup
	for range 2 {
		for n := range orders {
			senders.Go(func() {
				if status := deliver(receiver, n, ""); status != http.StatusOK {
					t.Errorf("delivery %d: status %d, want 200", n, status)
				}
			})
		}
	}
	senders.Wait()
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if q, err = open(); err != nil {
		t.Fatal(err)
	}

	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	var mu sync.Mutex
	runs, left := map[int64]int{}, orders+1
	err = q.Work(ctx, func(_ context.Context, order int64) error {
		mu.Lock()
		defer mu.Unlock()
		runs[order]++
		if left--; left == 0 {
			stop()
		}
		if order == failing && runs[order] == 1 {
			return errors.New("not yet")
		}
		return nil
	})
	if err != nil || left != 0 {
		t.Errorf("the worker returned %v with %d runs to make, want nil with none", err, left)
	}
	for order := int64(1); order <= orders; order++ {
		want := 1
		if order == failing {
			want = 2
		}
		if runs[order] != want {
			t.Errorf("order %d: %d runs, want %d", order, runs[order], want)
		}
	}
	stop()

	ctx, stop = context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	err = q.Work(ctx, func(_ context.Context, order int64) error {
		t.Errorf("order %d is handled again", order)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}

// deliver hands the nth delivery to a receiver, with its own signature or with another.
func deliver(h http.Handler, n int, signature string) (status int) {
	body, header := bench.Updates(n)
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(string(body)))
	r.Header = header
	if signature != "" {
		r.Header.Set(webhook.SignatureHeader, signature)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code
}
