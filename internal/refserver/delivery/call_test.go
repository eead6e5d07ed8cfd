package delivery

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

func to(path string) Call {
	return Call{URL: "https://app.example" + path, Header: http.Header{"X-A": {"b"}}, Body: []byte("body"), Timeout: 800 * time.Millisecond}
}

func TestCall(t *testing.T) {
	ctx := t.Context()
	gone, leave := context.WithCancel(ctx)
	w, _ := start(t, Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil || string(b) != "body" || r.Method != http.MethodPost || r.Header.Get("X-A") != "b" || r.Context().Err() != nil {
			t.Errorf("%s %v %q, %v", r.Method, r.Header, b, err)
		}
		switch r.URL.Path {
		case "/long":
			_, _ = io.WriteString(w, strings.Repeat("x", MaxReply+7))
		case "/slow":
			_ = Spend(r.Context(), 500*time.Millisecond)
		case "/hangs":
			leave()
			<-r.Context().Done()
		case "/panics":
			panic(http.ErrAbortHandler)
		default:
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(w, r.RemoteAddr)
		}
	}))
	if r := w.Call(ctx, to("/")); r.Status != http.StatusTeapot || string(r.Body) != "192.0.2.1:443" || r.Err != nil || r.Late || r.Duration != 0 || r.DecidedBy != "virtual" {
		t.Errorf("got %+v", r)
	}
	from := to("/")
	from.Source = "2001:db8::1"
	if r := w.Call(ctx, from); string(r.Body) != "[2001:db8::1]:443" {
		t.Errorf("from %s", r.Body)
	}
	if r := w.Call(ctx, to("/long")); len(r.Body) != MaxReply+1 || r.Err != nil {
		t.Errorf("%d bytes, %v", len(r.Body), r.Err)
	}
	if r := w.Call(ctx, to("/panics")); r.Late || r.Err == nil || r.Status != 0 {
		t.Errorf("got %+v", r)
	}
	slow := to("/slow")
	if r := w.Call(ctx, slow); r.Late || r.Err != nil || r.Duration != 500*time.Millisecond {
		t.Errorf("got %+v", r)
	}
	slow.Delay = 300 * time.Millisecond
	if r := w.Call(ctx, slow); !r.Late || r.Err == nil || r.Err.Error() != "no answer within 800ms" || r.Status != 0 || r.Duration != slow.Timeout {
		t.Errorf("got %+v", r)
	}
	if r := w.Call(gone, to("/hangs")); r.Late || r.Err == nil {
		t.Errorf("a caller that went away: %+v", r)
	}
	if r := w.Call(ctx, Call{URL: "https://other.example/", Timeout: time.Second}); r.Err == nil || !strings.Contains(r.Err.Error(), "https://other.example=http://127.0.0.1:PORT") {
		t.Errorf("got %+v", r)
	}
	if r := w.Call(ctx, Call{URL: "%", Timeout: time.Second}); r.Err == nil {
		t.Error("an address that is none was called")
	}
}

// Behind a socket the machine's time counts, whatever the clock of the server.
func TestCallOverNetwork(t *testing.T) {
	release := make(chan struct{})
	partner := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hangs" {
			<-release
		}
		w.WriteHeader(310)
		_, _ = io.WriteString(w, r.Host)
	}))
	defer partner.Close()
	defer close(release)
	w, _ := start(t, Options{}, nil)
	if err := w.Routes.Forward("https://app.example", partner.URL); err != nil {
		t.Fatal(err)
	}
	c := to("/")
	c.Timeout = 10 * time.Second
	if r := w.Call(t.Context(), c); r.Status != 310 || string(r.Body) != "app.example" || r.Err != nil || r.DecidedBy != "real" {
		t.Errorf("got %+v", r)
	}
	c = to("/hangs")
	c.Timeout = 10 * time.Millisecond
	if r := w.Call(t.Context(), c); !r.Late || r.Status != 0 {
		t.Errorf("got %+v", r)
	}
}

func TestCallEndsWithTheWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New(Options{Clock: clock.Real{}, Work: work.New(clock.Real{})})
		if err := w.Routes.Handle("https://app.example", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Second, w.work.Close)
		c := to("/")
		c.Timeout = time.Hour
		begun := time.Now()
		if r := w.Call(t.Context(), c); r.Late || r.Err == nil || time.Since(begun) != time.Second {
			t.Errorf("after %v: %+v", time.Since(begun), r)
		}
	})
}

// A machine that is so busy that it notices the end of the delay and the limit at once does not make an answer timely.
func TestSpendUntilTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for n := range 100 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if err := Spend(ctx, time.Second); err == nil {
				t.Fatalf("in round %d, a second was spent within a limit of a second", n)
			}
			cancel()
		}
	})
}
