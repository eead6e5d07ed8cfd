package inboxshards_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxshards"
)

// server opens an inbox, with the error that a test gives it.
type server struct {
	engine inboxshards.Engine

	mu     sync.Mutex
	err    error
	hangs  bool
	opened int
	shut   int
}

func (s *server) set(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err, s.hangs = err, false
}

func (s *server) open(ctx context.Context) (inboxshards.Engine, error) {
	s.mu.Lock()
	hangs := s.hangs
	s.mu.Unlock()
	if hangs {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	s.opened++
	return closable{s.engine, s}, nil
}

type closable struct {
	inboxshards.Engine
	server *server
}

func (c closable) Close() error {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.server.shut++
	return nil
}

var errAway = fmt.Errorf("no route to host: %w", webhook.ErrUnavailable)

// A process starts while a shard is down. Only its stores are refused, and it is opened when it answers.
func TestOpenWhileAShardIsDown(t *testing.T) {
	for name, hangs := range map[string]bool{"refuses": false, "hangs": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { openWhileDown(t, hangs) })
		})
	}
}

func openWhileDown(t *testing.T, hangs bool) {
	a, b := &server{engine: memory(t, 0), err: errAway, hangs: hangs}, &server{engine: memory(t, 0)}
	var reports []string
	began := time.Now()
	in, err := inboxshards.Open(t.Context(), inboxshards.Options{
		Shards: []inboxshards.Shard{{Name: "a", Open: a.open}, {Name: "b", Open: b.open}},
		OnDown: func(shard string, err error) {
			reports = append(reports, fmt.Sprint(shard, " is down: ", errors.Is(err, webhook.ErrUnavailable), err != nil))
		},
	})
	if err != nil || time.Since(began) > 5*time.Second {
		t.Fatalf("after %v: %v", time.Since(began), err)
	}
	synctest.Wait()
	var events webhook.Registry
	entry := func(store client.ID) webhook.Entry {
		return events.Entry("app", "", fmt.Appendf(nil, `{"store_id":%d,"event":"order/created","id":1}`, store))
	}
	accepted := 0
	var refused client.ID
	for store := client.ID(1); store <= 20; store++ {
		_, err := in.Accept(t.Context(), entry(store))
		if err == nil {
			accepted++
		} else if refused = store; !strings.Contains(err.Error(), `shard "a": not open yet`) {
			t.Errorf("store %d: %v, want an error that names the shard", store, err)
		}
	}
	leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 100, Term: time.Hour})
	if err != nil || accepted == 0 || refused == 0 || len(leases) != accepted {
		t.Errorf("%d accepted, store %d refused, %d leased: %v", accepted, refused, len(leases), err)
	}
	sum, err := in.Stats(t.Context())
	if sum.Leased != accepted || err == nil || !strings.Contains(err.Error(), `shard "a"`) {
		t.Errorf("Stats: %d leased, %v, want the sum of the others and the name", sum.Leased, err)
	}
	if err := webhook.InboxAnswers(in).Run(t.Context()); err != nil {
		t.Errorf("InboxAnswers: %v, want nil because a shard answers", err)
	}
	time.Sleep(time.Minute)
	a.set(errors.New("newer schema"))
	time.Sleep(6 * time.Minute)
	a.set(nil)
	if err := in.Wait(t.Context(), webhook.LeaseQuery{Limit: 1}, time.Hour); err != nil {
		t.Error(err)
	}
	if _, err := in.Accept(t.Context(), entry(refused)); err != nil {
		t.Errorf("after the outage: %v", err)
	}
	synctest.Wait()
	want := "a is down: true true, a is down: false true, a is down: false false"
	if got := strings.Join(reports, ", "); got != want {
		t.Errorf("reports %q, want %q", got, want)
	}
	if err := in.Close(); err != nil || a.shut != 1 || b.shut != 1 {
		t.Errorf("closed %d and %d times, %v", a.shut, b.shut, err)
	}
}

// A process does not start if a shard is wrong or if none answers, and leaves no shard open.
func TestOpenFails(t *testing.T) {
	other := memory(t, 0)
	in, err := inboxshards.Open(t.Context(), inboxshards.Options{Shards: []inboxshards.Shard{{Name: "c", Inbox: other}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	for want, servers := range map[string][2]*server{
		"newer schema":             {{engine: memory(t, 0)}, {err: errors.New("newer schema")}},
		"is that of another shard": {{engine: memory(t, 0)}, {engine: other}},
		"Open returned no inbox":   {{engine: memory(t, 0)}, {}},
		"no route to host":         {{err: errAway}, {err: errAway}},
		`shard "b": no route`:      {{err: errAway}, {err: errAway}},
		`shard "a": another app's`: {{err: errors.New("another app's")}, {err: errAway}},
	} {
		a, b := servers[0], servers[1]
		open := b.open
		if want == "Open returned no inbox" {
			open = func(context.Context) (inboxshards.Engine, error) { return nil, nil }
		}
		_, err := inboxshards.Open(t.Context(), inboxshards.Options{
			Shards: []inboxshards.Shard{{Name: "a", Open: a.open}, {Name: "b", Open: open}},
			OnDown: func(shard string, err error) { t.Errorf("reported %s: %v", shard, err) },
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		if a.opened != a.shut || b.opened != b.shut {
			t.Errorf("%s: opened %d and %d, closed %d and %d", want, a.opened, b.opened, a.shut, b.shut)
		}
	}
}

// Open ends with its context, also while a shard hangs and no other one is open.
func TestOpenEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		s := &server{hangs: true}
		_, err := inboxshards.Open(ctx, inboxshards.Options{Shards: []inboxshards.Shard{{Name: "a", Open: s.open}}})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the end of the context", err)
		}
	})
}
