package clienttest_test

import (
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// TestQuoteInABubble has 64 customers ask a carrier that does not answer: all of them see
// the fallback after five seconds, since nobody waits for another.
func TestQuoteInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, ctx := clienttest.New(t, clienttest.Options{RealTime: true}), t.Context()
		_ = srv.Partner("https://post.example", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		id, err := addCarrier(ctx, srv, nil)
		if err != nil {
			t.Fatal(err)
		}
		srv.SetFallback(clienttest.FallbackOption{Name: "Flat rate", Price: client.Cents(2000)})
		begun := time.Now()
		var asking sync.WaitGroup
		for i := range 64 {
			asking.Go(func() {
				q, err := srv.Quote(ctx, mug(i+1))
				if err != nil || len(q.Options) != 1 || q.Options[0].Source != "fallback" || !q.Calls[0].Late {
					t.Errorf("%+v, %v", q, err)
				}
			})
		}
		asking.Wait()
		if took := time.Since(begun); took != 5*time.Second {
			t.Errorf("it took %s, want 5s", took)
		}
		if h := srv.CarrierHealth(id); h.Requests != 64 || h.Failures != 64 {
			t.Errorf("health %+v", h)
		}
	})
}
