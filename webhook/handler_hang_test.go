package webhook_test

import (
	"context"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

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
		"Trace": {func(h *house, hang func()) { h.hooks.Trace = func(context.Context) string { hang(); return "" } },
			paid, 200, brief},
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
			webhook.On(h.events, webhook.Event[decoded]{Name: webhook.OrderPacked.Name},
				func(context.Context, webhook.Delivery[decoded]) error { return nil })
			decoding = hang
		}, packed, 503, webhook.DefaultBudget},
		"a payload that is decoded to be stored": {func(h *house, hang func()) {
			webhook.On(h.events, webhook.Event[decoded]{Name: webhook.OrderPacked.Name},
				func(context.Context, webhook.Delivery[decoded]) error { return nil })
			decoding = hang
		}, packed, 503, webhook.DefaultAcceptTime},
	} {
		for way, hang := range map[string]func(){
			"hangs": func() { time.Sleep(time.Hour) }, "panics": func() { panic("no") },
			"ends its goroutine": runtime.Goexit} {
			t.Run(name+" "+way, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					h := newHouse(t)
					h.orderPaid(func(context.Context) error { return nil })
					tt.change(h, hang)
					want, answer := tt.took, tt.status
					if way != "hangs" {
						want = 0
					}
					if way == "panics" && tt.body == packed { // then the body is malformed
						answer = http.StatusOK
					}
					began := time.Now()
					if got := h.status(tt.body); got != answer || time.Since(began) != want {
						t.Errorf("got %d after %v, want %d after %v", got, time.Since(began), answer, want)
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
