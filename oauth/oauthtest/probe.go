package oauthtest

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

const (
	replicas = 4  // handles on one store
	racers   = 32 // calls at a time
)

// rule is a test of one part of the documentation of a store.
type rule[S any] struct {
	name string
	test func(p *probe[S])
}

// probe is a test with the handles on one empty store.
type probe[S any] struct {
	testing.TB
	handles []S
	turn    atomic.Int64
}

// run runs each rule as a subtest with a store of its own.
func run[S any](t *testing.T, rules []rule[S], open func(t *testing.T, n int) []S) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			handles := open(t, replicas)
			if len(handles) != replicas {
				t.Fatalf("open returned %d handles, want %d", len(handles), replicas)
			}
			r.test(&probe[S]{TB: t, handles: handles})
		})
	}
}

// next returns the handles in turn.
func (p *probe[S]) next() S { return p.handles[p.turn.Add(1)%int64(len(p.handles))] }

// ended returns a context that has ended.
func (p *probe[S]) ended() context.Context {
	ctx, cancel := context.WithCancel(p.Context())
	cancel()
	return ctx
}

// race calls f in 32 goroutines at once, on all handles, and returns the numbers for which it returned true.
func (p *probe[S]) race(f func(store S, i int) bool) (winners []int) {
	won := make([]bool, racers)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range won {
		all.Go(func() {
			<-start
			won[i] = f(p.handles[i%len(p.handles)], i)
		})
	}
	close(start)
	all.Wait()
	for i, w := range won {
		if w {
			winners = append(winners, i)
		}
	}
	return winners
}

// hides fails the test if the secret can be read from a value, however it is printed.
func (p *probe[S]) hides(secret string, values ...any) {
	p.Helper()
	var shown strings.Builder
	logs := []*slog.Logger{slog.New(slog.NewTextHandler(&shown, nil)), slog.New(slog.NewJSONHandler(&shown, nil))}
	for _, v := range values {
		for _, place := range []any{v, []any{v}, map[string]any{"it": v}, struct{ It any }{v}} {
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
				_, _ = fmt.Fprintf(&shown, verb+"\n", place)
			}
			for _, log := range logs {
				log.Info("shown", "value", place)
			}
			if data, err := json.Marshal(place); err == nil {
				shown.Write(data)
			}
		}
	}
	raw := []byte(secret)
	for _, spelled := range []string{secret, hex.EncodeToString(raw), base64.StdEncoding.EncodeToString(raw)} {
		if strings.Contains(shown.String(), spelled) {
			p.Errorf("the token can be read from the printed store, or from an error")
			return
		}
	}
}
