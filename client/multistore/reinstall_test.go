package multistore_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
)

// The app was removed from a store, which both replicas know, and a replica without promotions installs it again. Late
// events arrive at the other one, where the platform does not know the new token for a few minutes. Nothing that
// belongs to the new installation is ended, and it is prepared once.
func TestReinstallAtAnotherReplica(t *testing.T) {
	for _, lasts := range []time.Duration{time.Second, 25 * time.Second, 9 * time.Minute} {
		t.Run(lasts.String(), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { reinstall(t, lasts) }) })
	}
}

func reinstall(t *testing.T, lasts time.Duration) {
	w, stop := start(t)
	defer stop()
	promotions := w.Promotions
	w.Promotions = nil
	defer func() { w.Promotions = promotions }()
	other := w.shop.replica()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() {
		if err := errors.Join(other.Worker.Run(ctx), other.Promotions.Close()); err != nil {
			t.Error(err)
		}
	})
	w.platform.answers(suspect, refused)
	for range 3 {
		for _, r := range []*replica{w.replica, other} {
			r.Judge.Observe(ctx, suspect, r.Stores.Probe(ctx, suspect))
		}
		time.Sleep(30 * time.Second)
	}
	if v := other.Judge.Verdict(ctx, suspect, client.ActErase); v.Access != client.AccessGone {
		t.Fatalf("after the removal: %+v", v)
	}
	ends := time.Now().Add(lasts)
	w.platform.answers(suspect, refusedUntil(ends))
	w.visit(callback(w.state), w.bake...)
	if v := w.Judge.Verdict(ctx, suspect, client.ActErase); v.Access == client.AccessGone {
		t.Errorf("after the new installation: %+v", v)
	}
	for _, body := range []string{event("app/uninstalled", 1), event("store/redact", 1), paid} {
		if status, err := other.hooks.Deliver(ctx, []byte(body)); status != 200 || err != nil {
			t.Fatal(status, err)
		}
	}
	for time.Since(ends) < 30*time.Minute {
		if code := other.cart(suspect); code == discounts.StatusUninstalled {
			t.Errorf("%v after the end of the refusals, a cart is answered 310", time.Since(ends))
		}
		time.Sleep(10 * time.Second)
	}
	in, err := w.tokens.Load(ctx, suspect)
	w.shop.mu.Lock()
	defer w.shop.mu.Unlock()
	if err != nil || in.Due || in.Token != "again" || len(w.redacted) > 0 || len(w.lost) > 0 || w.calls[stateDeleted] != 1 || w.calls[handlerCalled] > 0 {
		t.Errorf("stored %v, %v; redacted %v, lost %q, calls %v", in, err, w.redacted, w.lost, w.calls)
	}
}

// A merchant installs the app while the platform refuses all tokens for three hours. The new token is not retired, and
// the installation is completed once within two hours after the outage.
func TestInstallDuringAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, stop := start(t)
		defer stop()
		w.platform.set(true)
		w.visit(callback(w.state), w.bake...)
		for range 3 * 60 {
			time.Sleep(time.Minute)
			w.look()
		}
		in, err := w.tokens.Load(t.Context(), suspect)
		w.shop.mu.Lock()
		if err != nil || !in.Due || len(w.calls) != 1 || w.calls[stateUsed] != 1 {
			t.Errorf("at the end of the outage: stored %v, Due %v, %v; calls %v", in, in.Due, err, w.calls)
		}
		w.shop.mu.Unlock()
		w.platform.set(false)
		time.Sleep(2 * time.Hour)
		w.look()
		in, err = w.tokens.Load(t.Context(), suspect)
		w.shop.mu.Lock()
		defer w.shop.mu.Unlock()
		if err != nil || in.Due || in.Token != "again" || w.calls[stateDeleted] != 1 || len(w.calls) != 2 {
			t.Errorf("two hours later: stored %v, Due %v, %v; calls %v", in, in.Due, err, w.calls)
		}
	})
}
