package inboxops_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxops"
)

// An entry arrives each second, and a worker handles every second one.
func TestRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := memory(t)
		h := &inboxops.Handler{Inbox: in, Every: time.Second}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- h.Run(ctx) }()
		time.Sleep(time.Second / 2)
		for n := range 90 {
			body := fmt.Appendf(nil, `{"store_id":1,"event":"order/paid","id":%d}`, n)
			if _, err := in.Accept(ctx, new(webhook.Registry).Entry("", webhook.OrderPaid.Name, body)); err != nil {
				t.Fatal(err)
			}
			if n%2 == 0 {
				leases, err := in.Lease(ctx, webhook.LeaseQuery{Limit: 1, Term: time.Minute})
				if err != nil || len(leases) != 1 {
					t.Fatal(leases, err)
				}
				if _, err := in.Commit(ctx, leases[0]); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(time.Second)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "http://localhost/api/overview", nil)
		r.RemoteAddr = "127.0.0.1:1"
		h.ServeHTTP(w, r)
		for _, want := range []string{
			`{"id":"in","value":"60/min",`, `"peak":"peak 60/min in 59 s"`, `{"id":"out","value":"29/min",`,
			`"peak":"peak 45 in 59 s"`, `{"id":"lag","value":"45 s",`, `"peak":"peak 45 s in 59 s"`,
		} {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s is missing: %s", want, w.Body)
			}
		}
		synctest.Wait()
	})
}
