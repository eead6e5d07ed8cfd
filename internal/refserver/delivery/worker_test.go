package delivery

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

const hook = "https://app.example/hook"

// partner answers with the statuses in turn, the last one for ever.
type partner struct {
	mu       sync.Mutex
	statuses []int
	got      []string
	headers  []http.Header
}

func (p *partner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, string(b))
	p.headers = append(p.headers, r.Header)
	status := p.statuses[0]
	if len(p.statuses) > 1 {
		p.statuses = p.statuses[1:]
	}
	w.WriteHeader(status)
	fmt.Fprint(w, "noted")
}

func start(t *testing.T, o Options, h http.Handler) (*Worker, *clock.Virtual) {
	t.Helper()
	c := clock.NewVirtual(clock.Start)
	if o.Clock == nil {
		o.Clock = c
	}
	o.Secret = func(int64) string { return "secret" }
	o.Work = work.New(o.Clock)
	t.Cleanup(o.Work.Close)
	w := New(o)
	if h != nil {
		if err := w.Routes.Handle("https://app.example", h); err != nil {
			t.Fatal(err)
		}
	}
	return w, c
}

func event(name string, fields map[string]any) world.Event {
	return world.Event{ID: 1, Store: 123, Name: name, Fields: fields, To: []world.Target{{App: 9, Webhook: 5, URL: hook}}}
}

func settle(t *testing.T, w *Worker) {
	t.Helper()
	if err := w.work.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestDelivered(t *testing.T) {
	p := &partner{statuses: []int{204}}
	w, c := start(t, Options{}, p)
	w.Enqueue([]world.Event{event("product/created", map[string]any{"id": int64(7)})})
	settle(t, w)
	want := `{"store_id":123,"event":"product/created","id":7}`
	if len(p.got) != 1 || p.got[0] != want {
		t.Fatalf("got %v, want %s once", p.got, want)
	}
	mac := hmac.New(sha256.New, []byte("secret"))
	mac.Write([]byte(want))
	if got := p.headers[0].Get("x-platform-hmac-sha256"); got != hex.EncodeToString(mac.Sum(nil)) {
		t.Errorf("signature %q", got)
	}
	if c.Pending() != 0 {
		t.Error("something is due after a 2xx")
	}
	d := w.Deliveries()[0]
	if d.State != Delivered || d.Webhook != 5 || d.Attempts[0].Status != 204 || !d.Next.IsZero() {
		t.Errorf("got %+v", d)
	}
}

func TestRetriesFollowTheSchedule(t *testing.T) {
	for name, r := range map[string]Retries{"standard": Standard(), "literal": Literal()} {
		t.Run(name, func(t *testing.T) {
			p := &partner{statuses: []int{500}}
			w, c := start(t, Options{Retries: r}, p)
			w.Enqueue([]world.Event{event("order/paid", nil)})
			settle(t, w)
			for c.AdvanceToNext() {
			}
			d := w.Deliveries()[0]
			if d.State != Failed || len(d.Attempts) != 16 || len(p.got) != 16 {
				t.Fatalf("%s after %d attempts, want failed after 16", d.State, len(d.Attempts))
			}
			var waits []time.Duration
			for i, a := range d.Attempts {
				if a.N != i+1 || a.Answer != "noted" {
					t.Errorf("attempt %d: %+v", i+1, a)
				}
				if i > 0 {
					waits = append(waits, a.Wait)
					if gap := a.At.Sub(d.Attempts[i-1].At); gap != a.Wait {
						t.Errorf("attempt %d came after %v, not %v", a.N, gap, a.Wait)
					}
				}
			}
			if !slices.Equal(waits, r.Waits()) {
				t.Errorf("waits: got %v, want %v", waits, r.Waits())
			}
		})
	}
}

func TestRecovers(t *testing.T) {
	p := &partner{statuses: []int{500, 302, 404, 200}}
	w, c := start(t, Options{}, p)
	w.Enqueue([]world.Event{event("order/paid", nil)})
	settle(t, w)
	if d := w.Deliveries()[0]; len(d.Attempts) != 2 || !d.Next.Equal(clock.Start.Add(5*time.Minute)) {
		t.Fatalf("two attempts at once, then five minutes: got %d, next %v", len(d.Attempts), d.Next)
	}
	c.Advance(48 * time.Hour)
	if d := w.Deliveries()[0]; d.State != Delivered || len(d.Attempts) != 4 {
		t.Errorf("%s after %d attempts", d.State, len(d.Attempts))
	}
}

func TestTimeoutOnVirtualClock(t *testing.T) {
	for _, tc := range []struct {
		takes time.Duration
		state State
	}{{2999 * time.Millisecond, Delivered}, {3 * time.Second, Pending}} {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _ = Spend(r.Context(), tc.takes) })
		w, _ := start(t, Options{}, h)
		w.Enqueue([]world.Event{event("order/paid", nil)})
		settle(t, w)
		d := w.Deliveries()[0]
		if d.State != tc.state || d.Attempts[0].Duration != tc.takes {
			t.Errorf("after %v: %s, took %v", tc.takes, d.State, d.Attempts[0].Duration)
		}
		if a := d.Attempts[0]; tc.state == Pending && (a.DecidedBy != "virtual" || a.Error != "no answer within 3s") {
			t.Errorf("decided by %s: %q", a.DecidedBy, a.Error)
		}
	}
}

func TestTimeoutInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _ = Spend(r.Context(), time.Minute) })
		w, _ := start(t, Options{Clock: clock.Real{}}, h)
		w.Enqueue([]world.Event{event("order/paid", nil)})
		settle(t, w)
		d := w.Deliveries()[0]
		if len(d.Attempts) != 2 || d.Attempts[0].Duration != 3*time.Second || d.Attempts[0].DecidedBy != "real" {
			t.Errorf("got %+v", d.Attempts)
		}
		w.work.Close()
	})
}

// A handler in this process is late by what it charges, however long the machine takes.
func TestMachineTimeIsNotCharged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, Options{}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(29 * time.Second) }))
		w.Enqueue([]world.Event{event("order/paid", nil)})
		settle(t, w)
		if d := w.Deliveries()[0]; d.State != Delivered || d.Attempts[0].Duration != 0 {
			t.Errorf("got %+v", d.Attempts)
		}
		w.work.Close()
	})
}

func TestPanicIsAFailure(t *testing.T) {
	w, _ := start(t, Options{}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("boom") }))
	w.Enqueue([]world.Event{event("order/paid", nil)})
	settle(t, w)
	if a := w.Deliveries()[0].Attempts[0]; !strings.Contains(a.Error, "boom") {
		t.Errorf("got %+v", a)
	}
}

func TestDuplicateAndReorder(t *testing.T) {
	p := &partner{statuses: []int{200}}
	w, _ := start(t, Options{Duplicate: true}, p)
	w.Enqueue([]world.Event{event("order/paid", nil)})
	settle(t, w)
	if len(p.got) != 2 || p.got[0] != p.got[1] {
		t.Errorf("duplicate: got %v", p.got)
	}

	p = &partner{statuses: []int{200}}
	w, c := start(t, Options{Reorder: true}, p)
	for id := range int64(4) {
		w.Enqueue([]world.Event{event("order/paid", map[string]any{"id": id})})
	}
	settle(t, w)
	c.Advance(ReorderBy)
	var order []string
	for _, b := range p.got {
		order = append(order, b[len(b)-2:len(b)-1])
	}
	if want := []string{"1", "3", "0", "2"}; !slices.Equal(order, want) {
		t.Errorf("reorder: got %v, want %v", order, want)
	}
}

func TestOrderOfFirstAttempts(t *testing.T) {
	p := &partner{statuses: []int{200}}
	w, _ := start(t, Options{}, p)
	var want []string
	for id := range int64(100) {
		w.Enqueue([]world.Event{event("order/paid", map[string]any{"id": id})})
		want = append(want, fmt.Sprintf(`{"store_id":123,"event":"order/paid","id":%d}`, id))
	}
	settle(t, w)
	if !slices.Equal(p.got, want) {
		t.Errorf("the first attempts are out of order: %v", p.got)
	}
}

func TestResend(t *testing.T) {
	p := &partner{statuses: []int{500, 500, 500, 200}}
	w, c := start(t, Options{}, p)
	w.Enqueue([]world.Event{event("order/paid", nil)})
	settle(t, w)
	resend := func() Delivery {
		t.Helper()
		if err := w.Resend(1); err != nil {
			t.Fatal(err)
		}
		settle(t, w)
		return w.Deliveries()[0]
	}
	// A retry stays due however often the delivery is resent in vain.
	if d := resend(); d.State != Pending || len(d.Attempts) != 3 || !d.Attempts[2].Resent || !d.Next.Equal(clock.Start.Add(5*time.Minute)) {
		t.Errorf("%s after %d attempts, next %v", d.State, len(d.Attempts), d.Next)
	}
	if d := resend(); d.State != Delivered || !d.Next.IsZero() {
		t.Errorf("%s, next %v", d.State, d.Next)
	}
	if at, ok := c.Next(); ok {
		t.Errorf("something is due at %v after the delivery", at)
	}
	c.Advance(48 * time.Hour)
	if d := w.Deliveries()[0]; len(d.Attempts) != 4 {
		t.Errorf("%d attempts", len(d.Attempts))
	}
	if err := w.Resend(2); err == nil || err.Error() != "delivery: there is no delivery 2" {
		t.Errorf("resent what is not there: %v", err)
	}
	w.work.Close()
	if err := w.Resend(1); err == nil || err.Error() != "delivery: 1 is not sent again: the server is closed" {
		t.Errorf("resent by a server that is closed: %v", err)
	}
}

func TestSuspendedStoreIsSilent(t *testing.T) {
	p := &partner{statuses: []int{500}}
	suspended := false
	w, c := start(t, Options{Suspended: func(int64) bool { return suspended }}, p)
	w.Enqueue([]world.Event{event("order/paid", nil)})
	settle(t, w)
	suspended = true
	c.Advance(48 * time.Hour)
	d := w.Deliveries()[0]
	if len(p.got) != 2 || d.State != Failed || !d.Next.IsZero() {
		t.Errorf("%d requests, %s, next %v", len(p.got), d.State, d.Next)
	}
	if a := d.Attempts[len(d.Attempts)-1]; a.N != 3 || a.Error != "store 123 is suspended: its webhooks are neither sent nor kept" {
		t.Errorf("the last attempt: %+v", a)
	}
}

func TestPayloads(t *testing.T) {
	for _, tc := range []struct {
		name   string
		fields map[string]any
		want   string
	}{
		{"domain/updated", nil, `{"store_id":123,"event":"domain/updated"}`},
		{"location/created", map[string]any{"id": "01H"}, `{"store_id":"123","event":"location/created","id":"01H"}`},
		{"fulfillment_order/status_updated", map[string]any{"status": "PACKED", "order_id": int64(5), "fulfillment_id": "01H"},
			`{"store_id":"123","event":"fulfillment_order/status_updated","fulfillment_id":"01H","order_id":"5","status":"PACKED"}`},
		{"store/redact", nil, `{"store_id":123}`},
		{"category/updated", map[string]any{"id": int64(1), "note": "<&>"}, `{"store_id":123,"event":"category/updated","id":1,"note":"<&>"}`},
	} {
		got, err := payload(event(tc.name, tc.fields))
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: got %s, %v, want %s", tc.name, got, err, tc.want)
		}
	}
}

func TestRoutes(t *testing.T) {
	var hosts []string
	real := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hosts = append(hosts, r.Host+r.URL.Path)
	}))
	defer real.Close()
	p := &partner{statuses: []int{200}}
	w, _ := start(t, Options{}, p)
	if err := w.Routes.Forward("https://hooks.app.example", real.URL); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"", "127.0.0.1:3000", "ftp://x", "http://127.0.0.1:0"} {
		if w.Routes.Forward("https://a.example", bad) == nil {
			t.Errorf("a route to %q was accepted", bad)
		}
	}
	if w.Routes.Handle("http://a.example", p) == nil {
		t.Error("a route for http was accepted")
	}
	if w.Routes.Handle("https://a.example", nil) == nil {
		t.Error("a route to no handler was accepted")
	}
	send := func(url string) Delivery {
		t.Helper()
		e := event("order/paid", nil)
		e.To[0].URL = url
		w.Enqueue([]world.Event{e})
		settle(t, w)
		ds := w.Deliveries()
		return ds[len(ds)-1]
	}
	if d := send("https://eu.hooks.app.example/a"); d.State != Delivered || !slices.Equal(hosts, []string{"eu.hooks.app.example/a"}) {
		t.Errorf("the longest name: %s, %v", d.State, hosts)
	}
	if d := send("https://other.app.example/a"); d.State != Delivered || len(p.got) != 1 {
		t.Errorf("the shorter name: %s", d.State)
	}
	if d := send("https://elsewhere.example/a"); d.State != Pending || d.Attempts[0].Error != noRoute("elsewhere.example").Error() {
		t.Errorf("no route: %+v", d.Attempts)
	}
}

func TestNetworkReachesPublicAddressesOnly(t *testing.T) {
	called := false
	real := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called = true }))
	defer real.Close()
	w, _ := start(t, Options{AllowNetwork: true}, &partner{statuses: []int{200}})
	e := event("order/paid", nil)
	e.To[0].URL = real.URL
	w.Enqueue([]world.Event{e})
	settle(t, w)
	if a := w.Deliveries()[0].Attempts[0]; called || !strings.Contains(a.Error, "not a public address") {
		t.Errorf("called %v, %+v", called, a)
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	for _, to := range []string{"/other", "https://127.0.0.1/", "http://169.254.169.254/latest", "https://inside.example/", "//[::1]/"} {
		n := 0
		real := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n++
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusTemporaryRedirect)
		}))
		w, _ := start(t, Options{Retries: Retries{Attempts: 1}}, &partner{statuses: []int{200}})
		if err := w.Routes.Forward("https://app.example", real.URL); err != nil {
			t.Fatal(err)
		}
		w.Enqueue([]world.Event{event("order/paid", nil)})
		settle(t, w)
		real.Close()
		if d := w.Deliveries()[0]; n != 1 || d.State != Failed || d.Attempts[0].Status != 307 {
			t.Errorf("%s: %d requests, %+v", to, n, d)
		}
	}
}

// A partner that leaves HTTP and says no more once held the worker for ever.
func TestSwitchedProtocolIsARefusal(t *testing.T) {
	real := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, buf, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = buf.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n")
		_ = buf.Flush()
		_, _ = io.Copy(io.Discard, conn) // until the worker hangs up
		_ = conn.Close()
	}))
	defer real.Close()
	w, _ := start(t, Options{Retries: Retries{Attempts: 1}}, &partner{statuses: []int{200}})
	if err := w.Routes.Forward("https://app.example", real.URL); err != nil {
		t.Fatal(err)
	}
	w.Enqueue([]world.Event{event("order/paid", nil)})
	settle(t, w)
	if d := w.Deliveries()[0]; d.State != Failed || d.Attempts[0].Status != 101 || d.Attempts[0].Answer != "" {
		t.Errorf("got %+v, want a failure with status 101", d)
	}
}

// An app receives as many first attempts at a time as it is set, and never more.
func TestAtOnce(t *testing.T) {
	for _, most := range []int{0, 3} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var now, peak, got int
			w, _ := start(t, Options{Clock: clock.Real{}, AtOnce: most}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				mu.Lock()
				now, got = now+1, got+1
				peak = max(peak, now)
				mu.Unlock()
				time.Sleep(time.Second)
				mu.Lock()
				now--
				mu.Unlock()
			}))
			for range 7 {
				w.Enqueue([]world.Event{event("order/paid", nil)})
			}
			began := time.Now()
			settle(t, w)
			if peak != max(1, most) || got != 7 {
				t.Errorf("%d at a time, %d in all; want %d and 7", peak, got, max(1, most))
			}
			if took, want := time.Since(began), time.Duration((7+max(1, most)-1)/max(1, most))*time.Second; took != want {
				t.Errorf("took %s, want %s", took, want)
			}
			w.Enqueue([]world.Event{event("order/paid", nil)})
			settle(t, w)
			if got != 8 {
				t.Error("nothing is sent after a pause")
			}
			w.work.Close()
		})
	}
}
