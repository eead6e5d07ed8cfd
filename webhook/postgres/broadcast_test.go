package postgres

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/discounts"
)

var _ discounts.Broadcast = (*Broadcast)(nil)

// ear is a replica that receives notes until the end of the test.
type ear struct {
	mu    sync.Mutex
	notes map[string]int
	ended chan error
}

func receives(t *testing.T, b *Broadcast) *ear {
	e := &ear{notes: map[string]int{}, ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		e.ended <- b.Receive(ctx, func(note string) {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.notes[note]++
		})
	})
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	return e
}

func (e *ear) heard(note string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.notes[note]
}

// awaitListeners sends notes until all have heard one.
func awaitListeners(t *testing.T, b *Broadcast, all ...*ear) {
	t.Helper()
	until(t, "all listen", func() bool {
		if err := b.Send(t.Context(), "ping"); err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			if e.heard("ping") == 0 {
				return false
			}
		}
		return true
	})
}

// Notes reach every replica of their channel once they listen, each once, and nobody else; they are what was sent.
func TestBroadcast(t *testing.T) {
	t.Parallel()
	replica := func(channel string) *Broadcast {
		return &Broadcast{Pool: newPool(t, database.URL(), 2), Channel: channel}
	}
	channel := newSchema(t)
	sender := replica(channel)
	one, two, stranger := receives(t, sender), receives(t, replica(channel)), receives(t, replica(channel+"x"))
	awaitListeners(t, sender, one, two)
	awaitListeners(t, replica(channel+"x"), stranger)
	notes := []string{`{"store":1}`, "ä '\" \\", strings.Repeat("n", mostNote)}
	for _, note := range notes {
		if err := sender.Send(t.Context(), note); err != nil {
			t.Fatal(err)
		}
	}
	for _, note := range notes {
		until(t, "both have heard it", func() bool { return one.heard(note) == 1 && two.heard(note) == 1 })
		if stranger.heard(note) != 0 {
			t.Errorf("another channel has heard %.20q", note)
		}
	}
}

// What cannot be sent, or never be received, is an error that names it.
func TestBroadcastRefuses(t *testing.T) {
	t.Parallel()
	pool := newPool(t, database.URL(), 2)
	for want, err := range map[string]error{
		"Broadcast.Pool":     (&Broadcast{}).Send(t.Context(), "x"),
		"Broadcast.Channel":  (&Broadcast{Pool: pool, Channel: `a"b`}).Receive(t.Context(), func(string) {}),
		"note of 0 bytes":    (&Broadcast{Pool: pool}).Send(t.Context(), ""),
		"note of 8000 bytes": (&Broadcast{Pool: pool}).Send(t.Context(), strings.Repeat("n", mostNote+1)),
		"note of 3 bytes":    (&Broadcast{Pool: pool}).Send(t.Context(), "a\x00b"),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	through := &Broadcast{Pool: newPool(t, pooled(t, "transaction", "exec"), 4)}
	if err := through.Send(t.Context(), "x"); err != nil {
		t.Errorf("Send through a pooler: %v", err)
	}
	if err := through.Receive(t.Context(), func(string) {}); !errors.Is(err, errPooler) {
		t.Errorf("Receive through a pooler: %v, want what it cannot do", err)
	}
}

// A connection that is lost ends Receive with an error, and the end of its context without.
func TestBroadcastEnds(t *testing.T) {
	t.Parallel()
	b := &Broadcast{Pool: newPool(t, database.URL(), 2), Channel: newSchema(t)}
	e := receives(t, b)
	awaitListeners(t, b, e)
	if _, err := b.Pool.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = $1", `LISTEN "`+b.Channel+`"`); err != nil {
		t.Fatal(err)
	}
	if err := <-e.ended; err == nil {
		t.Error("Receive returned nil after its connection was lost")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := b.Receive(ctx, func(string) {}); err != nil {
		t.Errorf("Receive: %v after its context ended, want nil", err)
	}
}
