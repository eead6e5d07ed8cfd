package inboxops_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook/inboxops"
)

// The overview lists the stores that a loop could not visit, longest first, and not those that are well again.
func TestVisits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		time.Sleep(time.Hour)
		down := errors.New("the <shop> is down")
		visits := map[client.ID]client.Visited{
			1: {Good: began.Add(10 * time.Minute)},
			2: {Good: began.Add(20 * time.Minute), Failed: began.Add(30 * time.Minute), Err: down},
			3: {Failed: began.Add(40 * time.Minute), Err: down},
			4: {Good: began.Add(50 * time.Minute), Failed: began.Add(45 * time.Minute), Err: down},
		}
		h := &inboxops.Handler{Inbox: memory(t), Every: time.Hour, Visits: map[string]func() map[client.ID]client.Visited{
			"sweep":  func() map[client.ID]client.Visited { return visits },
			"copies": func() map[client.ID]client.Visited { return nil },
			"jobs":   func() map[client.ID]client.Visited { return map[client.ID]client.Visited{1: {Good: began}} },
		}}
		page := ask(h, "GET", "/", "localhost", "127.0.0.1:5000").Body.String()
		for _, want := range []string{"sweep", "copies", "4 stores", "1 store. Its last visit succeeded.", "never", "40 min ago", "the &lt;shop&gt; is down"} {
			if !strings.Contains(page, want) {
				t.Errorf("the page has no %q", want)
			}
		}
		data := ask(h, "GET", "/api/overview", "localhost", "127.0.0.1:5000").Body.String()
		if want := `{"name":"sweep","stores":4,"failing":[{"store":3,"failed":"2000-01-01T00:40:00Z","error":` +
			`"the \u003cshop\u003e is down"},{"store":2,"good":"2000-01-01T00:20:00Z",`; !strings.Contains(data, want) {
			t.Errorf("got %s, want %s", data, want)
		}
		for store := range client.ID(100) {
			visits[store+10] = client.Visited{Failed: time.Now(), Err: down}
		}
		if page := ask(h, "GET", "/", "localhost", "127.0.0.1:5000").Body.String(); !strings.Contains(page, "52 more stores") {
			t.Errorf("the page does not say that 52 more stores fail: %s", page)
		}
	})
}
