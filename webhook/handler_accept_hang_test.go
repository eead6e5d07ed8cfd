package webhook_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// acceptor is an inbox or a queue whose calls do something first.
type acceptor struct {
	webhook.Inbox
	first func() error
	calls atomic.Int32
}

func (a *acceptor) Accept(ctx context.Context, e ...webhook.Entry) ([]webhook.Outcome, error) {
	if err := a.Deliver(ctx, e[0]); err != nil {
		return nil, err
	}
	return a.Inbox.Accept(context.WithoutCancel(ctx), e...)
}

func (a *acceptor) Deliver(context.Context, webhook.Entry) error {
	a.calls.Add(1)
	return a.first()
}

// accepting calls a test of each mode in which deliveries are stored, with the name of what stores them.
func accepting(t *testing.T, test func(t *testing.T, h *house, a *acceptor, name string)) {
	t.Helper()
	for _, name := range []string{"Inbox.Accept", "Sink.Deliver"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				h.orderPaid(func(context.Context) error { return nil })
				a := &acceptor{Inbox: h.inbox}
				h.hooks.Inbox = a
				if name == "Sink.Deliver" {
					h.hooks.Inbox, h.hooks.OnAccepted, h.hooks.Sink = nil, nil, a
				}
				test(t, h, a, name)
			})
		})
	}
}

// Whatever the inbox or the queue does, the answer is in time, and 200 only after it has accepted the delivery.
func TestAcceptThatHangs(t *testing.T) {
	hang := func() error { time.Sleep(time.Hour); return nil }
	for name, tt := range map[string]struct {
		first  func() error
		budget time.Duration // of the handler
		body   time.Duration // until it has arrived
		took   time.Duration
		says   string
	}{
		"hangs":                   {hang, 0, 0, webhook.DefaultAcceptTime, "must return within 2s"},
		"hangs, short budget":     {hang, time.Second, 0, time.Second, "must return within 1s"},
		"hangs after a slow body": {hang, 0, 2 * time.Second, webhook.DefaultBudget, "must return within 500ms"},
		"returns late":            {func() error { time.Sleep(3 * time.Second); return nil }, 0, 0, webhook.DefaultAcceptTime, "did not return in time"},
		"panics":                  {func() error { panic("no disk") }, 0, 0, 0, "panic: no disk"},
		"ends its goroutine":      {func() error { runtime.Goexit(); return nil }, 0, 0, 0, "Goexit"},
	} {
		accepting(t, func(t *testing.T, h *house, a *acceptor, call string) {
			h.hooks.Budget = tt.budget
			a.first = func() error {
				if a.calls.Load() > 1 {
					return nil
				}
				return tt.first()
			}
			r := hook(paid)
			r.Body = io.NopCloser(io.MultiReader(pausing(tt.body), r.Body))
			began, w := time.Now(), httptest.NewRecorder()
			h.hooks.ServeHTTP(w, r)
			if took := time.Since(began); w.Code != http.StatusServiceUnavailable || took != tt.took {
				t.Errorf("%s: got %d after %v, want 503 after %v", name, w.Code, took, tt.took)
			}
			if told := h.told(); len(told) != 1 || !strings.Contains(told[0].Error(), call+": ") || !strings.Contains(told[0].Error(), tt.says) || told[0].StoreID != 123 {
				t.Errorf("%s: got reports %v, want one of %s: %s", name, told, call, tt.says)
			}
			time.Sleep(2 * time.Hour)
			h.deliver(paid)
			if told := h.told(); len(told) != 1 {
				t.Errorf("%s: got reports %v, want no further one", name, told)
			}
		})
	}
}

// pausing is empty and takes its time to say so.
type pausing time.Duration

func (s pausing) Read([]byte) (int, error) { time.Sleep(time.Duration(s)); return 0, io.EOF }

// While 64 calls hang there is no further one, and deliveries are answered at once. When they have returned, deliveries
// are accepted again.
func TestAcceptsThatHangAreFew(t *testing.T) {
	accepting(t, func(t *testing.T, h *house, a *acceptor, call string) {
		const most = 64
		release := make(chan struct{})
		a.first = func() error { <-release; return nil }
		var all sync.WaitGroup
		for range most {
			all.Go(func() { h.status(paid) })
		}
		all.Wait()
		for range 100 {
			began := time.Now()
			if got := h.status(paid); got != http.StatusServiceUnavailable || time.Since(began) > 0 {
				t.Fatalf("while %d calls hang: got %d after %v, want 503 at once", most, got, time.Since(began))
			}
		}
		if n := a.calls.Load(); n != most {
			t.Errorf("got %d calls, want %d", n, most)
		}
		if told := h.told(); len(told) != most+100 || !strings.Contains(told[most].Error(), call+" is not called, because 64 calls of it hang") {
			t.Errorf("got %d reports, the last %v; want one for each delivery", len(told), told[len(told)-1])
		}
		close(release)
		synctest.Wait()
		h.deliver(paid)
	})
}

// No code of the app holds an answer for longer than Budget, whatever it does.
func TestCodeOfTheAppHangs(t *testing.T) {
	const unknown = `{"store_id":123,"event":"order/teleported","id":5}`
	const brief = webhook.DefaultBudget / 20 // of a hook
	inside := func(h *house) { h.hooks.Inbox, h.hooks.OnAccepted = nil, nil }
	for name, tt := range map[string]struct {
		change func(h *house, hang func())
		body   string
		status int
		took   time.Duration
	}{
		"Trace": {func(h *house, hang func()) { h.hooks.Trace = func(context.Context) string { hang(); return "" } }, paid, 200, brief},
		"OnAccepted": {func(h *house, hang func()) {
			h.hooks.OnAccepted = func(context.Context, webhook.Entry, webhook.Outcome) { hang() }
		}, paid, 200, brief},
		"Unknown": {func(h *house, hang func()) {
			h.hooks.Unknown = func(context.Context, webhook.Delivery[webhook.Unknown]) error { hang(); return nil }
		}, unknown, 503, webhook.DefaultBudget},
		"Unknown without an inbox": {func(h *house, hang func()) {
			inside(h)
			h.hooks.Unknown = func(context.Context, webhook.Delivery[webhook.Unknown]) error { hang(); return nil }
		}, unknown, 503, webhook.DefaultBudget},
		"KnownStore": {func(h *house, hang func()) {
			inside(h)
			h.hooks.KnownStore = func(context.Context, client.ID) (bool, error) { hang(); return true, nil }
		}, paid, 503, webhook.DefaultBudget},
		"Probe": {func(h *house, hang func()) {
			inside(h)
			webhook.OnStore(h.events, webhook.AppUninstalled, func(context.Context, client.ID) error { return nil })
			h.hooks.Probe = func(context.Context, client.ID) (webhook.Installation, error) {
				hang()
				return webhook.Installation{Access: webhook.AccessGone}, nil
			}
		}, `{"store_id":123,"event":"app/uninstalled","id":7}`, 503, webhook.DefaultBudget},
		"a payload that is decoded": {func(h *house, hang func()) {
			inside(h)
			webhook.On(h.events, webhook.Event[decoded]{Name: webhook.OrderPacked.Name}, func(context.Context, webhook.Delivery[decoded]) error { return nil })
			decoding = hang
		}, packed, 503, webhook.DefaultBudget},
		"a payload that is decoded to be stored": {func(h *house, hang func()) {
			webhook.On(h.events, webhook.Event[decoded]{Name: webhook.OrderPacked.Name}, func(context.Context, webhook.Delivery[decoded]) error { return nil })
			decoding = hang
		}, packed, 503, webhook.DefaultAcceptTime},
	} {
		for way, hang := range map[string]func(){"hangs": func() { time.Sleep(time.Hour) }, "ends its goroutine": runtime.Goexit} {
			t.Run(name+" "+way, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					h := newHouse(t)
					h.orderPaid(func(context.Context) error { return nil })
					tt.change(h, hang)
					want := tt.took
					if way != "hangs" {
						want = 0
					}
					began := time.Now()
					if got := h.status(tt.body); got != tt.status || time.Since(began) != want {
						t.Errorf("got %d after %v, want %d after %v", got, time.Since(began), tt.status, want)
					}
					if told := h.told(); len(told) != 1 {
						t.Errorf("got reports %v, want one", told)
					}
					time.Sleep(2 * time.Hour)
				})
			})
		}
	}
}

// decoded is a payload whose decoding does something.
type decoded struct{}

var decoding func()

func (*decoded) UnmarshalJSON([]byte) error { decoding(); return nil }

// OnJoined that hangs does not hold the answer of a delivery that waits for the next run.
func TestOnJoinedHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.hooks.Inbox, h.hooks.OnAccepted = nil, nil
		h.hooks.OnJoined = func(context.Context, webhook.Name, client.ID) { time.Sleep(time.Hour) }
		h.orderPaid(func(context.Context) error { time.Sleep(time.Second); return nil })
		began := time.Now()
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				if got := h.status(paid); got != http.StatusOK {
					t.Errorf("got %d, want 200", got)
				}
			})
		}
		all.Wait()
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("answered after %v, want 2s", took)
		}
		time.Sleep(2 * time.Hour)
	})
}
