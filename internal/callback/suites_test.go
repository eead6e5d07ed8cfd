package callback_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/hooktest"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/webhook"
)

// each runs a suite for every row.
func each(t *testing.T, suite func(t *testing.T, r row)) {
	payKey() // outside of the bubbles
	for _, r := range rows() {
		t.Run(r.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { suite(t, r) })
		})
	}
}

// report collects the hook calls about one call of the platform.
type report struct {
	mu       sync.Mutex
	statuses []int
	errs     []error // of OnAnswered
	failures []error
	refusals []client.Refused
}

// watch sets the hooks of an app to note what they are called with.
func (p *report) watch(a *app) *report {
	note := func(f func()) {
		p.mu.Lock()
		defer p.mu.Unlock()
		f()
	}
	a.answered = func(_ context.Context, status int, err error) {
		note(func() { p.statuses = append(p.statuses, status); p.errs = append(p.errs, err) })
	}
	a.failed = func(_ context.Context, err error) { note(func() { p.failures = append(p.failures, err) }) }
	a.refused = func(_ context.Context, r client.Refused) { note(func() { p.refusals = append(p.refusals, r) }) }
	return p
}

// settled waits until everything that a call began has ended.
func settled() {
	time.Sleep(time.Hour)
	synctest.Wait()
}

var errFails = errors.New("it fails")

// Whatever a function does, its call is answered once, in time, and each outcome is reported once.
func TestRowsAnswer(t *testing.T) {
	each(t, func(t *testing.T, r row) {
		for _, test := range []struct {
			name     string
			function func(ctx context.Context) error
			status   int
			takes    time.Duration
			reports  []error // each in turn is, or wraps, this
		}{
			{"succeeds", func(context.Context) error { return nil }, r.ok, 0, nil},
			{"succeeds in the last moment", func(context.Context) error { time.Sleep(r.due - 1); return nil }, r.ok,
				r.due - 1, nil},
			{"fails", func(context.Context) error { return errFails }, r.failed, 0, []error{errFails}},
			{"panics", func(context.Context) error { panic(errFails) }, cmp.Or(r.panicked, r.failed), 0,
				[]error{errFails}},
			{"aborts", func(context.Context) error { panic(http.ErrAbortHandler) }, cmp.Or(r.panicked, r.failed), 0,
				[]error{http.ErrAbortHandler}},
			{"ends its goroutine", func(context.Context) error { runtime.Goexit(); return nil }, r.failed, 0,
				[]error{callback.ErrExit}},
			{"is late, and fails later", func(context.Context) error { time.Sleep(30 * time.Minute); return errFails },
				r.late, r.due, []error{callback.ErrLate, errFails}},
			{"is late, and panics later", func(context.Context) error { time.Sleep(30 * time.Minute); panic(errFails) },
				r.late, r.due, []error{callback.ErrLate, errFails}},
			{"hangs for long", func(context.Context) error { time.Sleep(59 * time.Minute); return nil }, r.late, r.due,
				[]error{callback.ErrLate}},
			{"heeds its context", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, r.late, r.due,
				[]error{callback.ErrLate}},
		} {
			var p report
			a := &app{}
			p.watch(a)
			a.function = func(ctx context.Context, _ client.ID) error { return test.function(ctx) }
			h := r.handler(a)
			began := time.Now()
			status := ask(h, r.request(t, 7, 0))
			took := time.Since(began)
			settled()
			if status != test.status || took > test.takes && status != 0 || took < test.takes && !r.guarded {
				t.Errorf("%s: got %d after %v, want %d after %v", test.name, status, took, test.status, test.takes)
			}
			if !slices.Equal(p.statuses, []int{test.status}) || len(p.refusals) > 0 {
				t.Errorf("%s: OnAnswered got %v, OnRefused %v", test.name, p.statuses, p.refusals)
			}
			if r.guarded && len(test.reports) > 0 { // a call of an inbox that was left is not followed
				test.reports = []error{test.reports[0]}
				if test.reports[0] == callback.ErrLate {
					test.reports[0] = context.DeadlineExceeded
				}
			}
			if got := p.failures; len(got) < len(test.reports) || len(test.reports) == 0 && len(got) > 0 {
				t.Errorf("%s: reported %v, want %v", test.name, got, test.reports)
				continue
			}
			for i, want := range test.reports {
				if got := p.failures[i]; !errors.Is(got, want) && !errors.Is(got, callback.ErrHangs) {
					t.Errorf("%s: report %d is %v, want %v", test.name, i, got, want)
				}
			}
		}
	})
}

// A function does not end because its client disconnects, and then has its whole time. The call is reported once.
func TestRowsContinueWithoutTheirClient(t *testing.T) {
	each(t, func(t *testing.T, r row) {
		if r.guarded {
			t.Log("the platform repeats a delivery that was not stored")
			return
		}
		var p report
		var began time.Time
		var took time.Duration
		a := &app{function: func(ctx context.Context, _ client.ID) error {
			began = time.Now()
			<-ctx.Done()
			took = time.Since(began)
			return ctx.Err()
		}}
		p.watch(a)
		q := r.request(t, 7, 0)
		ctx, leave := context.WithCancel(q.Context())
		time.AfterFunc(r.due/2, leave)
		ask(r.handler(a), q.WithContext(ctx))
		settled()
		if took < r.due || took > 2*time.Minute {
			t.Errorf("its context ended after %v, and its client left after %v", took, r.due/2)
		}
		if len(p.failures) == 0 || !errors.Is(p.failures[0], callback.ErrLate) || len(p.statuses) != 1 {
			t.Errorf("reported %v, answered %v", p.failures, p.statuses)
		}
	})
}

// The functions of one store hang, at default settings, and calls of other stores are answered at once. They are too if
// the store could take all places.
func TestRowsAreFair(t *testing.T) {
	const hung, others = 64, 20
	each(t, func(t *testing.T, r row) { hang(t, r, &app{}, hung, others) })
	each(t, func(t *testing.T, r row) { hang(t, r, &app{maxRuns: hung}, 2*hung, others) })
	each(t, func(t *testing.T, r row) { hang(t, r, &app{maxRuns: hung / 2}, hung, others) })
}

func hang(t *testing.T, r row, a *app, hung, others int) {
	release := make(chan struct{})
	var began atomic.Int32
	a.failed = func(context.Context, error) {}
	a.function = func(ctx context.Context, store client.ID) error {
		switch {
		case store == 1 && r.guarded: // one that hangs longer is not called again: see Guard
			<-ctx.Done()
		case store == 1:
			began.Add(1)
			<-release
		}
		return ctx.Err()
	}
	h := r.handler(a)
	for store := range others { // what is loaded for a store is loaded by now
		ask(h, r.request(t, client.ID(store+2), 1000))
	}
	settled()
	var all sync.WaitGroup
	for n := range hung {
		q := r.request(t, 1, n)
		all.Go(func() { ask(h, q) })
	}
	synctest.Wait()
	quiet(t, r, h, "before they are late", others)
	all.Wait()
	quiet(t, r, h, "after they were late", others)
	if n := int(began.Load()); n > cmp.Or(a.maxRuns, hung) && !r.guarded {
		t.Errorf("%d functions of one store began, and MaxRuns is %d", n, a.maxRuns)
	}
	close(release)
	settled()
}

// A call that finds no place is answered at once, unless it is left without an answer, and is reported once. Its
// function is not called.
func TestRowsWithoutAPlace(t *testing.T) {
	each(t, func(t *testing.T, r row) {
		if r.guarded {
			t.Log("an inbox or a queue has no places")
			return
		}
		var p report
		calls, end := 0, make(chan struct{})
		a := &app{maxRuns: 1, function: func(context.Context, client.ID) error { calls++; <-end; return nil }}
		p.watch(a)
		h, first := r.handler(a), r.request(t, 7, 0)
		go ask(h, first)
		synctest.Wait()
		began := time.Now()
		status := ask(h, r.request(t, 7, 1))
		took := time.Since(began)
		if status != cmp.Or(r.busy, r.late) || took > time.Second && status != 0 || calls != 1 {
			t.Errorf("got %d after %v and %d calls", status, took, calls)
		}
		close(end)
		settled()
		others := func(err error) bool { return !errors.Is(err, callback.ErrBusy) }
		if p.failures = slices.DeleteFunc(p.failures, others); len(p.failures) != 1 {
			t.Errorf("reported %v", p.failures)
		}
	})
}

// quiet calls the functions of stores other than the one that hangs.
func quiet(t *testing.T, r row, h http.Handler, when string, others int) {
	for store := range others {
		began := time.Now()
		status := ask(h, r.request(t, client.ID(store+2), store))
		if status != r.ok || time.Since(began) > 0 {
			t.Errorf("calls of a store hang: %s, another was answered %d after %v, want %d", when, status,
				time.Since(began), r.ok)
		}
	}
}

// An answer is due after the arrival of its request, even if the body arrives later.
func TestRowsSlowBodies(t *testing.T) {
	each(t, func(t *testing.T, r row) {
		due := r.due
		if r.guarded { // its time begins with the body, and ends with that of the handler
			due = webhook.DefaultBudget
		}
		a := &app{
			failed:   func(context.Context, error) {},
			function: func(context.Context, client.ID) error { time.Sleep(time.Minute); return nil },
		}
		q := r.request(t, 7, 0)
		q.Body = io.NopCloser(io.MultiReader(pausing(due/2), q.Body))
		began := time.Now()
		if status := ask(r.handler(a), q); status != r.late || status != 0 && time.Since(began) != due {
			t.Errorf("got %d after %v, want %d after %v", status, time.Since(began), r.late, due)
		}
		settled()
	})
}

// pausing is empty and takes some time to say so.
type pausing time.Duration

func (p pausing) Read([]byte) (int, error) { time.Sleep(time.Duration(p)); return 0, io.EOF }

// Each call has one OnStarted and one OnAnswered, and every function and hook between them has the values of its
// context.
func TestRowsHooks(t *testing.T) {
	each(t, func(t *testing.T, r row) {
		for _, test := range []struct {
			name     string
			function func() error
			change   func(q *http.Request)
			seen     []string
		}{
			{"succeeds", func() error { return nil }, nil, []string{"function"}},
			{"fails", func() error { return errFails }, nil, []string{"function", "OnFailure"}},
			{"panics", func() error { panic(errFails) }, nil, []string{"function", "OnFailure"}},
			{"is late, and fails later", func() error { time.Sleep(time.Minute); return errFails }, nil,
				[]string{"function", "OnFailure", "OnFailure"}},
			{"another method", nil, func(q *http.Request) { q.Method = http.MethodPatch }, []string{"OnRefused"}},
		} {
			if r.guarded && len(test.seen) == 3 { // a call of an inbox that was left is not followed
				test.seen = test.seen[:2]
			}
			s := &hooktest.Spans{T: t}
			a := &app{
				function: func(ctx context.Context, _ client.ID) error {
					s.See(ctx, "function")
					return test.function()
				},
				started:  s.Started,
				answered: func(ctx context.Context, _ int, _ error) { s.End(ctx) },
				failed:   func(ctx context.Context, _ error) { s.See(ctx, "OnFailure") },
				refused:  func(ctx context.Context, _ client.Refused) { s.See(ctx, "OnRefused") },
			}
			q := r.request(t, 7, 0)
			ctx, leave := context.WithCancel(q.Context())
			q = q.WithContext(ctx)
			if test.change != nil {
				test.change(q)
			}
			ask(r.handler(a), q)
			leave() // the contexts of hooks do not end
			settled()
			t.Log(test.name)
			s.Check(1, test.seen...)
		}
	})
}

// A hook that hangs, panics or ends its goroutine changes no answer and delays none by much. A report or the log names
// it.
func TestRowsAreGuarded(t *testing.T) {
	each(t, func(t *testing.T, r row) {
		for mode, do := range map[string]func(){
			"hangs": func() { time.Sleep(30 * time.Minute) }, "panics": func() { panic("no") },
			"ends its goroutine": runtime.Goexit,
		} {
			for _, name := range []string{"OnStarted", "OnAnswered", "OnFailure", "OnRefused", "Logger"} {
				var p report
				var lines logged
				a := &app{logger: slog.New(slog.NewTextHandler(&lines, nil))}
				p.watch(a)
				q, want := r.request(t, 7, 0), r.ok
				switch name {
				case "OnStarted":
					a.started = func(context.Context, *http.Request) context.Context { do(); return nil }
				case "OnAnswered":
					a.answered = func(context.Context, int, error) { do() }
				case "OnFailure":
					a.failed, want = func(context.Context, error) { do() }, r.failed
					a.function = func(context.Context, client.ID) error { return errFails }
				case "OnRefused":
					a.refused, want = func(context.Context, client.Refused) { do() }, http.StatusMethodNotAllowed
					q.Method = http.MethodPatch
				case "Logger":
					a.failed, want = nil, r.failed
					a.function = func(context.Context, client.ID) error { return errFails }
					a.logger = slog.New(doing{do: do})
				}
				h, began := r.handler(a), time.Now()
				status := ask(h, q)
				if took := time.Since(began); status != want || status != 0 && took > r.due/4 {
					t.Errorf("%s %s: got %d after %v, want %d", name, mode, status, took, want)
				}
				settled()
				said := fmt.Sprint(p.failures, lines.String())
				if name != "Logger" && !strings.Contains(said, name) {
					t.Errorf("%s %s: reported %s", name, mode, said)
				}
			}
		}
	})
}

// Requests that are not the platform's are refused before a function is called, with one OnRefused each.
func TestRowsRefuse(t *testing.T) {
	each(t, func(t *testing.T, r row) {
		for _, test := range []struct {
			name   string
			change func(q *http.Request)
			status int
			reason client.RefusedReason // empty: one of several
		}{
			{"another method", func(q *http.Request) { q.Method = http.MethodPatch }, http.StatusMethodNotAllowed,
				client.RefusedMethod},
			{"a stranger", func(q *http.Request) {
				switch {
				case r.header != "":
					q.Header.Del(r.header)
				case strings.Contains(r.name, "review"):
					q.URL.RawQuery = strings.Replace(q.URL.RawQuery, "signature=", "signature=0", 1)
				default:
					q.RemoteAddr = "198.51.100.9:1"
				}
			}, r.stranger, ""},
			{"a compressed body", func(q *http.Request) { q.Header.Set("Content-Encoding", "gzip") }, 0, ""},
			{"a body that is said to be large", func(q *http.Request) { q.ContentLength = 1 << 40 }, 0, ""},
			{"a body that breaks off", func(q *http.Request) { q.Body = io.NopCloser(iotest.ErrReader(errFails)) }, 0,
				""},
		} {
			if test.name == "a stranger" && r.stranger == 0 {
				continue // anyone may call: a secret in the body is checked by the function
			}
			var p report
			a := &app{function: func(context.Context, client.ID) error {
				t.Errorf("%s: the function was called", test.name)
				return nil
			}}
			p.watch(a)
			q := r.request(t, 7, 0)
			body := &counted{Reader: q.Body}
			q.Body = io.NopCloser(body)
			test.change(q)
			status := ask(r.handler(a), q)
			settled()
			if body.reads > 0 {
				t.Errorf("%s: the body was read", test.name)
			}
			if test.status == 0 { // a refusal or a failure, by the kind
				if len(p.refusals)+len(p.failures) != 1 {
					t.Errorf("%s: got %d, refused %v, failed %v", test.name, status, p.refusals, p.failures)
				}
				continue
			}
			if status != test.status || len(p.refusals) != 1 || p.refusals[0].Status != status || test.reason != "" &&
				p.refusals[0].Reason != test.reason {
				t.Errorf("%s: got %d and %v, want %d", test.name, status, p.refusals, test.status)
				continue
			}
			if by := p.refusals[0]; by.Handler == "" || !strings.HasPrefix(q.RemoteAddr, by.Remote.String()+":") {
				t.Errorf("%s: refused by %q, from %v", test.name, by.Handler, by.Remote)
			}
			if !slices.Equal(p.statuses, []int{status}) || p.errs[0] == nil || len(p.failures) > 0 {
				t.Errorf("%s: OnAnswered got %v, %v; failures %v", test.name, p.statuses, p.errs, p.failures)
			}
		}
	})
}

// counted counts how often it is read.
type counted struct {
	io.Reader
	reads int
}

func (c *counted) Read(b []byte) (int, error) { c.reads++; return c.Reader.Read(b) }

// A body that is not the JSON of a call reaches no function and costs little, and is reported once.
func TestRowsMalformed(t *testing.T) {
	bodies := map[string]string{
		"nothing": "", "half": `{"store_id":7,"id":`, "no JSON": "store_id=7", "two documents": `{"store_id":7}{`,
		"deep":         strings.Repeat("[", 10_000),
		"deep objects": strings.Repeat(`{"a":`, 10_000), "not UTF-8": "{\"store_id\":7,\"cart_id\":\"\xff\"}",
		"a name twice": `{"store_id":7,"store_id":8}`,
	}
	each(t, func(t *testing.T, r row) {
		if r.malformed == 0 {
			t.Log("its calls have no body")
			return
		}
		for name, body := range bodies {
			var p report
			a := &app{}
			p.watch(a)
			if !r.guarded { // an inbox takes events that nobody can read, for an operator
				a.function = func(context.Context, client.ID) error {
					t.Errorf("%s: the function was called", name)
					return nil
				}
			}
			h, q := r.handler(a), r.withBody(t, r.request(t, 7, 0), body)
			var status int
			spent := hostile.Cost(func() { status = ask(h, q) })
			settled()
			if reports := len(p.failures) + len(p.refusals); status != r.malformed || reports != 1 && !r.guarded ||
				!slices.Equal(p.statuses, []int{status}) {
				t.Errorf("%s: got %d, want %d; %d reports: %v %v", name, status, r.malformed, reports, p.failures,
					p.refusals)
			}
			if spent.Bytes > 64*uint64(len(body))+1<<20 {
				t.Errorf("%s: %d bytes cost %v", name, len(body), spent)
			}
			for _, err := range p.failures {
				if len(err.Error()) > 2000 || strings.Contains(err.Error(), "[[[[") {
					t.Errorf("%s: the report quotes the body: %.300v", name, err)
				}
			}
		}
	})
}

// A body that panics as it is read ends the request, and OnAnswered is called.
func TestRowsBodiesThatPanic(t *testing.T) {
	each(t, func(t *testing.T, r row) {
		var p report
		a := &app{}
		p.watch(a)
		q := r.request(t, 7, 0)
		q.ContentLength, q.Body = 10, io.NopCloser(panics{})
		if status := ask(r.handler(a), q); status != 0 || !slices.Equal(p.statuses, []int{0}) {
			t.Errorf("got %d, OnAnswered %v", status, p.statuses)
		}
	})
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic(http.ErrAbortHandler) }

// logged has the lines of a log.
type logged struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// doing is a log that does something with each line.
type doing struct {
	slog.Handler
	do func()
}

func (d doing) Enabled(context.Context, slog.Level) bool  { return true }
func (d doing) Handle(context.Context, slog.Record) error { d.do(); return nil }
func (d doing) WithAttrs([]slog.Attr) slog.Handler        { return d }
func (d doing) WithGroup(string) slog.Handler             { return d }
