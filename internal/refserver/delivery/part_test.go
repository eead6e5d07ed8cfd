package delivery

import (
	"math"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Lists have parts, changes come in their order, and what is remembered of both is bounded.
func TestParts(t *testing.T) {
	w, _ := start(t, Options{Kept: 50}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for i := range 500 {
		w.Enqueue([]world.Event{
			{ID: int64(2*i + 1), Name: "order/paid", To: []world.Target{{App: 1, URL: hook}}},
			{ID: int64(2*i + 2), Name: "order/paid"},
		})
	}
	if err := w.work.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	newest := w.Part(work.Part{After: math.MaxInt64, Newest: true, Most: 3})
	if len(newest) != 3 || newest[0].ID != 500 || newest[2].ID != 498 {
		t.Fatalf("got %+v", newest)
	}
	if later := w.Part(work.Part{After: 498, Most: 9}); len(later) != 2 || later[0].ID != 499 {
		t.Errorf("got %+v", later)
	}
	silent := w.Unsent(work.Part{After: math.MaxInt64, Newest: true, Most: 1})
	if len(silent) != 1 || silent[0].ID != 1000 {
		t.Errorf("got %+v", silent)
	}
	first := w.Part(work.Part{Most: 1})[0].ID
	for id, there := range map[int64]bool{500: true, first: true, first - 1: false, 501: false, 0: false} {
		if d, ok := w.Delivery(id); ok != there || ok && d.ID != id {
			t.Errorf("%d: %v, %v", id, d.ID, ok)
		}
	}
	if n := w.Len(); n < 50 || n > 55 || len(w.changes.Since(0)) > 2*n+100 {
		t.Errorf("%d deliveries and %d changes are remembered", n, len(w.changes.Since(0)))
	}
	seen, last := map[int64]bool{}, int64(0)
	for some := w.Since(0, 7); len(some) > 0; some = w.Since(last, 7) {
		for _, d := range some {
			if d.Rev <= last || seen[d.ID] || d.State != Delivered {
				t.Errorf("after %d: %+v", last, d)
			}
			seen[d.ID], last = true, d.Rev
		}
	}
	if n := len(w.Since(0, 1000)); n != w.Len() {
		t.Errorf("%d changes of %d deliveries", n, w.Len())
	}
	if len(seen) != w.Len() {
		t.Errorf("%d deliveries have changed, and %d are remembered", len(seen), w.Len())
	}
	before := w.Changes()
	if err := w.Resend(500); err != nil {
		t.Fatal(err)
	}
	if err := w.work.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := w.Since(last, 7); len(again) != 1 || again[0].ID != 500 || w.Changes() != before+1 {
		t.Errorf("after another attempt: %+v", again)
	}
}
