package callback

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestBody(t *testing.T) {
	const most = 8
	for _, tt := range []struct {
		name, body, encoding string
		claimed              int64
		status               int
	}{
		{"whole", "12345678", "", 8, 0},
		{"of unknown length", "12345678", "", -1, 0},
		{"named identity", "1", "Identity", 1, 0},
		{"empty", "", "", 0, 0},
		{"compressed", "1", "gzip", 1, http.StatusUnsupportedMediaType},
		{"long", "123456789", "", 9, http.StatusRequestEntityTooLarge},
		{"claimed to be long, unread", "1", "", 9, http.StatusRequestEntityTooLarge},
		{"longer than claimed", "123456789", "", -1, http.StatusRequestEntityTooLarge},
		{"replaced by a longer one", "123456789", "", 4, http.StatusRequestEntityTooLarge},
		{"replaced by a longer one that is not too long", "12345678", "", 4, 0},
		{"shorter than claimed", "1234", "", 6, http.StatusBadRequest},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/", io.NopCloser(strings.NewReader(tt.body)))
			if tt.status == http.StatusBadRequest {
				r.Body = io.NopCloser(io.MultiReader(r.Body, brokenOff{}))
			}
			r.ContentLength = tt.claimed
			if tt.claimed < 0 {
				r.TransferEncoding = []string{"chunked"}
			}
			r.Header.Set("Content-Encoding", tt.encoding)
			w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
			due := time.Now()
			if !Open(w, r, http.MethodPost, due) {
				t.Fatal("refused for its method")
			}
			if closes := w.Header().Get("Connection") == "close"; closes != (tt.claimed < 0) {
				t.Errorf("closes the connection: %t; want it closed after a body in chunks, and no other", closes)
			}
			bodies := NewBodies(1 << 20)
			body, err := bodies.Read(w, r, most)
			if err == nil {
				bodies.Done(body)
			}
			if held := bodies.held.Load(); held != 0 {
				t.Errorf("%d bytes are counted after the end", held)
			}
			if lifted := len(w.set) == 2 && w.set[1].IsZero(); !w.set[0].Equal(due) || lifted != (err == nil) {
				t.Errorf("got the deadlines %v: want it lifted if the body was read whole, or its end would look "+
					"like that of the connection", w.set)
			}
			switch {
			case tt.status == 0 && (err != nil || string(body) != tt.body):
				t.Errorf("got %q and %v, want it whole", body, err)
			case tt.status != 0 && (err == nil || body != nil || Status(err) != tt.status):
				t.Errorf("got %q and %v, which is %d: want %d and no body", body, err, Status(err), tt.status)
			}
		})
	}
}

// deadlines records those of a connection.
type deadlines struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error { d.set = append(d.set, t); return nil }

type brokenOff struct{}

func (brokenOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestDripping: the body that drips is not waited for, whether it is wanted or not, and its
// connection is closed. One that came in time does not shorten the time of the next.
func TestDripping(t *testing.T) {
	const patience = 100 * time.Millisecond
	for _, tt := range []struct {
		name, method string
		pause        time.Duration
		want         string
	}{
		{"whole", "POST", 0, "200 after 0s, 200 after 0s"},
		{"slow", "POST", 99 * time.Millisecond, "200 after 99ms, 200 after 99ms"},
		{"dripping", "POST", time.Hour, "408 after 100ms, closed"},
		{"dripping and refused", "PUT", time.Hour, "405 after 100ms, closed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				near, far := net.Pipe()
				l := &listener{conns: make(chan net.Conn, 1)}
				l.conns <- far
				server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if !Open(w, r, http.MethodPost, time.Now().Add(patience)) {
						w.WriteHeader(http.StatusMethodNotAllowed)
						return
					}
					if _, err := NewBodies(1<<20).Read(w, r, 1<<10); err != nil {
						w.WriteHeader(Status(err))
					}
				})}
				go func() { _ = server.Serve(l) }()
				in := bufio.NewReader(near)
				var got []string
				for range 2 {
					began := time.Now()
					go func() {
						_, _ = fmt.Fprintf(near, "%s / HTTP/1.1\r\nHost: app.example\r\nContent-Length: 2\r\n\r\n1",
							tt.method)
						time.Sleep(tt.pause)
						_, _ = near.Write([]byte("2"))
					}()
					r, err := http.ReadResponse(in, nil)
					if err != nil {
						got = append(got, "closed")
						break
					}
					got = append(got, fmt.Sprintf("%d after %v", r.StatusCode, time.Since(began)))
					time.Sleep(time.Minute)
				}
				if got := strings.Join(got, ", "); got != tt.want {
					t.Errorf("got %s, want %s", got, tt.want)
				}
				_ = near.Close()
				_ = server.Close()
				time.Sleep(2 * time.Hour) // the senders end
			})
		})
	}
}

// listener gives out the connections that are made for it.
type listener struct{ conns chan net.Conn }

func (l *listener) Accept() (net.Conn, error) {
	c, ok := <-l.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (l *listener) Close() error {
	close(l.conns)
	return nil
}

func (l *listener) Addr() net.Addr { return &net.TCPAddr{} }

func TestCheck(t *testing.T) {
	var c Check
	Secrets(&c, []client.Secret{"cnry_7f3a", ""})
	Secrets(&c, []client.Secret{"cnry_7f3a", " cnry_7f3a", "cnry_7f3a"})
	c.Refuse(false, "not this")
	c.Refuse(true, "MaxBody is %d: want 0 or more", -1)
	const want = `webhook: secret 2: must not be empty
3 secrets: must be the one in force and at most the one before it
secret 2: must not begin or end with white space
MaxBody is -1: want 0 or more`
	if got := c.Err("webhook"); got == nil || got.Error() != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if err := new(Check).Err("webhook"); err != nil {
		t.Errorf("nothing wrong: got %v", err)
	}
	for name, want := range map[string]bool{
		"X-Signature": true, "!#$%&'*+-.^_`|~": true, "azAZ09": true,
		"": false, "a b": false, "a:": false, "a/": false, "a@": false, "a[": false, "a{": false, "é": false,
		"a\n": false,
	} {
		if IsToken(name) != want {
			t.Errorf("%q as the name of a header: got %t", name, !want)
		}
	}
}

// A mebibyte is no name of a header, and is not repeated.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	for _, name := range []string{long + " ", long + "é"} {
		var ok bool
		if spent := hostile.Cost(func() { ok = IsToken(name) }); ok || spent.Bytes > 64<<10 {
			t.Errorf("a long name of a header: %t, which cost %v", ok, spent)
		} else {
			t.Logf("a name: %v", spent)
		}
	}
}

func TestRecovered(t *testing.T) {
	cause := errors.New("no stock")
	err := func() (err error) {
		defer func() { err = Recovered(recover()) }()
		panic(cause)
	}()
	if !errors.Is(err, cause) || err.Error() != "panic: no stock" ||
		!bytes.Contains(Stack(err), []byte("TestRecovered")) {
		t.Errorf("got %v with the stack\n%s", err, Stack(err))
	}
	if Stack(cause) != nil {
		t.Error("an error that is no panic has a stack")
	}
}

type failure struct{ err error }

func (f failure) LogValue() slog.Value { return LogValue(f.err, Stack(f.err), slog.Int("store_id", 7)) }

// TestTell: a failure is told once, to the hook or to the log, and neither can take the
// process along.
func TestTell(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	told := 0
	tell := func(report func(context.Context, failure), logger *slog.Logger, err error) {
		log.Reset()
		Reporter[failure]{report, logger}.Notify(t.Context(), failure{err}, slog.LevelWarn, "not done", "failure")
	}
	count := func(context.Context, failure) { told++ }
	tell(count, logger, errors.New("no"))
	if told != 1 || log.Len() > 0 {
		t.Errorf("told %d times, and the log says %s", told, &log)
	}
	for _, report := range []func(context.Context, failure){nil, func(context.Context, failure) { panic("hook") }} {
		tell(report, logger, errors.New("no\nway"))
		for _, want := range []string{"WARN", `msg="not done"`, "failure.store_id=7", `failure.error=no\nway`} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log lacks %s: %s", want, &log)
			}
		}
		if strings.Contains(log.String(), "stack") {
			t.Errorf("a stack without a panic: %s", &log)
		}
	}
	tell(nil, logger, Recovered("boom"))
	if !strings.Contains(log.String(), "failure.stack=") {
		t.Errorf("a panic without its stack: %s", &log)
	}
	tell(nil, slog.New(brokenLog{}), errors.New("no"))
	ended, end := context.WithCancel(t.Context())
	end()
	Reporter[failure]{Report: func(ctx context.Context, _ failure) {
		if ctx.Err() != nil {
			t.Errorf("told with a context that has ended: %v", ctx.Err())
		}
	}}.Notify(ended, failure{}, slog.LevelWarn, "not done", "failure")
	if (Reporter[failure]{}).Log() != slog.Default() {
		t.Error("without a logger: want the default one")
	}
}

type brokenLog struct{ slog.Handler }

func (brokenLog) Enabled(context.Context, slog.Level) bool { panic("log") }

func TestPrintable(t *testing.T) {
	tests := map[string]string{
		"order/paid":            "order/paid",
		"a\nb\r\t\x00":          `a\nb\r\t\x00`,
		"\x1b[31mred":           `\x1b[31mred`,
		"\u202eabc\u2066\u200f": `\u202eabc\u2066\u200f`,
		"ação":                  "ação",
		"\xff":                  "\ufffd",
		strings.Repeat("é", 65): strings.Repeat("é", 64) + "…",
		strings.Repeat("é", 64): strings.Repeat("é", 64),
		"":                      "",
	}
	for in, want := range tests {
		if got := Printable(in, MostShown); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := testing.AllocsPerRun(1, func() { Printable(strings.Repeat("a", 1<<20), MostShown) }); got > 10 {
		t.Errorf("a megabyte: got %v allocations", got)
	}
}

type unprintable struct{}

func (unprintable) Error() string { panic("no text") }

func TestReason(t *testing.T) {
	for want, err := range map[string]error{
		"":     nil,
		`a\nb`: errors.New("a\nb"),
		"an error of type callback.unprintable that cannot be printed": unprintable{},
		strings.Repeat("é", 512) + "…":                                 errors.New(strings.Repeat("é", 513)),
	} {
		if got := Reason(err); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
