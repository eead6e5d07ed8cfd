package shards

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"iter"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxshards"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

func TestMain(m *testing.M) {
	flag.Parse()
	goleak.VerifyTestMain(m)
}

var (
	two  = []string{"a", "b"}
	four = []string{"a", "b", "c", "d"}
)

// story moves stores from two shards to four under load, and kills shards and processes meanwhile.
func story(t *testing.T, servers map[string]*server, rounds int) {
	w := newWorld(t, servers, 24)
	w.start(nil, two...)
	stop := w.load()
	pause(t.Context(), 300*time.Millisecond)
	for range rounds {
		w.outage("b", nil)
		w.start(nil, two...)
		w.outage("b", func() { w.start(nil, two...) })
	}
	grow := &inboxshards.Change{Name: "four", From: two}
	p := w.start(grow, four...)
	for round := range rounds {
		ctx, cancel := context.WithCancel(p.ctx)
		moved := make(chan error, 1)
		go func() {
			_, err := p.Move(ctx, "app", w.listed(), nil)
			moved <- err
		}()
		pause(t.Context(), time.Duration(round)*time.Second)
		w.outage(four[3-round%4], nil)
		cancel()
		<-moved
		p = w.start(grow, four...)
	}
	sum, err := p.Move(p.ctx, "app", w.listed(), nil)
	if err != nil || sum.Stores < w.stores/4 {
		t.Errorf("moved %+v, %v", sum, err)
	}
	stop()
	w.settle()
	w.start(nil, four...)
	stop = w.load()
	w.outage("c", nil)
	stop()
	w.settle()
}

// outage kills a shard for a moment, in which it calls a function unless it is nil.
func (w *world) outage(name string, during func()) {
	w.t.Helper()
	s, from := w.servers[name], time.Now()
	if err := s.down(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	s.crashes = append(s.crashes, crash{from, time.Now()})
	w.mu.Unlock()
	if during != nil {
		during()
	}
	pause(w.t.Context(), 200*time.Millisecond)
	if err := s.up(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	pause(w.t.Context(), 200*time.Millisecond)
}

// listed lists the stores except 0, which has entries only.
func (w *world) listed() iter.Seq2[client.ID, error] {
	return func(yield func(client.ID, error) bool) {
		for store := 1; store < w.stores; store++ {
			if !yield(client.ID(store), nil) {
				return
			}
		}
	}
}

var errDown = fmt.Errorf("the shard is down: %w", webhook.ErrUnavailable)

// gate is a file whose reads and writes can be stopped.
type gate struct {
	engine
	shut *atomic.Bool
}

func (g gate) state() error {
	if g.shut.Load() {
		return errDown
	}
	return nil
}

func (g gate) Accept(ctx context.Context, all ...webhook.Entry) ([]webhook.Outcome, error) {
	if err := g.state(); err != nil {
		return nil, err
	}
	outcomes, err := g.engine.Accept(ctx, all...)
	return outcomes, errors.Join(err, g.state()) // the answer may be lost
}

func (g gate) Lease(ctx context.Context, q webhook.LeaseQuery) ([]webhook.Lease, error) {
	if err := g.state(); err != nil {
		return nil, err
	}
	return g.engine.Lease(ctx, q)
}

func (g gate) Commit(ctx context.Context, l webhook.Lease) (bool, error) {
	if err := g.state(); err != nil {
		return false, err
	}
	return g.engine.Commit(ctx, l)
}

func (g gate) Browse(ctx context.Context, q webhook.BrowseQuery) (webhook.BrowsePage, error) {
	if err := g.state(); err != nil {
		return webhook.BrowsePage{}, err
	}
	return g.engine.Browse(ctx, q)
}

func (g gate) Mark(ctx context.Context, name string) (time.Time, error) {
	if err := g.state(); err != nil {
		return time.Time{}, err
	}
	return g.engine.Mark(ctx, name)
}

func (g gate) SetMark(ctx context.Context, name string, at time.Time) error {
	if err := g.state(); err != nil {
		return err
	}
	return g.engine.SetMark(ctx, name, at)
}

func TestProofShardsSQLite(t *testing.T) {
	servers := make(map[string]*server)
	for _, name := range four {
		path, shut := filepath.Join(t.TempDir(), name+".db"), new(atomic.Bool)
		turn := func(down bool) func(context.Context) error {
			return func(context.Context) error { shut.Store(down); return nil }
		}
		servers[name] = &server{down: turn(true), up: turn(false),
			open: func(ctx context.Context) (engine, error) {
				if shut.Load() {
					return nil, errDown
				}
				in, err := sqlite.Open(ctx, path, sqlite.Options{})
				return gate{in, shut}, err
			}}
	}
	story(t, servers, tier.Size(1, 3, 60))
}

// The servers crash. A crash undoes the ends of the last runs, for which webhook/postgres does not wait for the disk.
// These runs are repeated, as with one inbox.
func TestProofShardsPostgres(t *testing.T) {
	rounds := tier.Size(0, 3, 60)
	if rounds == 0 {
		return // four servers are too much for make test
	}
	servers := make(map[string]*server)
	for _, name := range four {
		c, err := pgtest.New(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Stop)
		servers[name] = &server{up: c.Up,
			undoes: 600 * time.Millisecond, // see package postgres
			down:   func(ctx context.Context) error { return c.Down(ctx, pgtest.Immediate) },
			open: func(ctx context.Context) (engine, error) {
				return postgres.OpenURL(ctx, c.URL()+"&pool_max_conns=8", postgres.Options{OnError: func(error) {}})
			}}
	}
	story(t, servers, rounds)
}
