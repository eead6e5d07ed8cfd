package callback

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// The bytes of a body no longer count after it was read or rejected. Otherwise strangers could fill MaxReceiving
// permanently.
func TestBodiesOfStrangersAreFreed(t *testing.T) {
	var s steps
	k := stepping(&s)
	k.Limits.MaxReceiving = 2 * k.Limits.MaxBody
	h := NewServer(k, nil)
	for _, step := range []string{"admit", "verify", "malformed", "rejected", ""} {
		for range 100 {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(strings.Repeat("b", int(k.Limits.MaxBody))))
			r.Header.Set("X", step)
			w := httptest.NewRecorder()
			if h.ServeHTTP(w, r); w.Code == k.Full {
				t.Fatalf("%q: bodies that were read still count", step)
			}
		}
	}
	if held := h.bodies.held.Load(); held != 0 {
		t.Errorf("%d bytes are counted at the end", held)
	}
}

// Withheld requests give their places back.
func TestPlacesOfWithheldAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := stepping(&steps{})
		k.Withhold = func(_ *steps, arrived time.Time, _ int) time.Time { return arrived.Add(time.Minute) }
		k.Answered = nil
		h := NewServer(k, nil)
		for n := range 3 * k.Limits.MaxRuns {
			func() {
				defer func() {
					if recover() != http.ErrAbortHandler {
						t.Errorf("request %d was answered", n)
					}
				}()
				h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", http.NoBody))
			}()
		}
	})
}

// A log that hangs, and a hook, hold no refusal.
func TestRefusalsAreGuarded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := stepping(&steps{})
		k.Logger = slog.New(hanging{slog.DiscardHandler})
		k.OnRefused, k.Answered = nil, nil
		h := NewServer(k, nil)
		began := time.Now()
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody)); w.Code != http.StatusMethodNotAllowed || time.Since(began) > k.Limits.Budget/5 {
			t.Errorf("got %d after %v", w.Code, time.Since(began))
		}
		time.Sleep(time.Hour)
	})
}

// hanging is a log whose lines take half an hour.
type hanging struct{ slog.Handler }

func (hanging) Enabled(context.Context, slog.Level) bool { return true }
func (hanging) Handle(context.Context, slog.Record) error {
	time.Sleep(30 * time.Minute)
	return nil
}

// Functions that compute give back their processor, and those that got none their place.
func TestProcessorsAreGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := &Runs{Gate: NewGate(1000), Processors: NewProcessors()}
		call := func(do func()) error {
			_, err := Fly(t.Context(), runs, Work[int]{
				Party: Party{Store: client.ID(1)}, Due: time.Now().Add(time.Hour), Failed: func(context.Context, error, bool) {},
				Do: func(context.Context) (int, error) { do(); return 0, nil },
			})
			return err
		}
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() { _ = call(func() { time.Sleep(time.Second) }) })
			all.Go(func() { _ = call(func() { panic("no") }) })
		}
		all.Wait()
		if runs.Running() != 0 || runs.Processors.running != 0 {
			t.Errorf("at the end: %d places and %d processors are taken", runs.Running(), runs.Processors.running)
		}
	})
	full := &Runs{Gate: NewGate(10), Processors: &Processors{first: make(chan struct{}, 1), running: 1 << 20}}
	full.Processors.first <- struct{}{} // another function waits for a turn and gets none
	_, err := Fly(t.Context(), full, Work[int]{
		Due: time.Now().Add(time.Hour), Failed: func(context.Context, error, bool) {},
		Do: func(context.Context) (int, error) { t.Error("the function was called"); return 0, nil },
	})
	if !errors.Is(err, ErrBusy) || full.Running() != 0 {
		t.Errorf("without a processor: got %v, and %d places are taken", err, full.Running())
	}
}

// What is to happen when a flight lands has happened before its calls are answered, and before another flight of the
// key begins. An answer is remembered then, and its call is not repeated.
func TestLandedComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var flights Flights[string, int]
		var landed []string
		f, _ := flights.Join("key", func(out int, err error) {
			time.Sleep(time.Second)
			landed = append(landed, fmt.Sprint(out, err))
		})
		go f.Settle(7, nil)
		out, err := f.Wait(t.Context())
		if fmt.Sprint(landed) != "[7<nil>]" && fmt.Sprint(landed) != "[7 <nil>]" {
			t.Errorf("got %d, %v with landed %v", out, err, landed)
		}
		if g, joined := flights.Join("key", nil); joined || g == f {
			t.Error("joined a flight that has landed")
		}
	})
}
