package delivery

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// lateWorker reads answers on for 30 s, on the clock of the machine, which is that of the bubble.
func lateWorker(t *testing.T, h http.HandlerFunc) *Worker {
	t.Helper()
	w := New(Options{
		Clock: clock.Real{}, Work: work.New(clock.Real{}), ReadLate: 30 * time.Second,
		Secret: func(int64) string { return "" },
	})
	if err := w.Routes.Handle("https://app.example", h); err != nil {
		t.Fatal(err)
	}
	return w
}

// end closes the worker, as a server does.
func (w *Worker) end() {
	w.work.Close()
	w.Close()
}

// sleep answers late, unless the request ends before.
func sleep(d time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(d):
			w.Header().Set("Set-Cookie", "SECRET")
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, "at last")
		case <-r.Context().Done():
		}
	}
}

// An answer after the limit is read, and changes nothing about the outcome.
func TestLateAnswer(t *testing.T) {
	for took, want := range map[time.Duration]string{
		700 * time.Millisecond: "in time", 5600 * time.Millisecond: "at last", time.Hour: "",
	} {
		synctest.Test(t, func(t *testing.T) {
			w := lateWorker(t, sleep(took))
			defer w.end()
			begun := time.Now()
			r := w.Call(t.Context(), to("/"))
			if want == "in time" {
				if r.Late || r.Status != http.StatusCreated || r.Wire.Later != nil {
					t.Errorf("got %+v", r)
				}
				return
			}
			in := time.Since(begun)
			if !r.Late || r.Status != 0 || r.Err.Error() != "no answer within 800ms" || in != 800*time.Millisecond {
				t.Errorf("after %s: got %+v", time.Since(begun), r)
			}
			if got, ended := r.Wire.Later.Answer(); ended {
				t.Errorf("there is an answer already: %+v", got)
			}
			done := make(chan bool)
			r.Wire.Later.OnEnd(func() { close(done) })
			<-done
			got, _ := r.Wire.Later.Answer()
			after := min(took, 30800*time.Millisecond)
			if got.Body != want || got.After != after || (got.Err == nil) != (want != "") {
				t.Errorf("got %+v, want %q after %s", got, want, after)
			}
			if got.Header.Get("Set-Cookie") == "SECRET" {
				t.Error("the header has a cookie")
			}
		})
	}
}

// A webhook keeps its failed attempt, is noted again once the answer is there, and is tried again as without it.
func TestLateWebhook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lateWorker(t, sleep(5600*time.Millisecond))
		defer w.end()
		w.Enqueue([]world.Event{{ID: 1, Name: "order/paid", To: []world.Target{{App: 1, URL: "https://app.example/"}}}})
		time.Sleep(3500 * time.Millisecond)
		before := w.Deliveries()[0]
		time.Sleep(2200 * time.Millisecond)
		after := w.Deliveries()[0]
		got, ended := after.Attempts[0].Wire.Later.Answer()
		if !ended || got.Status != http.StatusCreated || after.Attempts[0].Status != 0 || after.State != Pending {
			t.Errorf("got %+v, %+v", got, after.Attempts[0])
		}
		if after.Rev <= before.Rev {
			t.Error("the late answer was not noted")
		}
	})
}

// No more than mostLate answers are read at a time, and closing ends the reading.
func TestLateIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lateWorker(t, sleep(20*time.Second))
		var all sync.WaitGroup
		var mu sync.Mutex
		var later []*Later
		for range mostLate + 10 {
			all.Go(func() {
				if r := w.Call(t.Context(), to("/")); r.Wire.Later != nil {
					mu.Lock()
					defer mu.Unlock()
					later = append(later, r.Wire.Later)
				}
			})
		}
		all.Wait()
		if len(later) != mostLate {
			t.Errorf("%d answers are read, want %d", len(later), mostLate)
		}
		begun := time.Now()
		w.end()
		if time.Since(begun) > 0 {
			t.Errorf("closing took %s", time.Since(begun))
		}
		for _, l := range later {
			if got, ended := l.Answer(); !ended || got.Err == nil {
				t.Errorf("got %+v", got)
			}
		}
		if r := w.Call(t.Context(), to("/")); r.Err == nil || r.Wire.Later != nil {
			t.Errorf("after the end: %+v", r)
		}
	})
}

// A caller who leaves ends the connection, and so does the limit without ReadLate.
func TestNotReadLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		left := make(chan time.Duration, 2)
		begun := time.Now()
		w := lateWorker(t, func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			left <- time.Since(begun)
		})
		defer w.end()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		time.AfterFunc(100*time.Millisecond, cancel)
		if r := w.Call(ctx, to("/")); r.Late || r.Err == nil || r.Wire.Later != nil || <-left != 100*time.Millisecond {
			t.Errorf("got %+v", r)
		}
		w.options.ReadLate = 0
		begun = time.Now()
		if r := w.Call(t.Context(), to("/")); !r.Late || r.Wire.Later != nil || <-left != 800*time.Millisecond {
			t.Errorf("got %+v", r)
		}
	})
}

// The same over a socket, whose connection stays open after the limit.
func TestLateOverNetwork(t *testing.T) {
	release := make(chan struct{})
	partner := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		<-release
		_, _ = io.WriteString(w, strings.Repeat("x", MaxReply+7))
	}))
	defer partner.Close()
	w := lateWorker(t, nil)
	defer w.end()
	if err := w.Routes.Forward("https://app.example", partner.URL); err != nil {
		t.Fatal(err)
	}
	c := to("/")
	c.Timeout = 10 * time.Millisecond
	r := w.Call(t.Context(), c)
	done := make(chan bool)
	r.Wire.Later.OnEnd(func() { close(done) })
	close(release)
	<-done
	got, _ := r.Wire.Later.Answer()
	if !r.Late || got.Status != http.StatusOK || len(got.Body) != MaxReply+1 || got.Err != nil {
		t.Errorf("got %d and %d bytes, %v", got.Status, len(got.Body), got.Err)
	}
}
