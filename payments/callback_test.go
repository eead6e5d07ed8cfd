package payments

import (
	"bytes"
	"context"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// A call is believed only if it is the platform's, was made for this address, and is fresh.
func TestCallsAreVerified(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	stamp := strconv.FormatInt(now.Unix(), 10)
	older := newKey(2048)
	const address = origin + "/refunds?of=7"
	for _, test := range []struct {
		name string
		make func() (target, body string, header http.Header)
		want int
	}{
		{"as it was signed", nil, 202},
		{"with white space in the payload", func() (string, string, http.Header) {
			var b bytes.Buffer
			if err := json.Indent(&b, []byte(refund), "", "  "); err != nil {
				t.Fatal(err)
			}
			return "", b.String(), nil
		}, 202},
		{"with the older key", func() (string, string, http.Header) {
			return "", "", headers(stamp, sign(t, older, address, stamp, refund))
		}, 202},
		{"with a key of somebody else", func() (string, string, http.Header) {
			return "", "", headers(stamp, sign(t, newKey(2048), address, stamp, refund))
		}, 401},
		{"for another app", func() (string, string, http.Header) {
			return "", "", headers(stamp, sign(t, keyOf(), "https://other.example/refunds?of=7", stamp, refund))
		}, 401},
		{"with a whole address, as proxies are asked", func() (string, string, http.Header) { return address, "", nil }, 202},
		{"for another path", func() (string, string, http.Header) { return "/cancel?of=7", "", nil }, 401},
		{"for another query", func() (string, string, http.Header) { return "/refunds?of=8", "", nil }, 401},
		{"with another payload", func() (string, string, http.Header) { return "", strings.Replace(refund, "10.00", "99.00", 1), nil }, 401},
		{"with another time", func() (string, string, http.Header) {
			return "", "", headers(strconv.FormatInt(now.Unix()+1, 10), sign(t, keyOf(), address, stamp, refund))
		}, 401},
		{"five minutes ago", at(t, now.Add(-5*time.Minute), address), 202},
		{"longer ago", at(t, now.Add(-5*time.Minute-time.Second), address), 401},
		{"in five minutes", at(t, now.Add(5*time.Minute), address), 202},
		{"later", at(t, now.Add(5*time.Minute+time.Second), address), 401},
		{"in milliseconds", stamped(t, strconv.FormatInt(now.UnixMilli(), 10), address), 202},
		{"in ISO 8601", stamped(t, now.Format(time.RFC3339), address), 202},
		{"without a time", stamped(t, "", address), 401},
		{"at no time", stamped(t, "soon", address), 401},
		{"at a very long time", stamped(t, strings.Repeat("1", 41), address), 401},
		{"without a signature", func() (string, string, http.Header) { return "", "", http.Header{"X-Timestamp": {stamp}} }, 401},
		{"with two signatures", func() (string, string, http.Header) {
			s := sign(t, keyOf(), address, stamp, refund)
			return "", "", http.Header{"X-Timestamp": {stamp}, "X-Signature": {s, s}}
		}, 401},
		{"with two times", func() (string, string, http.Header) {
			return "", "", http.Header{"X-Timestamp": {stamp, stamp}, "X-Signature": {sign(t, keyOf(), address, stamp, refund)}}
		}, 401},
		{"with something else", func() (string, string, http.Header) { return "", "", headers(stamp, "!") }, 401},
		{"with an empty signature", func() (string, string, http.Header) { return "", "", headers(stamp, "") }, 401},
	} {
		var seen failures
		h := &RefundHandler{Callback: configured(&seen), Refund: func(context.Context, RefundRequest) error { return nil }}
		h.Keys = append(h.Keys, &older.PublicKey)
		h.Now = func() time.Time { return now }
		target, body, header := "", "", http.Header(nil)
		if test.make != nil {
			target, body, header = test.make()
		}
		if target == "" {
			target = "/refunds?of=7"
		}
		if body == "" {
			body = refund
		}
		if header == nil {
			header = headers(stamp, sign(t, keyOf(), address, stamp, refund))
		}
		r := httptest.NewRequest(http.MethodPost, "https://other.example"+strings.TrimPrefix(target, origin), strings.NewReader(body)) // the Host decides nothing
		r.RequestURI = target
		r.Header = header
		if w := ask(h, r); w.Code != test.want || seen.String() != "" {
			t.Errorf("%s: got %d, want %d; reported %s", test.name, w.Code, test.want, &seen)
		}
	}
}

// What is wrong with HTTP is refused before anything is verified, and told nobody but the log.
func TestCallsAreBounded(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*http.Request)
		want   int
	}{
		{"method", func(r *http.Request) { r.Method = http.MethodGet }, 405},
		{"compressed", func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, 415},
		{"identity", func(r *http.Request) { r.Header.Set("Content-Encoding", "identity") }, 202},
		{"said to be large", func(r *http.Request) { r.ContentLength = 1 << 40 }, 413},
		{"large", func(r *http.Request) {
			r.ContentLength, r.Body = -1, io.NopCloser(strings.NewReader(strings.Repeat(" ", DefaultMaxBody+1)))
		}, 413},
		{"broken off", func(r *http.Request) { r.Body = io.NopCloser(io.MultiReader(strings.NewReader("{"), new(broken))) }, 400},
	} {
		var seen failures
		h := &RefundHandler{Callback: configured(&seen), Refund: func(context.Context, RefundRequest) error { return nil }}
		r := signed(t, http.MethodPost, "/refunds", refund)
		test.change(r)
		if w := ask(h, r); w.Code != test.want || seen.String() != "" {
			t.Errorf("%s: got %d, want %d; reported %s", test.name, w.Code, test.want, &seen)
		}
	}
}

type broken struct{}

func (*broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// What each handler makes of a call, and of what the app's function returns.
func TestHandlersAnswer(t *testing.T) {
	var seen failures
	c := configured(&seen)
	const attempt = `{"store_id":123,"order_id":"7","payment_provider_id":"4dd2c2ba-9a2b-4d61-a1d1-0f7b4f1f5a11","payment_attempt_id":"a1","payment_method":{"type":"pix"},"amount":{"value":"10.00","currency":"BRL"},"newer":1}`
	refunds := func(err error) http.Handler {
		return &RefundHandler{Callback: c, Refund: func(_ context.Context, r RefundRequest) error {
			if r.TransactionID != someID || r.StoreID != 123 || !reflect.DeepEqual(r.Event(EventSuccess), EventInput{Amount: Amount{client.Cents(1000), "BRL"}, Type: EventTypeRefund, Status: EventSuccess}) {
				t.Errorf("got %+v", r)
			}
			return err
		}}
	}
	process := func(out any, err error) http.Handler {
		return &ProcessHandler{Callback: c, Process: func(_ context.Context, r ProcessRequest) (any, error) {
			in := r.Transaction(EventInput{Amount: r.Amount, Type: EventTypeSale, Status: EventSuccess, AuthorizationCode: "A1"}, InfoInput{ExternalID: "x"})
			if in.check() != nil || r.OrderID != 7 || in.PaymentAttemptID != "a1" || string(r.Extra["newer"]) != "1" {
				t.Errorf("got %+v", r)
			}
			return out, err
		}}
	}
	cancel := func(err error) http.Handler {
		return &CancelHandler{Callback: c, Cancel: func(_ context.Context, a string) error {
			if a != "a 1" {
				t.Errorf("cancelled %q", a)
			}
			return err
		}}
	}
	status := func(all []Transaction, err error) http.Handler {
		return &StatusHandler{Callback: c, Status: func(_ context.Context, order client.ID) ([]Transaction, error) {
			if order != 7 {
				t.Errorf("order %d", order)
			}
			return all, err
		}}
	}
	bad := errors.New("bad\nluck")
	for _, test := range []struct {
		name                 string
		h                    http.Handler
		method, target, body string
		status               int
		answer, reported     string
	}{
		{"refund", refunds(nil), "POST", "/r", refund, 202, "", ""},
		{"refund refused", refunds(RefundRefusalInsufficientBalance), "POST", "/r", refund, 422, `{"error_code":"insufficient_account_balance"}`, ""},
		{"refund refused with a reason", refunds(fmt.Errorf("%w: of 2019", RefundRefusalTooOld)), "POST", "/r", refund, 422, `{"error_code":"transaction_date_too_old"}`, ""},
		{"refund refused in other words", refunds(RefundRefusal("mood")), "POST", "/r", refund, 503, "Service Unavailable", "payments: refund call, transaction 02aaa5c6-080a-40e9-a61f-90ca2150d6a2 of store 123: mood"},
		{"refund failed", refunds(bad), "POST", "/r", refund, 503, "Service Unavailable", "payments: refund call, transaction 02aaa5c6-080a-40e9-a61f-90ca2150d6a2 of store 123: bad\\nluck"},
		{"refund of nothing", refunds(nil), "POST", "/r", strings.Replace(refund, "10.00", "0.00", 1), 400, "Bad Request", "amount.value"},
		{"refund of less", refunds(nil), "POST", "/r", strings.Replace(refund, "10.00", "-1.00", 1), 400, "Bad Request", "amount.value"},
		{"refund in no currency", refunds(nil), "POST", "/r", strings.Replace(refund, "BRL", "", 1), 400, "Bad Request", "amount.currency"},
		{"refund of no transaction", refunds(nil), "POST", "/r", strings.Replace(refund, `"transaction_id"`, `"other"`, 1), 400, "Bad Request", "transaction_id"},
		{"refund of no store", refunds(nil), "POST", "/r", strings.Replace(refund, `"store_id"`, `"other"`, 1), 400, "Bad Request", "store_id"},
		{"refund by no provider", refunds(nil), "POST", "/r", strings.Replace(refund, `"payment_provider_id"`, `"other"`, 1), 400, "Bad Request", "payment_provider_id"},
		{"refund said twice", refunds(nil), "POST", "/r", strings.Replace(refund, `{`, `{"store_id":1,`, 1), 400, "Bad Request", "duplicate"},
		{"refund in no JSON", refunds(nil), "POST", "/r", "refund", 400, "Bad Request", "malformed call"},
		{"process", process(nil, nil), "POST", "/p", attempt, 201, "", ""},
		{"process with an answer", process(map[string]string{"redirect": "x"}, nil), "POST", "/p", attempt, 201, `{"redirect":"x"}`, ""},
		{"process with a wrong answer", process(func() {}, nil), "POST", "/p", attempt, 503, "Service Unavailable", "marshal from Go func()"},
		{"process failed", process(nil, bad), "POST", "/p", attempt, 503, "Service Unavailable", "bad\\nluck"},
		{"process malformed", process(nil, nil), "POST", "/p", `[]`, 400, "Bad Request", "malformed"},
		{"cancel", cancel(nil), "POST", "/c?payment_attempt_id=a+1", "", 200, "", ""},
		{"cancel failed", cancel(bad), "POST", "/c?payment_attempt_id=a+1", "", 503, "Service Unavailable", "bad\\nluck"},
		{"cancel nothing", cancel(nil), "POST", "/c", "", 400, "Bad Request", "payment_attempt_id"},
		{"cancel two", cancel(nil), "POST", "/c?payment_attempt_id=a&payment_attempt_id=b", "", 400, "Bad Request", "payment_attempt_id"},
		{"status", status([]Transaction{}, nil), "GET", "/s?order_id=7", "", 200, `{"transactions":[]}`, ""},
		{"status of an order that was never seen", status(nil, nil), "GET", "/s?order_id=7", "", 200, `{"transactions":[]}`, ""},
		{"status failed", status(nil, bad), "GET", "/s?order_id=7", "", 503, "Service Unavailable", "bad\\nluck"},
		{"status of nothing", status(nil, nil), "GET", "/s?order_id=", "", 400, "Bad Request", "order_id"},
		{"status of two", status(nil, nil), "GET", "/s?order_id=7&order_id=8", "", 400, "Bad Request", "order_id"},
		{"status of no order", status(nil, nil), "GET", "/s?order_id=0", "", 400, "Bad Request", "order_id"},
	} {
		seen.list = nil
		w := ask(test.h, signed(t, test.method, test.target, test.body))
		if got := strings.TrimSpace(w.Body.String()); w.Code != test.status || got != test.answer {
			t.Errorf("%s: got %d %s, want %d %s", test.name, w.Code, got, test.status, test.answer)
		}
		if kind, isJSON := w.Header().Get("Content-Type"), strings.HasPrefix(test.answer, "{"); (kind == "application/json") != isJSON {
			t.Errorf("%s: %q is said to be %q", test.name, test.answer, kind)
		}
		if got := seen.String(); (test.reported == "") != (got == "") || !strings.Contains(got, test.reported) {
			t.Errorf("%s: reported %q, want %q", test.name, got, test.reported)
		}
	}
}

// The function is given 18 of the platform's 20 seconds, and the answer goes out then whatever
// it does. Who asks for the same meanwhile does not make it run again.
func TestCallsAreAnsweredInTime(t *testing.T) {
	keyOf()
	const call = "payments: refund call, transaction 02aaa5c6-080a-40e9-a61f-90ca2150d6a2 of store 123: "
	const late, after = call + "the function was late: must return within Budget; " + call, "the function failed after its answer was due: "
	for _, test := range []struct {
		name     string
		f        func(ctx context.Context) error
		status   int
		after    time.Duration
		reported string
	}{
		{"at once", func(context.Context) error { return nil }, 202, 0, ""},
		{"in the last moment", func(context.Context) error { time.Sleep(18*time.Second - 1); return nil }, 202, 18*time.Second - 1, ""},
		{"late, as it heeds its context", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, 503, 18 * time.Second, late + after + "context deadline exceeded"},
		{"late, and heeds nothing", func(context.Context) error { time.Sleep(time.Hour); return nil }, 503, 18 * time.Second, late + "the function succeeded after its answer was due"},
		{"late, and fails", func(context.Context) error { time.Sleep(time.Hour); return io.EOF }, 503, 18 * time.Second, late + after + "EOF"},
		{"panics", func(context.Context) error { panic("oh") }, 503, 0, call + "panic: oh"},
		{"panics late", func(context.Context) error { time.Sleep(time.Hour); panic(io.EOF) }, 503, 18 * time.Second, late + after + "panic: EOF"},
		{"exits", func(context.Context) error { runtime.Goexit(); return nil }, 503, 0, call + "ended its goroutine (runtime.Goexit)"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var seen failures
			var ran atomic.Int32
			h := &RefundHandler{Callback: configured(&seen), Refund: func(ctx context.Context, _ RefundRequest) error {
				ran.Add(1)
				return test.f(ctx)
			}}
			began := time.Now()
			ctx, hangUp := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, hangUp) // the platform's impatience undoes nothing
			first := signed(t, "POST", "/refunds", refund).WithContext(ctx)
			if w := ask(h, first); w.Code != test.status || time.Since(began) != test.after {
				t.Errorf("%s: got %d after %v, want %d after %v", test.name, w.Code, time.Since(began), test.status, test.after)
			}
			if test.after > 0 && test.status == 503 && ran.Load() == 1 {
				again := ask(h, signed(t, "POST", "/refunds", refund))
				if strings.Contains(test.name, "heeds nothing") && (again.Code != 503 || ran.Load() != 1) {
					t.Errorf("%s: asked again, got %d after %d runs", test.name, again.Code, ran.Load())
				}
			}
			time.Sleep(2 * time.Hour)
			synctest.Wait()
			if got := seen.String(); !strings.HasPrefix(got, test.reported) || test.reported == "" && got != "" {
				t.Errorf("%s: reported %q, want %q", test.name, got, test.reported)
			}
			for _, f := range seen.list {
				if _, panicked := errors.AsType[*callback.Panic](f.Err); panicked != (f.Stack != nil) {
					t.Errorf("%s: stack %s", test.name, f.Stack)
				}
			}
		})
	}
}

// Equal calls that overlap are one refund; a call that is sent again byte for byte gets its
// answer again; the same call with a new time is another refund.
func TestRefundsAreNotMadeTwice(t *testing.T) {
	keyOf()
	synctest.Test(t, func(t *testing.T) {
		var seen failures
		var ran atomic.Int32
		fail := true
		h := &RefundHandler{Callback: configured(&seen), Refund: func(context.Context, RefundRequest) error {
			time.Sleep(time.Second)
			if fail {
				return io.EOF
			}
			if ran.Add(1) > 2 {
				return RefundRefusalAlreadyInProcess
			}
			return nil
		}}
		asked := func() *http.Request { return signed(t, "POST", "/refunds", refund) }
		original := asked()
		first := func() *http.Request {
			r := original.Clone(t.Context())
			r.Body = io.NopCloser(strings.NewReader(refund))
			return r
		}
		if w := ask(h, first()); w.Code != 503 {
			t.Errorf("a failure: got %d", w.Code)
		}
		fail = false // a failure is not remembered
		var together sync.WaitGroup
		for range 50 {
			together.Go(func() {
				if w := ask(h, first()); w.Code != 202 {
					t.Errorf("together: got %d", w.Code)
				}
			})
		}
		together.Wait()
		if ran.Load() != 1 {
			t.Errorf("50 equal calls made %d refunds", ran.Load())
		}
		time.Sleep(3 * time.Minute)
		if w := ask(h, first()); w.Code != 202 || ran.Load() != 1 {
			t.Errorf("again: got %d, %d refunds", w.Code, ran.Load())
		}
		if w := ask(h, asked()); w.Code != 202 || ran.Load() != 2 {
			t.Errorf("anew: got %d, %d refunds", w.Code, ran.Load())
		}
		third := asked()
		third.Header.Set(TimestampHeader, "")
		if w := ask(h, third); w.Code != 401 {
			t.Errorf("forged: got %d", w.Code)
		}
		time.Sleep(3 * time.Minute)
		if w := ask(h, first()); w.Code != 401 || ran.Load() != 2 {
			t.Errorf("too late: got %d, %d refunds", w.Code, ran.Load())
		}
		if w := ask(h, asked()); w.Code != 422 || len(h.runs.memory.all) != 2 || len(h.runs.memory.order) != 2 {
			t.Errorf("a third: got %d; %d answers are kept", w.Code, len(h.runs.memory.all))
		}
	})
}

// What changes nothing is asked anew each time: an old answer would be wrong.
func TestStatusIsNotRemembered(t *testing.T) {
	var seen failures
	ran := 0
	h := &StatusHandler{Callback: configured(&seen), Status: func(context.Context, client.ID) ([]Transaction, error) { ran++; return nil, nil }}
	r := signed(t, "GET", "/s?order_id=7", "")
	for range 2 {
		if w := ask(h, r.Clone(t.Context())); w.Code != 200 {
			t.Errorf("got %d", w.Code)
		}
	}
	if ran != 2 {
		t.Errorf("%d runs, want 2", ran)
	}
}

func TestRunsAreBounded(t *testing.T) {
	keyOf()
	synctest.Test(t, func(t *testing.T) {
		var seen failures
		h := &CancelHandler{Callback: configured(&seen), Cancel: func(context.Context, string) error { time.Sleep(time.Minute); return nil }}
		h.MaxRuns, h.Budget = 2, time.Second
		var codes []int
		for i := range 3 {
			codes = append(codes, ask(h, signed(t, "POST", fmt.Sprintf("/c?payment_attempt_id=%d", i), "")).Code)
		}
		if got := fmt.Sprint(codes, seen.String()); got != "[503 503 503]payments: cancel call, attempt 0: the function was late: must return within Budget; "+
			"payments: cancel call, attempt 1: the function was late: must return within Budget; payments: cancel call, attempt 2: too many functions in progress: MaxRuns is 2" {
			t.Errorf("got %s", got)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if n := h.runs.server.Runs.Running(); n != 0 {
			t.Errorf("%d in progress", n)
		}
	})
	var m memory
	now, told := time.Now(), 0
	for i := range maxRemembered + 10 {
		id := callID{signed: sha256.Sum256([]byte(strconv.Itoa(i))), once: true, good: now.Add(time.Hour)}
		for range 2 { // one call has joined the other
			m.keep(id, answer{}, now)
		}
		if m.forgets() {
			if told++; i != maxRemembered {
				t.Errorf("reported with answer %d", i)
			}
		}
	}
	if len(m.all) != maxRemembered || len(m.order) != maxRemembered || told != 1 {
		t.Errorf("%d answers are kept in the order of %d, and it was reported %d times", len(m.all), len(m.order), told)
	}
}

// Whatever is missing or wrong, nothing is believed.
func TestMisconfiguredHandlersRefuse(t *testing.T) {
	good := configured(new(failures))
	weak := newKey(1024)
	refunds := func(change func(*Callback)) func(f *failures) (http.Handler, error) {
		return func(f *failures) (http.Handler, error) {
			h := &RefundHandler{Callback: good, Refund: func(context.Context, RefundRequest) error { t.Error("ran"); return nil }}
			change(&h.Callback)
			h.OnFailure = f.report
			return h, h.Check()
		}
	}
	for want, make := range map[string]func(*failures) (http.Handler, error){
		"no Refund": func(f *failures) (http.Handler, error) {
			h := &RefundHandler{Callback: configured(f)}
			return h, h.Check()
		},
		"no Process": func(f *failures) (http.Handler, error) {
			h := &ProcessHandler{Callback: configured(f)}
			return h, h.Check()
		},
		"no Cancel": func(f *failures) (http.Handler, error) {
			h := &CancelHandler{Callback: configured(f)}
			return h, h.Check()
		},
		"no Status": func(f *failures) (http.Handler, error) {
			h := &StatusHandler{Callback: configured(f)}
			return h, h.Check()
		},
		"no Refresh": func(f *failures) (http.Handler, error) {
			h := &RefreshHandler{OnFailure: f.report}
			return h, h.Check()
		},
		"no Keys":                           refunds(func(c *Callback) { c.Keys = nil }),
		"key 2":                             refunds(func(c *Callback) { c.Keys = append(c.Keys[:1:1], nil) }),
		"key 1":                             refunds(func(c *Callback) { c.Keys = []*rsa.PublicKey{&weak.PublicKey} }),
		`Origin is ""`:                      refunds(func(c *Callback) { c.Origin = "" }),
		`Origin is "http://pay.example/…"`:  refunds(func(c *Callback) { c.Origin = "http://pay.example" }),
		`Origin is "https://pay.example/…"`: refunds(func(c *Callback) { c.Origin = "https://pay.example/" }),
		`is "https://pay.example/…": must be scheme`: refunds(func(c *Callback) { c.Origin = "https://pay.example?x" }),
		`"https://pay.example/…": must be`:           refunds(func(c *Callback) { c.Origin = "https://pay.example#x" }),
		"Budget is -1ns":                             refunds(func(c *Callback) { c.Budget = -1 }),
		"key 1: must be":                             refunds(func(c *Callback) { c.Keys = []*rsa.PublicKey{{}} }),
		"MaxAge is -1ns":                             refunds(func(c *Callback) { c.MaxAge = -1 }),
		"Budget is 21s":                              refunds(func(c *Callback) { c.Budget = 21 * time.Second }),
		"MaxBody is -1":                              refunds(func(c *Callback) { c.MaxBody = -1 }),
		"MaxRuns is -1":                              refunds(func(c *Callback) { c.MaxRuns = -1 }),
	} {
		var seen failures
		h, err := make(&seen)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		for range 2 {
			if w := ask(h, signed(t, "POST", "/refunds", refund)); w.Code != 503 {
				t.Errorf("%s: got %d", want, w.Code)
			}
		}
		if len(seen.list) != 1 || seen.list[0].Call != "" || !strings.HasPrefix(seen.list[0].Error(), "payments: ") || strings.Contains(seen.list[0].Error(), " call: ") {
			t.Errorf("%s: reported %s", want, &seen)
		}
	}
	h := &RefundHandler{Callback: good, Refund: func(context.Context, RefundRequest) error { return nil }}
	h.Origin, h.Budget = "https://pay.example:8443/gateway", AnswerTime
	if err := h.Check(); err != nil {
		t.Error(err)
	}
}
