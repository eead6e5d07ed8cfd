package refserver

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func (f *fixture) path(p string) string { return fmt.Sprintf("/v1/%d%s", f.store.ID, p) }

// listen registers the app for an event at a partner that says what it got.
func (f *fixture) listen(event string) *[]string {
	f.Helper()
	got := &[]string{}
	err := f.Partner("https://app.example", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		*got = append(*got, string(b))
	}))
	if err != nil {
		f.Fatal(err)
	}
	err = f.World().Update(f.app.ID, f.store.ID, func(tx *world.Tx) error {
		id := tx.NewID()
		return tx.Webhooks.Put(id, world.Webhook{ID: id, App: f.app.ID, Event: event, URL: "https://app.example/hook"})
	})
	if err != nil {
		f.Fatal(err)
	}
	return got
}

func TestWebhookOfACall(t *testing.T) {
	f := setup(t, Options{}, "write_products")
	got := f.listen("note/created")
	f.do("POST /test-notes", `{"name":"x"}`)
	f.do("POST /test-notes", `{}`)
	if err := f.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	prefix := fmt.Sprintf(`{"store_id":%d,"event":"note/created","id":`, f.store.ID)
	if len(*got) != 1 || !strings.HasPrefix((*got)[0], prefix) {
		t.Errorf("got %v", *got)
	}
	d := f.Deliveries()
	if len(d) != 1 || d[0].State != delivery.Delivered || d[0].Attempts[0].Signature != delivery.Sign(f.app.Secret, d[0].Body) {
		t.Errorf("deliveries: %+v", d)
	}
}

func TestUninstallTellsTheApp(t *testing.T) {
	f := setup(t, Options{})
	got := f.listen("app/uninstalled")
	if err := f.Uninstall(f.app.ID, f.store.ID); err != nil {
		t.Fatal(err)
	}
	if err := f.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf(`[{"store_id":%d,"event":"app/uninstalled","id":%d}]`, f.store.ID, f.app.ID); fmt.Sprint(*got) != want {
		t.Errorf("got %v, want %s", *got, want)
	}
	if w := f.do("GET /store", ""); w.Code != 401 {
		t.Errorf("the token: got %d, want 401", w.Code)
	}
}

func TestSuspensionIsAnnouncedThenSilent(t *testing.T) {
	f := setup(t, Options{})
	got := f.listen("app/suspended")
	if err := f.Suspend(f.store.ID); err != nil {
		t.Fatal(err)
	}
	if err := f.Emit(0, f.store.ID, "app/suspended", nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(*got) != 1 {
		t.Errorf("got %v, want one", *got)
	}
}

func TestForkIsIndependent(t *testing.T) {
	f := setup(t, Options{}, "write_products")
	got := f.listen("note/created")
	fork := f.Fork()
	defer fork.Close()
	snap := f.Snapshot()
	f.do("POST /test-notes", `{"name":"x"}`)
	count := func(s *Server) (n int) {
		_ = s.World().View(0, f.store.ID, func(tx *world.Tx) error { n = tx.Webhooks.Len(); return nil })
		return n
	}
	if count(f.Server) != 2 || count(fork) != 1 {
		t.Errorf("records: %d here, %d in the fork", count(f.Server), count(fork))
	}
	f.Restore(snap)
	if count(f.Server) != 1 {
		t.Errorf("restored: %d records, want 1", count(f.Server))
	}
	if err := f.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	inFork := *f
	inFork.Server = fork
	inFork.do("POST /test-notes", `{"name":"y"}`)
	if err := fork.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(*got) != 2 || len(f.Deliveries()) != 1 || len(fork.Deliveries()) != 1 {
		t.Errorf("%d webhooks, %d and %d deliveries", len(*got), len(f.Deliveries()), len(fork.Deliveries()))
	}
}

func TestTransport(t *testing.T) {
	f := setup(t, Options{Clock: clock.Real{}})
	c := &http.Client{Transport: f.Transport()}
	req, err := http.NewRequest("GET", "https://api.example"+f.path("/test-notes?n=31"), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+f.token)
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if link := resp.Header.Get("Link"); !strings.HasPrefix(link, "<https://api.example/v1/") {
		t.Errorf("links of a secure address: %s", link)
	}
	f.Server.Close()
	if _, err := c.Do(req); err == nil {
		t.Error("answered after Close")
	}
	if _, err := (&http.Client{Transport: f.Transport()}).Do(req); err == nil {
		t.Error("a transport was begun after Close")
	}
}

func TestListen(t *testing.T) {
	f := setup(t, Options{Clock: clock.Real{}})
	base, err := f.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	resp, err := http.Get(base + f.path("/store"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 401 {
		t.Errorf("got %s, want 401 without a token", resp.Status)
	}
	f.Server.Close()
	if _, err := http.Get(base + f.path("/store")); err == nil {
		t.Error("answered after Close")
	}
	if _, err := f.Listen("127.0.0.1:0"); err == nil {
		t.Error("listened after Close")
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(Options{}).Close()
	}
}

// TestDate: every answer is dated by the server's own clock, whatever the machine's says.
func TestDate(t *testing.T) {
	f := setup(t, Options{})
	base, err := f.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	arm(t, f.Server, traffic.Fault{Op: "notes.list", Status: http.StatusServiceUnavailable, Body: "down"})
	arm(t, f.Server, traffic.Fault{Op: "notes.whole", Status: http.StatusBadGateway, Header: http.Header{"date": {"Thu, 01 Jan 1970 00:00:00 GMT"}}})
	defer http.DefaultClient.CloseIdleConnections()
	for over, client := range map[string]*http.Client{"sockets": http.DefaultClient, "memory": {Transport: f.Transport()}} {
		for _, tc := range []struct {
			path   string
			status int
			want   string
		}{
			{f.path("/store"), 200, ""},
			{f.path("/webhooks/1"), 404, ""},
			{f.path("/test-nothing"), 404, ""},
			{"/v1/123/products", 401, ""},
			{"/", 404, ""},
			{"/auth/apps/1/authorize", 404, ""},
			{f.path("/test-notes"), 503, ""},
			{f.path("/test-notes/whole"), 502, "Thu, 01 Jan 1970 00:00:00 GMT"}, // the fault is that the date is wrong
		} {
			f.clock.Advance(time.Hour)
			req, err := http.NewRequest("GET", base+tc.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+f.token)
			answer, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if tc.want == "" {
				tc.want = f.clock.Now().UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
			}
			if got := answer.Header.Values("Date"); !slices.Equal(got, []string{tc.want}) || answer.StatusCode != tc.status {
				t.Errorf("GET %s over %s: %d dated %q, want %d dated %q", tc.path, over, answer.StatusCode, got, tc.status, tc.want)
			}
		}
	}
}

// TestDateAfterDelay: an answer that was held back is dated by when it is given.
func TestDateAfterDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setup(t, Options{})
		arm(t, f.Server, traffic.Fault{Op: "store.get", Delay: time.Minute})
		done := make(chan string)
		go func() { done <- f.do("GET /store", "").Header().Get("Date") }()
		synctest.Wait()
		f.clock.Advance(time.Minute)
		if got := <-done; got != "Wed, 01 Jan 2025 12:01:00 GMT" {
			t.Errorf("dated %q, want a minute after noon", got)
		}
	})
}
