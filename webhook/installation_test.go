package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/webhook"
)

func TestAccessOf(t *testing.T) {
	down := errors.New("down")
	for _, tt := range []struct {
		err  error
		want webhook.Access
	}{
		{nil, webhook.AccessActive}, {client.ErrForbidden, webhook.AccessActive},
		{client.ErrNotFound, webhook.AccessActive},
		{client.ErrPaymentRequired, webhook.AccessSuspended}, {client.ErrUnauthorized, webhook.AccessGone},
		{oauth.ErrNotInstalled, webhook.AccessGone},
		{client.ErrServer, ""}, {client.ErrRateLimited, ""}, {context.DeadlineExceeded, ""}, {down, ""},
	} {
		if tt.err != nil && tt.err != down {
			tt.err = fmt.Errorf("GET /store: %w", tt.err)
		}
		got, err := webhook.AccessOf(tt.err)
		if got != tt.want || (tt.want == "") != (err != nil) {
			t.Errorf("%v: got %q, %v; want %q", tt.err, got, err, tt.want)
		}
	}
}

// A store/redact comes when the app has long forgotten its token. Its probe failed then, and the request was tried
// until it was dead.
func TestAccessWithoutToken(t *testing.T) {
	platform := clienttest.New(t)
	c, err := client.New(client.Config{
		BaseURL: platform.URL(), StoreID: platform.StoreID(), UserAgent: "Test (t@example.com)",
		Token:      oauth.TokenSource(t.Context(), &oauth.MemoryStore{}, platform.StoreID()),
		HTTPClient: &http.Client{Transport: platform.Transport()},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, failure := v202503.Store(c).Get(t.Context())
	if got, err := webhook.AccessOf(failure); got != webhook.AccessGone || err != nil {
		t.Errorf("%v: got %q, %v; want %q", failure, got, err, webhook.AccessGone)
	}
}

// installation is a house whose handlers write down what they are called with.
func installation(t *testing.T, found *webhook.Installation, probeErr *error) (*house, *[]string) {
	h := newHouse(t)
	var calls []string
	note := func(name string) func(ctx context.Context) {
		return func(ctx context.Context) { calls = append(calls, name+" "+webhook.Epoch(ctx)) }
	}
	webhook.On(h.events, webhook.AppUninstalled, func(ctx context.Context, _ webhook.Delivery[webhook.App]) error {
		note("uninstalled")(ctx)
		return nil
	})
	webhook.On(h.events, webhook.StoreRedactRequested,
		func(ctx context.Context, _ webhook.Delivery[webhook.StoreRedact]) error {
			note("redact")(ctx)
			return nil
		})
	webhook.On(h.events, webhook.AppSuspended, func(ctx context.Context, _ webhook.Delivery[webhook.AppAccess]) error {
		note("suspended")(ctx)
		return nil
	})
	webhook.On(h.events, webhook.AppResumed, func(ctx context.Context, _ webhook.Delivery[webhook.AppAccess]) error {
		note("resumed")(ctx)
		return nil
	})
	h.worker.Probe = func(_ context.Context, store client.ID) (webhook.Installation, error) {
		if store != 123 {
			t.Errorf("asked for store %d, want 123", store)
		}
		return *found, *probeErr
	}
	return h, &calls
}

// TestInstallationGuard: what an installation may lose by a late delivery.
func TestInstallationGuard(t *testing.T) {
	event := func(name string) string { return `{"store_id":123,"event":"` + name + `","id":7}` }
	tests := []struct {
		name   string
		access webhook.Access
		events []string
		want   []string
		stale  int
	}{
		{"uninstalled", webhook.AccessGone, []string{"app/uninstalled", "store/redact"},
			[]string{"uninstalled e1", "redact e1"}, 0},
		{"installed again", webhook.AccessActive, []string{"app/uninstalled", "store/redact"}, nil, 2},
		{"suspended, not gone", webhook.AccessSuspended, []string{"app/uninstalled", "store/redact"}, nil, 2},
		{"suspended", webhook.AccessSuspended, []string{"app/suspended"}, []string{"suspended e1"}, 0},
		{"suspended, told late", webhook.AccessSuspended, []string{"app/suspended", "app/resumed"},
			[]string{"suspended e1"}, 0},
		{"resumed, told early", webhook.AccessActive, []string{"app/resumed", "app/suspended"}, []string{"resumed e1"},
			0},
		{"resumed and gone", webhook.AccessGone, []string{"app/resumed"}, nil, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				found, failing := webhook.Installation{Access: tt.access, Epoch: "e1"}, errors.New("connection refused")
				h, calls := installation(t, &found, &failing)
				for _, name := range tt.events {
					h.deliver(event(name))
				}
				stop := h.run()
				synctest.Wait()
				if len(*calls) != 0 {
					t.Fatalf("got %v while the probe fails, want none", *calls)
				}
				stop()
				failing = nil
				h.failures = nil
				stop = h.run()
				time.Sleep(time.Minute)
				synctest.Wait()
				slices.Sort(*calls)
				slices.Sort(tt.want)
				told := h.told()
				if !slices.Equal(*calls, tt.want) || len(told) != tt.stale || tt.stale > 0 &&
					!errors.Is(told[0], webhook.ErrStale) || h.stats().Pending+h.stats().Dead != 0 {
					t.Errorf("got calls %v, reports %v, %+v; want %v, %d stale and nothing left", *calls, told,
						h.stats(), tt.want, tt.stale)
				}
				stop()
			})
		})
	}
}

// TestInstallationGuardInDirectMode: the same guard inside the request.
func TestInstallationGuardInDirectMode(t *testing.T) {
	found, failing := webhook.Installation{Access: webhook.AccessActive, Epoch: "e1"}, error(nil)
	h, calls := installation(t, &found, &failing)
	h.hooks.Inbox, h.hooks.Probe, h.hooks.Judge = nil, h.worker.Probe, &client.Judge{FirstRefusal: true}
	h.deliver(`{"store_id":123,"event":"app/uninstalled","id":7}`)
	h.deliver(`{"store_id":123,"event":"app/suspended","id":7}`)
	found.Access = webhook.AccessGone
	h.deliver(`{"store_id":123,"event":"app/uninstalled","id":7}`)
	if want := []string{"resumed e1", "uninstalled e1"}; !slices.Equal(*calls, want) {
		t.Errorf("got %v, want %v", *calls, want)
	}
	if told := h.told(); len(told) != 1 || !errors.Is(told[0], webhook.ErrStale) {
		t.Errorf("got reports %v, want one of ErrStale", told)
	}
	failing = errors.New("connection refused")
	if got := h.status(`{"store_id":123,"event":"app/uninstalled","id":7}`); got != 503 {
		t.Errorf("got status %d when the probe fails, want 503", got)
	}
}

// TestHandlersBehindGuards: what is asked before a handler is called takes nothing from it: the delivery reaches it,
// and is answered 2xx only if it returned nil.
func TestHandlersBehindGuards(t *testing.T) {
	down := errors.New("the database is down")
	for body, access := range map[string]webhook.Access{
		paid: webhook.AccessActive,
		`{"store_id":123,"event":"app/uninstalled","id":7}`:                      webhook.AccessGone,
		`{"store_id":123,"event":"store/redact"}`:                                webhook.AccessGone,
		`{"store_id":123,"event":"app/resumed","id":7}`:                          webhook.AccessActive,
		`{"store_id":123,"event":"app/suspended","id":7}`:                        webhook.AccessSuspended,
		`{"store_id":123,"event":"customers/redact","customer":{"id":7}}`:        webhook.AccessActive,
		`{"store_id":123,"event":"product/updated","id":5}`:                      webhook.AccessActive, // is ignored
		`{"store_id":123,"event":"app/suspended","id":7,"reason":"not resumed"}`: webhook.AccessActive,
	} {
		h := newHouse(t)
		h.hooks.Inbox, h.hooks.Judge = nil, &client.Judge{FirstRefusal: true}
		h.hooks.KnownStore = func(context.Context, client.ID) (bool, error) { return true, nil }
		h.hooks.Probe = func(context.Context, client.ID) (webhook.Installation, error) {
			return webhook.Installation{Access: access}, nil
		}
		var result error
		runs := 0
		handle := func() error { runs++; return result }
		h.orderPaid(func(context.Context) error { return handle() })
		webhook.On(h.events, webhook.AppUninstalled,
			func(context.Context, webhook.Delivery[webhook.App]) error { return handle() })
		webhook.On(h.events, webhook.StoreRedactRequested,
			func(context.Context, webhook.Delivery[webhook.StoreRedact]) error { return handle() })
		webhook.On(h.events, webhook.AppResumed, func(context.Context, webhook.Delivery[webhook.AppAccess]) error {
			return handle()
		})
		webhook.On(h.events, webhook.AppSuspended,
			func(context.Context, webhook.Delivery[webhook.AppAccess]) error { return handle() })
		webhook.On(h.events, webhook.CustomerRedactRequested,
			func(context.Context, webhook.Delivery[webhook.CustomerRedact]) error { return handle() })
		h.events.Ignore(webhook.ProductUpdated.Name)
		ignored := strings.Contains(body, "product/updated")
		if h.deliver(body); runs != 1 && !ignored {
			t.Errorf("%s: got %d runs, want one", body, runs)
		}
		result = down
		want := 503
		if ignored {
			want = 200
		}
		if got := h.status(body); got != want {
			t.Errorf("%s: got status %d when the handler fails, want %d", body, got, want)
		}
		if told := h.told(); !ignored && (len(told) != 1 || !errors.Is(told[0], down)) || ignored && len(told) != 0 {
			t.Errorf("%s: got reports %v, want the error of the handler", body, told)
		}
	}
}

// TestAccessWithOneHandler: app/suspended and app/resumed share an entry, so an app that handles one of them must hear
// of it though the other came last: such an app/resumed was buried as unhandled.
func TestAccessWithOneHandler(t *testing.T) {
	for _, tt := range []struct {
		access webhook.Access
		events []string
		runs   int
	}{
		{webhook.AccessActive, []string{"app/resumed", "app/suspended"}, 1},
		{webhook.AccessActive, []string{"app/suspended", "app/resumed"}, 1},
		{webhook.AccessSuspended, []string{"app/resumed", "app/suspended"}, 0},
		{webhook.AccessSuspended, []string{"app/suspended", "app/resumed"}, 0},
	} {
		t.Run(fmt.Sprint(tt.access, tt.events), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				runs := 0
				webhook.On(h.events, webhook.AppResumed,
					func(context.Context, webhook.Delivery[webhook.AppAccess]) error { runs++; return nil })
				h.worker.Probe = func(context.Context, client.ID) (webhook.Installation, error) {
					return webhook.Installation{Access: tt.access}, nil
				}
				for _, name := range tt.events {
					h.deliver(`{"store_id":123,"event":"` + name + `","id":7}`)
				}
				stop := h.run()
				synctest.Wait()
				stop()
				if want := (webhook.Stats{}); runs != tt.runs || h.stats() != want || len(h.told()) != 0 {
					t.Errorf("got %d runs, %+v, reports %v; want %d and nothing left", runs, h.stats(), h.told(),
						tt.runs)
				}
			})
		})
	}
	t.Run("the other is ignored", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			runs := 0
			webhook.On(h.events, webhook.AppResumed,
				func(context.Context, webhook.Delivery[webhook.AppAccess]) error { runs++; return nil })
			h.events.Ignore(webhook.AppSuspended.Name)
			h.worker.Probe = func(context.Context, client.ID) (webhook.Installation, error) {
				return webhook.Installation{Access: webhook.AccessSuspended}, nil
			}
			h.deliver(`{"store_id":123,"event":"app/resumed","id":7}`)
			stop := h.run()
			synctest.Wait()
			stop()
			if want := (webhook.Stats{}); runs != 0 || h.stats() != want || len(h.told()) != 0 {
				t.Errorf("got %d runs, %+v, reports %v; want no run and nothing left", runs, h.stats(), h.told())
			}
		})
	})
	t.Run("nobody handles either", func(t *testing.T) {
		h := newHouse(t)
		h.orderPaid(func(context.Context) error { return nil })
		h.deliver(`{"store_id":123,"event":"app/suspended","id":7}`)
		if h.stats().Dead != 1 || h.stats().Pending != 0 {
			t.Errorf("got %+v, want it dead: no handler can have it", h.stats())
		}
	})
	t.Run("a body that nobody can read", func(t *testing.T) {
		h := newHouse(t)
		webhook.On(h.events, webhook.AppResumed, func(context.Context, webhook.Delivery[webhook.AppAccess]) error {
			return nil
		})
		h.hooks.Inbox = nil
		h.hooks.Probe = func(_ context.Context, store client.ID) (webhook.Installation, error) {
			t.Errorf("store %d was probed", store)
			return webhook.Installation{}, nil
		}
		h.deliver(`{"store_id":0,"event":"app/suspended","id":7}`)
		if told := h.told(); len(told) != 1 || !errors.Is(told[0], webhook.ErrMalformed) {
			t.Errorf("got reports %v, want one of ErrMalformed", told)
		}
	})
	t.Run("a body that does not fit", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			resumed := webhook.Event[struct{ ID string }]{Name: webhook.AppResumed.Name}
			webhook.On(h.events, resumed, func(context.Context, webhook.Delivery[struct{ ID string }]) error {
				return nil
			})
			h.worker.Probe = func(context.Context, client.ID) (webhook.Installation, error) {
				return webhook.Installation{Access: webhook.AccessActive}, nil
			}
			h.deliver(`{"store_id":123,"event":"app/suspended","ID":7}`)
			stop := h.run()
			synctest.Wait()
			stop()
			if told := h.told(); h.stats().Dead != 1 || len(told) != 1 || !errors.Is(told[0], webhook.ErrMalformed) {
				t.Errorf("got %+v, reports %v; want it dead as malformed", h.stats(), told)
			}
		})
	})
}

// TestUnknownStore: a store may be in the middle of its installation; one that is gone
// still has the right to have its data erased.
func TestUnknownStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		found, failing := webhook.Installation{Access: webhook.AccessGone}, error(nil)
		h, calls := installation(t, &found, &failing)
		h.worker.Judge = &client.Judge{FirstRefusal: true}
		known := make(chan bool, 1)
		known <- false
		h.worker.KnownStore = func(context.Context, client.ID) (bool, error) {
			k := <-known
			known <- k
			return k, nil
		}
		runs, customers := 0, 0
		h.orderPaid(func(context.Context) error { runs++; return nil })
		webhook.On(h.events, webhook.CustomerRedactRequested,
			func(context.Context, webhook.Delivery[webhook.CustomerRedact]) error {
				customers++
				return nil
			})
		h.deliver(paid)
		h.deliver(`{"store_id":123,"event":"app/uninstalled","id":7}`)
		h.deliver(`{"store_id":123,"event":"store/redact"}`)
		h.deliver(`{"store_id":123,"event":"customers/redact","customer":{"id":7},"orders_to_redact":[5]}`)
		stop := h.run()
		synctest.Wait()
		if want := []string{"redact "}; !slices.Equal(*calls, want) || customers != 1 || runs != 0 ||
			h.stats().Pending != 1 {
			t.Errorf("got %v, %d customers erased, %d runs, %+v; want %v, one, none, and order/paid to wait", *calls,
				customers, runs, h.stats(), want)
		}
		<-known
		known <- true
		time.Sleep(time.Minute)
		synctest.Wait()
		stop()
		if runs != 1 || h.stats().Pending != 0 {
			t.Errorf("got %d runs, %+v; want order/paid handled once the store is known", runs, h.stats())
		}
	})
}

// ProbeBy finds each state of an installation, and an error where the API says nothing about it.
func TestProbeBy(t *testing.T) {
	platform := clienttest.New(t)
	tokens := &oauth.MemoryStore{}
	stores := &client.Stores{
		Config: client.Config{BaseURL: platform.URL(), UserAgent: "Test (t@example.com)",
			HTTPClient: &http.Client{Transport: platform.Transport()}},
		Tokens: oauth.Sources(tokens),
	}
	probe := webhook.ProbeBy(stores.Client)
	is := func(want webhook.Access) {
		t.Helper()
		if got, err := probe(t.Context(), platform.StoreID()); got.Access != want || err != nil {
			t.Errorf("got %+v, %v; want %q", got, err, want)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	is(webhook.AccessGone) // no token
	token, err := platform.Install()
	must(err)
	_, err = tokens.Swap(t.Context(), platform.StoreID(), 0,
		&oauth.Install{StoreID: platform.StoreID(), Token: token, Generation: 1})
	must(err)
	is(webhook.AccessActive)
	must(platform.Suspend(true))
	is(webhook.AccessSuspended)
	must(platform.Suspend(false))
	must(platform.Fault(clienttest.Fault{Operation: "GET /store", Count: 1, Status: http.StatusNotImplemented}))
	if got, err := probe(t.Context(), platform.StoreID()); err == nil {
		t.Errorf("after a status 501: %+v, want an error", got)
	}
	must(platform.Uninstall())
	is(webhook.AccessGone) // a dead token
}
