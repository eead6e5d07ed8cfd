package webhook

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// steps are what a process did, in order.
type steps struct {
	mu  sync.Mutex
	all []string
}

func (s *steps) add(step string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, step)
}

// At the end the probe fails first, then the server answers what is in progress, and work ends last, with a context
// that lives until then.
func TestReadyServe(t *testing.T) {
	broken := errors.New("no database")
	for name, test := range map[string]struct {
		work   error // of a work that ends before the process is stopped
		drain  error // of one that ends with it
		failed bool
	}{"stopped": {}, "a work fails": {work: broken, failed: true},
		"a work fails at the end": {drain: broken, failed: true}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var did steps
				ready := &Ready{Wait: 4 * time.Second}
				s := Server("", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					time.Sleep(2 * time.Second)
					did.add("answered")
					w.WriteHeader(http.StatusNoContent)
				}))
				l := pipes{make(chan net.Conn), make(chan struct{})}
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				time.AfterFunc(10*time.Second, stop)
				go func() { // arrives while the probe fails, and is answered after the server has stopped accepting
					time.Sleep(13 * time.Second)
					ours, theirs := net.Pipe()
					defer ours.Close()
					l.conns <- serverEnd{theirs, func() {}}
					if _, err := ours.Write([]byte("GET / HTTP/1.1\r\nHost: a\r\n\r\n")); err != nil {
						t.Error(err)
					}
					if code, _ := status(ours); code != http.StatusNoContent {
						t.Errorf("a request during Wait was answered %d", code)
					}
				}()
				err := ready.Serve(ctx, l, s, func(ctx context.Context) error {
					<-ctx.Done()
					did.add("worked")
					return test.drain
				}, func(context.Context) error {
					time.Sleep(10*time.Second - time.Nanosecond)
					return test.work
				})
				if errors.Is(err, broken) != test.failed || err != nil && !test.failed {
					t.Errorf("got %v, want failed: %v", err, test.failed)
				}
				if want := []string{"answered", "worked"}; !slices.Equal(did.all, want) {
					t.Errorf("got %v, want %v", did.all, want)
				}
			})
		})
	}
}

var errNoConnections = errors.New("no connections left")

// exhausted is a listener that fails.
type exhausted struct{ pipes }

func (exhausted) Accept() (net.Conn, error) { return nil, errNoConnections }

// A server that cannot serve ends the work too, and its error is returned.
func TestReadyServeWithoutListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := exhausted{pipes{nil, make(chan struct{})}}
		err := (&Ready{Wait: -1}).Serve(t.Context(), l, Server("", nil), func(ctx context.Context) error {
			<-ctx.Done()
			return nil
		})
		if !errors.Is(err, errNoConnections) {
			t.Errorf("got %v, want the error of the listener", err)
		}
	})
}
