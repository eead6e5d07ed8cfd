package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// While another system is down, entries wait until MaxAge, one report a minute names the cause, and they are handled
// soon after it. An entry that fails for a reason of its own dies after MaxAttempts as ever, and so does a handler that
// is late itself.
func TestOutages(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	late := func(ctx context.Context) error {
		<-ctx.Done()
		return fmt.Errorf("%w: %w", client.ErrNoAnswer, ctx.Err())
	}
	for name, tt := range map[string]struct {
		long          time.Duration
		fails         func(context.Context) error
		dead, reports bool
	}{
		"API":          {12 * time.Hour, func(context.Context) error { return client.ErrServer }, false, true},
		"connection":   {47 * time.Hour, func(context.Context) error { return refused }, false, true},
		"too long":     {50 * time.Hour, func(context.Context) error { return refused }, true, true},
		"own failure":  {12 * time.Hour, func(context.Context) error { return errors.New("no address") }, true, false},
		"late handler": {12 * time.Hour, late, true, false},
		"panic": {12 * time.Hour, func(context.Context) error {
			panic(client.ErrServer)
		}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { outageOf(t, tt.long, tt.fails, tt.dead, tt.reports) })
		})
	}
}

func outageOf(t *testing.T, long time.Duration, fails func(context.Context) error, dead, reports bool) {
	const entries = 50
	began := time.Now()
	var events webhook.Registry
	webhook.On(&events, webhook.OrderCreated, func(ctx context.Context, _ webhook.Delivery[webhook.Entity]) error {
		if time.Since(began) < long {
			return fails(ctx)
		}
		return nil
	})
	in, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range entries {
		e := events.Entry("", "", fmt.Appendf(nil, `{"store_id":1,"event":"order/created","id":%d}`, i+1))
		if _, err := in.Accept(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	reported, last := 0, time.Time{}
	worker := &webhook.Worker{Inbox: in, Registry: &events, OnFailure: func(_ context.Context, f *webhook.Failure) {
		if !errors.Is(f, webhook.ErrUnavailable) {
			return
		}
		if reported++; !last.IsZero() && time.Since(last) < time.Minute {
			t.Errorf("two reports within %v", time.Since(last))
		}
		last = time.Now()
	}}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx) }()
	time.Sleep(long + webhook.LongestBackoff + time.Second)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	s, err := in.Stats(t.Context())
	want := webhook.Stats{Done: entries}
	if dead {
		want = webhook.Stats{Dead: entries}
	}
	if err != nil || s != want || (reported > 0) != reports {
		t.Errorf("%+v, %v, %d reports; want %+v, reports %t", s, err, reported, want, reports)
	}
}
