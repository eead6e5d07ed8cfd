package payments

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
)

var someID = uuid.MustParse("02aaa5c6-080a-40e9-a61f-90ca2150d6a2")

const attempted = `{"store_id":123,"order_id":"7","payment_provider_id":"4dd2c2ba-9a2b-4d61-a1d1-0f7b4f1f5a11","payment_attempt_id":"a1",` +
	`"payment_method":{"type":"pix"},"amount":{"value":"10.00","currency":"BRL"}}`

// answers collects what Answered is called with.
type answers struct {
	mu   sync.Mutex
	list []Answer
}

func (x *answers) add(_ context.Context, a Answer) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.list = append(x.list, a)
}

// all returns the answers so far.
func (x *answers) all() []Answer {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.list)
}

// Answers and failures name store, order, attempt and transaction: those that the call has, whatever became of it.
func TestCallsAreNamed(t *testing.T) {
	outcomes := map[string]func(ctx context.Context) error{
		"fails":  func(context.Context) error { return io.EOF },
		"panics": func(context.Context) error { panic(io.EOF) },
	}
	attempt := About{StoreID: 123, OrderID: 7, PaymentAttemptID: "a1"}
	transaction := About{StoreID: 123, TransactionID: someID}
	for _, test := range []struct {
		call   Call
		make   func(c Callback, f func(context.Context) error) http.Handler
		method string
		target string
		body   string
		want   About
		broken []string // bodies or addresses that are malformed, of the same payment
	}{
		{CallProcess, func(c Callback, f func(context.Context) error) http.Handler {
			return &ProcessHandler{Callback: c, Process: func(ctx context.Context, _ ProcessRequest) (any, error) { return nil, f(ctx) }}
		}, "POST", "/p", attempted, attempt, []string{
			strings.Replace(attempted, `"BRL"`, `{}`, 1), strings.TrimSuffix(attempted, "}}"),
			strings.Replace(attempted, `"amount":{`, `"amount":{"value":"1.00",`, 1), strings.Replace(attempted, `"amount":{`, `"store_id":123,"amount":{`, 1),
		}},
		{CallRefund, func(c Callback, f func(context.Context) error) http.Handler {
			return &RefundHandler{Callback: c, Refund: func(ctx context.Context, _ RefundRequest) error { return f(ctx) }}
		}, "POST", "/r", refund, transaction, []string{
			strings.Replace(refund, `10.00`, `0.00`, 1), strings.TrimSuffix(refund, `"}}`),
		}},
		{CallCancel, func(c Callback, f func(context.Context) error) http.Handler {
			return &CancelHandler{Callback: c, Cancel: func(ctx context.Context, _ string) error { return f(ctx) }}
		}, "POST", "/c?payment_attempt_id=a1&store_id=123&order_id=7", `{"payment_attempt_id":"other"}`, attempt, []string{
			"/c?payment_attempt_id=a1&store_id=123&order_id=7&payment_attempt_id=a2",
		}},
		{CallStatus, func(c Callback, f func(context.Context) error) http.Handler {
			return &StatusHandler{Callback: c, Status: func(ctx context.Context, _ client.ID) ([]providers.Transaction, error) { return nil, f(ctx) }}
		}, "GET", "/s?order_id=7&store_id=123", "", About{StoreID: 123, OrderID: 7}, []string{"/s?order_id=7&store_id=123&order_id=8"}},
		{CallRefresh, func(c Callback, f func(context.Context) error) http.Handler {
			return &RefreshHandler{OnFailure: c.OnFailure, OnAnswered: c.OnAnswered,
				Refresh: func(ctx context.Context, _ RefreshRequest) (Tokens, error) {
					return Tokens{"a", "b", time.Hour}, f(ctx)
				}}
		}, "POST", "/f", `{"grant_type":"refresh_token","client_id":"me","client_secret":"cnry_7f3a","refresh_token":"cnry_7f3b"}`, About{ClientID: "me"}, nil},
	} {
		for name, f := range outcomes {
			var seen failures
			var heard answers
			c := configured(&seen)
			c.OnAnswered = heard.add
			w := ask(test.make(c, f), signed(t, test.method, test.target, test.body))
			if len(seen.all()) != 1 || len(heard.all()) != 1 {
				t.Fatalf("%s %s: %d reports, %d answers", test.call, name, len(seen.all()), len(heard.all()))
			}
			if got := seen.all()[0]; w.Code != 503 || got.Call != test.call || got.About != test.want || got.Status != 503 || got.Late || (got.Stack != nil) != (name == "panics") {
				t.Errorf("%s %s: answered %d, reported %+v, want %+v", test.call, name, w.Code, *got, test.want)
			}
			if got := heard.all()[0]; got.Call != test.call || got.About != test.want || got.Status != 503 || !errors.Is(got.Err, io.EOF) || got.Repeated {
				t.Errorf("%s %s: Answered with %+v, want %+v", test.call, name, got, test.want)
			}
		}
		for _, broken := range test.broken {
			var seen failures
			var heard answers
			c := configured(&seen)
			c.OnAnswered = heard.add
			target, body := test.target, broken
			if strings.HasPrefix(broken, "/") {
				target, body = broken, test.body
			}
			h := test.make(c, func(context.Context) error { t.Errorf("%s: %s was accepted", test.call, broken); return nil })
			w := ask(h, signed(t, test.method, target, body))
			if w.Code != 400 || len(seen.all()) != 1 || seen.all()[0].About != test.want || seen.all()[0].Status != 400 || !errors.Is(seen.all()[0], ErrMalformed) {
				t.Errorf("%s: %s: answered %d, reported %s", test.call, broken, w.Code, &seen)
			}
			if len(heard.all()) != 1 || heard.all()[0].About != test.want || heard.all()[0].Status != 400 || !errors.Is(heard.all()[0].Err, ErrMalformed) {
				t.Errorf("%s: %s: Answered with %+v", test.call, broken, heard.all())
			}
		}
	}
}

// OnAnswered reports what the function returned, how long that took, and whether the function ran for the call, was
// joined, or its answer replayed.
func TestAnswerSource(t *testing.T) {
	keyOf()
	synctest.Test(t, func(t *testing.T) {
		var heard answers
		c := configured(new(failures))
		c.OnAnswered = heard.add
		reason := fmt.Errorf("%w: of 2019", RefundRefusalTooOld)
		h := &RefundHandler{Callback: c, Refund: func(context.Context, RefundRequest) error { time.Sleep(time.Second); return reason }}
		var calls []*http.Request
		for range 3 {
			calls = append(calls, signed(t, "POST", "/r", refund))
		}
		go ask(h, calls[0])
		synctest.Wait()
		for _, r := range append(calls[1:], signed(t, "POST", "/other", refund)) {
			ask(h, r)
			synctest.Wait()
		}
		forged := signed(t, "POST", "/r", refund)
		forged.Header.Set(SignatureHeader, "AAAA")
		ask(h, forged)
		all, sources := heard.all(), map[string]int{}
		if len(all) != 5 || !all[4].Refused || all[4].Status != 401 || all[4].StoreID != 0 {
			t.Fatalf("%d answers, want 4 and a refusal: %+v", len(all), all)
		}
		for i, got := range all[:4] {
			sources[fmt.Sprint("ran ", got.Ran, " joined ", got.Joined, " repeated ", got.Repeated)]++
			took := time.Second
			if got.Repeated && !got.Joined {
				took = 0
			}
			if got.Status != 422 || got.Took != took || got.Refused || !errors.Is(got.Err, RefundRefusalTooOld) {
				t.Errorf("answer %d: got %+v, want 422 after %v", i, got, took)
			}
		}
		want := map[string]int{"ran true joined false repeated false": 2, "ran false joined true repeated true": 1, "ran false joined false repeated true": 1}
		if !maps.Equal(sources, want) {
			t.Errorf("got %v, want %v", sources, want)
		}
	})
}

// A call whose equal one was answered between the look into the memory and the flight is not executed again.
func TestAnswerOfTheLastMoment(t *testing.T) {
	var r runs
	in := &received{callID: callID{asked: [32]byte{1}, signed: [32]byte{2}, once: true, at: time.Now()}}
	in.act = func(context.Context) (answer, error) {
		t.Error("the function was called again")
		return answer{}, nil
	}
	f, _ := r.flights.Join(in.asked, nil)
	r.memory.keep(in.callID, answer{status: 202}, time.Now(), time.Hour)
	if by := r.begin(t.Context(), f, in, time.Now().Add(time.Second)); by != replayed {
		t.Errorf("got an answer by %d, want that of the memory", by)
	}
	if a, err := f.Wait(t.Context()); a.status != 202 || err != nil {
		t.Errorf("got %+v, %v", a, err)
	}
}

// A late function is not lost: its context lives on so that it can end, and its outcome is reported.
func TestLateOutcomesAreReported(t *testing.T) {
	keyOf()
	type outcome struct {
		status int
		late   bool
		err    error
	}
	for _, test := range []struct {
		name   string
		linger time.Duration
		f      func(ctx context.Context) error
		want   []outcome
	}{
		{"succeeds", 0, func(ctx context.Context) error { return wait(ctx, 37*time.Second) }, []outcome{{503, false, ErrLate}, {202, true, ErrEndedLate}}},
		{"refuses", 0, func(ctx context.Context) error { _ = wait(ctx, 37*time.Second); return RefundRefusalRejected }, []outcome{{503, false, ErrLate}, {422, true, RefundRefusalRejected}}},
		{"fails", 0, func(ctx context.Context) error { _ = wait(ctx, 37*time.Second); return io.EOF }, []outcome{{503, false, ErrLate}, {503, true, io.EOF}}},
		{"is stopped", 0, func(ctx context.Context) error { return wait(ctx, 39*time.Second) }, []outcome{{503, false, ErrLate}, {503, true, context.DeadlineExceeded}}},
		{"has the time that is set", time.Second, func(ctx context.Context) error { return wait(ctx, 18500*time.Millisecond) }, []outcome{{503, false, ErrLate}, {202, true, ErrEndedLate}}},
		{"has no more", time.Second, func(ctx context.Context) error { return wait(ctx, 20*time.Second) }, []outcome{{503, false, ErrLate}, {503, true, context.DeadlineExceeded}}},
		{"in time", 0, func(ctx context.Context) error { return wait(ctx, 17*time.Second) }, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			var seen failures
			c := configured(&seen)
			c.Linger = test.linger
			var runs atomic.Int32
			h := &RefundHandler{Callback: c, Refund: func(ctx context.Context, _ RefundRequest) error {
				if due, ok := AnswerBy(ctx); !ok || !due.Equal(time.Now().Add(18*time.Second)) {
					t.Errorf("the answer is due at %v, %t", due, ok)
				}
				runs.Add(1)
				return test.f(ctx)
			}}
			r, again := signed(t, "POST", "/r", refund), signed(t, "POST", "/r", refund)
			ctx, hangUp := context.WithTimeout(t.Context(), time.Second)
			defer hangUp()
			ask(h, r.Clone(ctx))
			if ask(h, again); runs.Load() != 1 {
				t.Errorf("%s: an equal call did not join the late one: %d runs", test.name, runs.Load())
			}
			time.Sleep(time.Hour)
			synctest.Wait()
			if len(seen.all()) != len(test.want) {
				t.Fatalf("%s: reported %s", test.name, &seen)
			}
			for i, want := range test.want {
				if got := seen.all()[i]; got.Status != want.status || got.Late != want.late || !errors.Is(got, want.err) || got.TransactionID != someID {
					t.Errorf("%s: report %d is %+v, want %+v", test.name, i, *got, want)
				}
			}
		})
	}
}

// wait works for a time, unless ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// The default log has the ids as attributes, and no text of a call can write a line of its own.
func TestFailuresInTheLog(t *testing.T) {
	var log bytes.Buffer
	c := configured(nil)
	c.OnFailure, c.Logger = nil, slog.New(slog.NewTextHandler(&log, nil))
	h := &ProcessHandler{Callback: c, Process: func(context.Context, ProcessRequest) (any, error) { return nil, errors.New("no\nway") }}
	ask(h, signed(t, "POST", "/p", strings.Replace(attempted, `"a1"`, `"a1\n\u202e`+strings.Repeat("x", 200)+`"`, 1)))
	for _, want := range []string{
		`failure.call=process failure.store_id=123 failure.payment_attempt_id=a1\n\u202exxx`,
		`x… failure.order_id=7 failure.status=503 failure.error=no\nway`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s: %s", want, &log)
		}
	}
	if strings.Count(log.String(), "\n") != 1 || strings.Contains(log.String(), "transaction_id") {
		t.Errorf("got %s", &log)
	}
	for want, f := range map[string]*Failure{
		`payments: process call, attempt a1\n, order 7, client m\x1b of store 123: EOF`: {Call: CallProcess, About: About{StoreID: 123, OrderID: 7, PaymentAttemptID: "a1\n", ClientID: "m\x1b"}, Err: io.EOF},
		`payments: status call, store 123: EOF`:                                         {Call: CallStatus, About: About{StoreID: 123}, Err: io.EOF},
		`payments: status call: EOF`:                                                    {Call: CallStatus, Err: io.EOF},
	} {
		if got := f.Error(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
