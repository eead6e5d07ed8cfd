package browser

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/inboxops"
)

// hostile is a name from outside.
const hostile = `</td><img src=x onerror="alert(1)"><script>alert(2)</script>&lt;b&gt;` +
	`<a href="javascript:alert(3)" id=owned>`

// Causes of the groups of dead entries, without ids.
const (
	unavailable  = "GET /orders/…: 503 Service Unavailable"
	unauthorized = "GET /products/…: 401 Unauthorized: the access token was revoked"
	unhandled    = "event without a handler"
)

func newInbox(t testing.TB) *inboxmem.Inbox {
	t.Helper()
	in, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// entry is an entry whose key names its store.
func entry(store client.ID, event webhook.Name, id int) webhook.Entry {
	key := fmt.Sprintf("%s%s:%d", webhook.Prefix("", store), event, id)
	return webhook.Entry{Key: key, Lane: key, Kind: webhook.KindSignal, Event: event, StoreID: store,
		Body: fmt.Appendf(nil, `{"store_id":%d,"event":%q,"id":%d}`, store, event, id)}
}

// accept fills in n entries that one makes.
func accept(t testing.TB, in webhook.Inbox, n int, one func(n int) webhook.Entry) {
	t.Helper()
	const at = 1000
	for from := 0; from < n; from += at {
		var some []webhook.Entry
		for i := from; i < min(from+at, n); i++ {
			some = append(some, one(i))
		}
		if _, err := in.Accept(t.Context(), some...); err != nil {
			t.Fatal(err)
		}
	}
}

// lease leases n entries, the oldest first.
func lease(t testing.TB, in webhook.Inbox, n int) []webhook.Lease {
	t.Helper()
	leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: n, Term: time.Hour})
	if err != nil || len(leases) != n {
		t.Fatalf("%d leases, %v; want %d", len(leases), err, n)
	}
	return leases
}

// fill fills in entries of each state: 6 done, 7 waiting, two of them hostile, 5 leased, 300 dead in three groups, 20
// of them of data protection, and 40 due.
func fill(t testing.TB, in webhook.Inbox) {
	t.Helper()
	accept(t, in, 6, func(n int) webhook.Entry {
		e := entry(1001, "product/created", n)
		e.Kind, e.Window = webhook.KindFact, time.Hour
		return e
	})
	for _, l := range lease(t, in, 6) {
		if _, err := in.Commit(t.Context(), l); err != nil {
			t.Fatal(err)
		}
	}
	accept(t, in, 7, func(n int) webhook.Entry {
		e := entry(1002, "order/paid", n)
		e.Trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
		if n < 2 {
			e.Event, e.Body = webhook.Name(hostile), []byte(hostile+"\x1b\u202e\xff")
			e.Key += hostile + strings.Repeat("x", 300*n)
		}
		return e
	})
	for n, l := range lease(t, in, 7) {
		cause := fmt.Sprintf("GET /orders/%d: connection refused", 2_000_000+n)
		if strings.Contains(l.Key, hostile) {
			cause = hostile
		}
		if err := in.Fail(t.Context(), l, webhook.Failed{Delay: time.Hour, Cause: cause}); err != nil {
			t.Fatal(err)
		}
	}
	accept(t, in, 5, func(n int) webhook.Entry { return entry(1003, "category/updated", n) })
	lease(t, in, 5)
	bury(t, in)
	accept(t, in, 40, func(n int) webhook.Entry { return entry(1003+client.ID(n%3), "order/updated", n) })
}

// bury fills in the 300 dead entries of fill.
func bury(t testing.TB, in webhook.Inbox) {
	t.Helper()
	dead := func(e webhook.Entry, cause string) webhook.Entry {
		e.Unhandled = cause
		return e
	}
	accept(t, in, 180, func(n int) webhook.Entry {
		return dead(entry(1004+client.ID(n%5), "order/updated", 10_000+n),
			strings.ReplaceAll(unavailable, "…", fmt.Sprint(3_000_000+n)))
	})
	accept(t, in, 100, func(n int) webhook.Entry {
		return dead(entry(1004, "product/updated", n), strings.ReplaceAll(unauthorized, "…", fmt.Sprint(4_000_000+n)))
	})
	accept(t, in, 20, func(n int) webhook.Entry {
		e := dead(entry(1004+client.ID(n%2), "customers/redact", n), unhandled)
		e.Protected = true
		return e
	})
}

// serve serves the page of an inbox, and returns its address with a slash at the end.
func serve(t testing.TB, in webhook.Inbox) string {
	t.Helper()
	ops := &inboxops.Handler{Inbox: in, Title: "Example app", Every: 10 * time.Millisecond,
		Logger: slog.New(slog.DiscardHandler)}
	if err := ops.Check(); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/ops/", http.StripPrefix("/ops", ops))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL + "/ops/"
}
