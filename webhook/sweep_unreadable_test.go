package webhook_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// A record that was never readable once pinned the mark, so each sweep read all changes since then. It is reported by
// its id, the others are handled, and the mark moves. A page that fails still leaves the mark where it is.
func TestSweepBesideUnreadableRecord(t *testing.T) {
	srv := clienttest.New(t)
	c := srv.Client()
	h := newHouse(t)
	webhook.On(h.events, webhook.ProductUpdated, nothing)
	var asked []time.Time
	sweep := newSweep(h, webhook.Changed(webhook.ProductUpdated.Name,
		func(_ context.Context, _ client.ID, mark time.Time) (*client.Sync[client.Product], error) {
			asked = append(asked, mark)
			return v202503.Products(c).List(client.ProductFilter{}).UpdatedSince(mark), nil
		},
		func(p *client.Product) string { return p.ID.String() }))
	for _, f := range []clienttest.Fault{
		{Status: http.StatusOK, Count: 1, Header: http.Header{"Date": {time.Now().UTC().Format(http.TimeFormat)}},
			Body: `[{"id":41},{"id":77,"updated_at":"soon"},{"id":78}]`},
		{Status: http.StatusNotImplemented},
	} {
		f.Operation = "GET /products"
		if err := srv.Fault(f); err != nil {
			t.Fatal(err)
		}
		err := sweep.Store(t.Context(), srv.StoreID())
		if err == nil || errors.Is(err, client.ErrUnreadableItem) != (f.Body != "") {
			t.Errorf("%d %s: got %v", f.Status, f.Body, err)
		}
		srv.EndFaults()
	}
	if err := sweep.Store(t.Context(), srv.StoreID()); err != nil {
		t.Error(err)
	}
	if s := h.stats(); s.Pending != 2 {
		t.Errorf("%d entries, want those of the two records that can be read", s.Pending)
	}
	if told := h.told(); len(told) != 2 || !strings.Contains(told[0].Error(), "id 77") {
		t.Errorf("reported %v, want the record 77 and the page that failed", told)
	}
	if len(asked) != 3 || asked[1].Sub(asked[0]) < webhook.DefaultReach-time.Hour || !asked[2].Equal(asked[1]) {
		t.Errorf("asked from %v; want a mark after the unreadable record, and the same after a page that failed", asked)
	}
}
