package client

import (
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestUpdatedSinceLosesNoChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fakeOrders(12_000, 1)
		orders := NewOrderService(newTest(t, s).At(V1))
		stored := make(map[ID]bool)
		var mark time.Time
		pull := func(during func(ID)) int {
			n := 0
			changed, next := orders.UpdatedSince(t.Context(), OrderFilter{}, mark)
			for o, err := range changed {
				if err != nil {
					t.Fatal(err)
				}
				n++
				stored[o.ID] = true
				during(o.ID)
			}
			mark = next
			return n
		}
		touched := false
		pull(func(id ID) {
			time.Sleep(time.Second) // the run takes hours
			if id == 6000 && !touched {
				touched = true
				s.orders[9].updated = time.Now() // an order that was read already
			}
		})
		if len(stored) != 12_000 {
			t.Errorf("%d orders stored, want all", len(stored))
		}
		clear(stored)
		if n := pull(func(ID) {}); n > 2 || !stored[10] {
			t.Errorf("%d orders changed, the one that changed during the first run: %v", n, stored[10])
		}
	})
}

func TestUpdatedSinceAsks(t *testing.T) {
	mark := time.Date(2024, 5, 8, 10, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		mark time.Time
		f    ProductFilter
		want string
	}{
		{time.Time{}, ProductFilter{}, "per_page=200&since_id=0"},
		{mark, ProductFilter{}, "per_page=200&since_id=0&updated_at_min=2024-05-08T09%3A55%3A00Z"},
		{mark, ProductFilter{SinceID: 7, Query: "mug"}, "per_page=200&q=mug&since_id=7&updated_at_min=2024-05-08T09%3A55%3A00Z"},
		{time.Time{}, ProductFilter{Window: Window{UpdatedMin: mark}}, "per_page=200&since_id=0"},
	} {
		v, seen := answering(t, V1, `[]`)
		before := time.Now()
		changed, next := NewProductService(v).List(test.f).UpdatedSince(t.Context(), test.mark)
		for _, err := range changed {
			t.Error(err)
		}
		if len(*seen) != 1 || (*seen)[0].query != test.want {
			t.Errorf("asked %v, want %s", *seen, test.want)
		}
		if next.Before(before) || next.After(time.Now()) {
			t.Errorf("next mark %v, want the start of the run", next)
		}
	}
	v := view(t, V1, roundTripper(func(r *http.Request) (*http.Response, error) {
		return status(404, `{"description":"Last page is 0"}`)(r)
	}))
	changed, _ := NewList[number](v, "/levels", nil).UpdatedSince(t.Context(), mark)
	if got := slices.Collect(func(yield func(error) bool) {
		for _, err := range changed {
			yield(err)
		}
	}); len(got) != 0 {
		t.Errorf("a list without since_id: %v", got)
	}
}
