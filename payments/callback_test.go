package payments

import (
	"cmp"
	"context"
	"crypto/rsa"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
)

// A call is believed only if it is the platform's, was made for this address, and is fresh. Otherwise it is refused.
// The refusal names the header and how far the clock is off.
func TestCallsAreVerified(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	stamp := strconv.FormatInt(now.Unix(), 10)
	older := newKey(2048)
	const address = origin + "/refunds?of=7"
	const accepted, forged = "", "signature X-Signature: 2 valid keys over https://pay.example/"
	type call struct {
		target, body string
		header       http.Header
	}
	signedAt := func(stamp string) call {
		return call{"", "", headers(stamp, sign(t, keyOf(), address, stamp, refund))}
	}
	unix := func(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }
	good := sign(t, keyOf(), address, stamp, refund)
	for _, test := range []struct {
		name string
		call call
		want string // of the refusal: reason, header and a part of its text
		skew time.Duration
	}{
		{"as it was signed", call{}, accepted, 0},
		{"with white space in the payload", call{body: strings.ReplaceAll(strings.ReplaceAll(refund, ",", " ,\n\t"), ":\"", " : \"")}, accepted, 0},
		{"with the older key", call{header: headers(stamp, sign(t, older, address, stamp, refund))}, accepted, 0},
		{"with a whole address, as proxies are asked", call{target: address}, accepted, 0},
		{"five minutes ago", signedAt(unix(now.Add(-5 * time.Minute))), accepted, 0},
		{"in five minutes", signedAt(unix(now.Add(5 * time.Minute))), accepted, 0},
		{"in milliseconds", signedAt(strconv.FormatInt(now.UnixMilli(), 10)), accepted, 0},
		{"in ISO 8601", signedAt(now.Format(time.RFC3339)), accepted, 0},
		{"with a key of somebody else", call{header: headers(stamp, sign(t, newKey(2048), address, stamp, refund))}, forged, 0},
		{"for another app", call{header: headers(stamp, sign(t, keyOf(), "https://other.example/refunds?of=7", stamp, refund))}, forged, 0},
		{"for another path", call{target: "/cancel?of=7"}, forged + "cancel", 0},
		{"for another query", call{target: "/refunds?of=8"}, forged, 0},
		{"with another payload", call{body: strings.Replace(refund, "10.00", "99.00", 1)}, forged, 0},
		{"with another time", call{header: headers(unix(now.Add(time.Second)), good)}, forged, 0},
		{"longer ago", signedAt(unix(now.Add(-301 * time.Second))), "clock X-Timestamp: 5m1s before the clock of this machine", 301 * time.Second},
		{"later", signedAt(unix(now.Add(301 * time.Second))), "clock X-Timestamp: 5m1s ahead of the clock of this machine", -301 * time.Second},
		{"without a time", signedAt(""), "unsigned X-Timestamp: ISO 8601", 0},
		{"at no time", signedAt("soon"), "unsigned X-Timestamp: ISO 8601", 0},
		{"at a very long time", signedAt(strings.Repeat("1", 41)), "unsigned X-Timestamp: ISO 8601", 0},
		{"without a timestamp", call{header: http.Header{SignatureHeader: {good}}}, "unsigned X-Timestamp: has no header", 0},
		{"with two times", call{header: http.Header{TimestampHeader: {stamp, stamp}, SignatureHeader: {good}}}, "unsigned X-Timestamp: has 2 headers", 0},
		{"without a signature", call{header: http.Header{TimestampHeader: {stamp}}}, "unsigned X-Signature: has no header", 0},
		{"with two signatures", call{header: http.Header{TimestampHeader: {stamp}, SignatureHeader: {good, good}}}, "unsigned X-Signature: has 2 headers", 0},
		{"with something else", call{header: headers(stamp, "!")}, "unsigned X-Signature: a signature in Base64", 0},
		{"with an empty signature", call{header: headers(stamp, "")}, "unsigned X-Signature: a signature in Base64", 0},
	} {
		var seen failures
		h, refused := refusing(&seen, func(c *Callback) {
			c.Keys, c.Now = append(c.Keys, &older.PublicKey), func() time.Time { return now }
		})
		target := cmp.Or(test.call.target, "/refunds?of=7")
		// The Host decides nothing.
		r := httptest.NewRequest("POST", "https://other.example"+strings.TrimPrefix(target, origin), strings.NewReader(cmp.Or(test.call.body, refund)))
		r.RequestURI, r.Header = target, headers(stamp, good)
		if test.call.header != nil {
			r.Header = test.call.header
		}
		w := ask(h, r)
		if test.want == accepted {
			if w.Code != 202 || len(*refused) > 0 || seen.String() != "" {
				t.Errorf("%s: got %d, refused %v, reported %s", test.name, w.Code, *refused, &seen)
			}
			continue
		}
		kind, text, _ := strings.Cut(test.want, ": ")
		if w.Code != 401 || seen.String() != "" || len(*refused) != 1 {
			t.Errorf("%s: got %d, refused %v, reported %s", test.name, w.Code, *refused, &seen)
			continue
		}
		got := (*refused)[0]
		if is := fmt.Sprint(got.Reason, " ", got.Header); is != kind || got.Status != 401 || got.Skew != test.skew || !strings.Contains(got.Err.Error(), text) {
			t.Errorf("%s: got %s, %v, %v, want %s", test.name, is, got.Skew, got.Err, test.want)
		}
	}
}

// refusing returns a handler and the calls that it refuses.
func refusing(f *failures, change func(c *Callback)) (h *RefundHandler, refused *[]client.Refused) {
	refused = new([]client.Refused)
	h = &RefundHandler{Callback: configured(f), Refund: func(context.Context, RefundRequest) error { return nil }}
	h.OnRefused = func(_ context.Context, r client.Refused) { *refused = append(*refused, r) }
	change(&h.Callback)
	return h, refused
}

// Keys are changed while the handler serves.
func TestKeysAreRotated(t *testing.T) {
	var set KeySet
	h, refused := refusing(new(failures), func(c *Callback) { c.Keys, c.KeySet = nil, &set })
	next := newKey(2048)
	n := 0
	send := func(key *rsa.PrivateKey) int {
		n++ // a call that was answered is not run again
		return ask(h, signedBy(t, key, http.MethodPost, fmt.Sprintf("/refunds?n=%d", n), refund)).Code
	}
	if got := send(keyOf()); got != http.StatusServiceUnavailable || len(*refused) != 1 || !strings.Contains((*refused)[0].Err.Error(), "KeySet is empty") {
		t.Errorf("without a key: got status %d and %v, want 503 and a refusal that says so", got, *refused)
	}
	for _, step := range []struct {
		keys          []*rsa.PublicKey
		old, nextCode int
	}{
		{[]*rsa.PublicKey{&keyOf().PublicKey}, 202, 401},
		{[]*rsa.PublicKey{&next.PublicKey, &keyOf().PublicKey}, 202, 202},
		{[]*rsa.PublicKey{&next.PublicKey}, 401, 202},
	} {
		if err := set.Set(step.keys...); err != nil {
			t.Fatal(err)
		}
		if old, code := send(keyOf()), send(next); old != step.old || code != step.nextCode {
			t.Errorf("after Set of %d keys: the old one gets %d, want %d; the next one %d, want %d", len(step.keys), old, step.old, code, step.nextCode)
		}
	}
	if err := set.Set(&newKey(1024).PublicKey); err == nil || len(set.Current()) != 1 {
		t.Errorf("Set of a short key: got %v, and %d keys in force", err, len(set.Current()))
	}
}

// What each handler makes of a call, and of what the app's function returns.
func TestHandlersAnswer(t *testing.T) {
	var seen failures
	c := configured(&seen)
	const attempt = `{"store_id":123,"order_id":"7","payment_provider_id":"4dd2c2ba-9a2b-4d61-a1d1-0f7b4f1f5a11","payment_attempt_id":"a1","payment_method":{"type":"pix"},"amount":{"value":"10.00","currency":"BRL"},"newer":1}`
	refunds := func(err error) http.Handler {
		return &RefundHandler{Callback: c, Refund: func(_ context.Context, r RefundRequest) error {
			if r.TransactionID != someID || r.StoreID != 123 || !reflect.DeepEqual(r.Event(providers.EventSuccess), providers.EventInput{Amount: providers.Amount{Value: client.Cents(1000), Currency: "BRL"}, Type: providers.EventTypeRefund, Status: providers.EventSuccess}) {
				t.Errorf("got %+v", r)
			}
			return err
		}}
	}
	process := func(out any, err error) http.Handler {
		return &ProcessHandler{Callback: c, Process: func(_ context.Context, r ProcessRequest) (any, error) {
			in := r.Transaction(providers.EventInput{Amount: r.Amount, Type: providers.EventTypeSale, Status: providers.EventSuccess, AuthorizationCode: "A1"}, providers.InfoInput{ExternalID: "x"})
			if in.Check() != nil || r.OrderID != 7 || in.PaymentAttemptID != "a1" || string(r.Extra["newer"]) != "1" {
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
	status := func(all []providers.Transaction, err error) http.Handler {
		return &StatusHandler{Callback: c, Status: func(_ context.Context, order client.ID) ([]providers.Transaction, error) {
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
		{"refund said twice", refunds(nil), "POST", "/r", strings.Replace(refund, `{`, `{"store_id":1,`, 1), 400, "Bad Request", "stands twice"},
		{"process", process(nil, nil), "POST", "/p", attempt, 201, "", ""},
		{"process with an answer", process(map[string]string{"redirect": "x"}, nil), "POST", "/p", attempt, 201, `{"redirect":"x"}`, ""},
		{"process with a wrong answer", process(func() {}, nil), "POST", "/p", attempt, 503, "Service Unavailable", "marshal from Go func()"},
		{"process failed", process(nil, bad), "POST", "/p", attempt, 503, "Service Unavailable", "bad\\nluck"},
		{"cancel", cancel(nil), "POST", "/c?payment_attempt_id=a+1", "", 200, "", ""},
		{"cancel failed", cancel(bad), "POST", "/c?payment_attempt_id=a+1", "", 503, "Service Unavailable", "bad\\nluck"},
		{"cancel nothing", cancel(nil), "POST", "/c", "", 400, "Bad Request", "payment_attempt_id"},
		{"cancel two", cancel(nil), "POST", "/c?payment_attempt_id=a&payment_attempt_id=b", "", 400, "Bad Request", "payment_attempt_id"},
		{"status", status([]providers.Transaction{}, nil), "GET", "/s?order_id=7", "", 200, `{"transactions":[]}`, ""},
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
		if w := ask(h, asked()); w.Code != 422 || h.runs.memory.answers.Len() != 2 {
			t.Errorf("a third: got %d; %d answers are kept", w.Code, h.runs.memory.answers.Len())
		}
	})
}

// What changes nothing is asked anew each time: an old answer would be wrong.
func TestStatusIsNotRemembered(t *testing.T) {
	var seen failures
	ran := 0
	h := &StatusHandler{Callback: configured(&seen), Status: func(context.Context, client.ID) ([]providers.Transaction, error) { ran++; return nil, nil }}
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

// The answers to store are bounded. The first one that is removed early is reported once.
func TestStoredAnswersAreBounded(t *testing.T) {
	var m memory
	now, told := time.Now(), 0
	for i := range maxRemembered + 10 {
		id := callID{signed: sha256.Sum256([]byte(strconv.Itoa(i))), once: true, at: now}
		for range 2 { // one call has joined the other
			m.keep(id, answer{}, now, time.Hour)
		}
		if m.forgets() {
			if told++; i != maxRemembered {
				t.Errorf("reported with answer %d", i)
			}
		}
	}
	if n := m.answers.Len(); n != maxRemembered || told != 1 {
		t.Errorf("%d answers are stored, and it was reported %d times", n, told)
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
		"key 1: must be":                             refunds(func(c *Callback) { c.Keys = []*rsa.PublicKey{{}} }),
		"MaxAge is -1ns":                             refunds(func(c *Callback) { c.MaxAge = -1 }),
		"Budget is 21s":                              refunds(func(c *Callback) { c.Budget = 21 * time.Second }),
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
