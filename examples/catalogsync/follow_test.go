package main

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// follower is the program with -follow, in this process.
type follower struct {
	out  *watcher
	stop context.CancelFunc
	done chan int
}

// follow runs the program until its mirror is complete.
func (p *platform) follow(t *testing.T, args ...string) *follower {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	f := &follower{stop: stop, done: make(chan int, 1)}
	ready := make(chan struct{})
	f.out = newWatcher()
	f.out.on("webhooks for "+public+" arrive at ", func(address string) {
		if err := p.Forward(public, address); err != nil {
			t.Error(err)
		}
	})
	f.out.on(complete, func(string) { close(ready) })
	args = append(args, "-follow", "-public-url", public)
	go func() { f.done <- run(ctx, args, func(name string) string { return p.env[name] }, f.out) }()
	select {
	case <-ready:
	case status := <-f.done:
		t.Fatalf("the program ended with %d\n%s", status, f.out.text())
	}
	return f
}

func (f *follower) end(t *testing.T, status int, lines ...string) {
	t.Helper()
	f.stop()
	result{<-f.done, f.out.text()}.check(t, status, lines...)
}

func TestFollow(t *testing.T) {
	p := startPlatform(t, clienttest.Options{DuplicateWebhooks: true, ReorderWebhooks: true})
	shop := p.fill(t, 25, 12)
	f := p.follow(t)
	deleted := shop.products[4]
	if _, err := shop.work(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	if err := p.api.Products.Delete(t.Context(), deleted); err != nil {
		t.Fatal(err)
	}
	p.Clock().Advance(time.Minute) // some are sent later than others
	if err := p.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.equal(t)
	f.end(t, exitEqual, "webhook product/deleted "+deleted.String()+": removed", "webhook order/cancelled ", "interrupted")
	for _, d := range p.Deliveries() {
		if !d.Delivered || len(d.Attempts) != 1 {
			t.Errorf("%s was not taken at once: %+v", d.Event, d.Attempts)
		}
	}
	p.follow(t).end(t, exitEqual)
	if hooks, err := p.api.Webhooks.List(client.WebhookFilter{}).Collect(t.Context()); err != nil || len(hooks) != 15 {
		t.Errorf("got %d registrations and error %v, want 15: each once", len(hooks), err)
	}
}

// Without webhooks the questions for changes and the comparisons keep the mirror equal; a failure does not end them.
func TestFollowByTime(t *testing.T) {
	p := startPlatform(t, clienttest.Options{})
	shop := p.fill(t, 25, 3)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	out := newWatcher()
	out.on(complete, func(string) {
		p.fault(t, clienttest.Fault{Operation: "GET /products", Count: 1, Status: http.StatusConflict})
		if _, err := shop.work(ctx, 1); err != nil {
			t.Error(err)
		}
	})
	out.on("products: GET /products: 409", func(string) {
		out.on("products: compared 25 records: 0 removed, 0 read again", func(string) { stop() })
	})
	status := run(ctx, []string{"-follow", "-every", "1ms", "-reconcile", "5ms"}, func(name string) string { return p.env[name] }, out)
	result{status, out.text()}.check(t, exitEqual, "interrupted")
	p.equal(t)
}

// A token that is no longer valid ends the program.
func TestFollowUnauthorized(t *testing.T) {
	p := startPlatform(t, clienttest.Options{})
	p.fill(t, 3, 3)
	out := newWatcher()
	out.on(complete, func(string) {
		if err := p.Uninstall(); err != nil {
			t.Error(err)
		}
	})
	status := run(t.Context(), []string{"-follow", "-every", "1ms"}, func(name string) string { return p.env[name] }, out)
	result{status, out.text()}.check(t, exitFailed, "catalogsync: GET /products: 401")
}

func TestInterrupted(t *testing.T) {
	p := startPlatform(t, clienttest.Options{})
	p.fill(t, 25, 3)
	ctx, interrupt := context.WithCancel(t.Context())
	out := newWatcher()
	out.on("products: 10 of 25", func(string) { interrupt() })
	status := run(ctx, nil, func(name string) string { return p.env[name] }, out)
	result{status, out.text()}.check(t, exitFailed, "context canceled")
	play(t, p.env).check(t, exitEqual, "products: the crawl goes on behind id ", ", where 10 records are mirrored")
	p.equal(t)
}
