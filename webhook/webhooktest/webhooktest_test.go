package webhooktest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secret client.Secret = "5f2b1c9a7d3e4f60"

// receiver is a handler of order/paid that notes the orders.
func receiver(t *testing.T, key client.Secret) (*webhook.Handler, *[]client.ID) {
	t.Helper()
	var mu sync.Mutex
	var orders []client.ID
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
		mu.Lock()
		defer mu.Unlock()
		orders = append(orders, d.Payload.ID)
		return nil
	})
	return &webhook.Handler{Secrets: []client.Secret{key}, Registry: &events, OnFailure: func(context.Context, *webhook.Failure) {}}, &orders
}

func body(id int) []byte {
	return webhooktest.Body(123, webhook.OrderPaid.Name, map[string]any{"id": id})
}

func TestSender(t *testing.T) {
	hooks, orders := receiver(t, secret)
	server := httptest.NewServer(hooks)
	defer server.Close()
	defer http.DefaultClient.CloseIdleConnections()
	for i, sender := range []webhooktest.Sender{
		{Handler: hooks, Secret: secret},
		{URL: server.URL, Secret: secret},
		{URL: server.URL, Secret: secret, Client: server.Client()},
	} {
		status, err := sender.Deliver(t.Context(), body(i))
		if err != nil || i > 0 && status != http.StatusOK {
			t.Errorf("sender %d: got %d, %v; want 200", i, status, err)
		}
		sender.Secret = "another"
		if status, err := sender.Deliver(t.Context(), body(i)); err != nil || status != http.StatusUnauthorized {
			t.Errorf("sender %d with another secret: got %d, %v; want 401", i, status, err)
		}
	}
	if want := []client.ID{1, 2}; !slices.Equal(*orders, want) {
		t.Errorf("got orders %v, want %v", *orders, want)
	}
	if _, err := (webhooktest.Sender{URL: "http://127.0.0.1:1/", Secret: secret}).Deliver(t.Context(), body(1)); err == nil {
		t.Error("a port that nobody listens on gave no error")
	}
}

func TestSenderGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(time.Minute) })
		began := time.Now()
		if _, err := (webhooktest.Sender{Handler: slow}).Deliver(t.Context(), nil); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != webhook.AnswerTime {
			t.Errorf("got %v after %v, want the end of %v", err, time.Since(began), webhook.AnswerTime)
		}
		time.Sleep(time.Minute)
	})
}

func TestSchedules(t *testing.T) {
	want := map[string]time.Duration{"four at once": 12*time.Hour + 32*time.Minute, "waits": 35*time.Hour + 3*time.Minute, "instants": 11*time.Hour + 46*time.Minute}
	got := webhooktest.Schedules()
	if len(got) != len(want) {
		t.Errorf("got %d schedules, want %d", len(got), len(want))
	}
	for name, schedule := range got {
		var all time.Duration
		for _, wait := range schedule {
			all += wait
		}
		if len(schedule) != webhooktest.Attempts-1 || all.Truncate(time.Minute) != want[name] || all > 48*time.Hour {
			t.Errorf("%s: got %d waits of %v in all, want 15 of %v", name, len(schedule), all, want[name])
		}
	}
}

func TestStorm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		seen := map[string]int{}
		var at []time.Duration
		began := time.Now()
		flaky := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b, _ := io.ReadAll(r.Body)
			mu.Lock()
			defer mu.Unlock()
			at = append(at, time.Since(began))
			if seen[string(b)]++; seen[string(b)]%3 != 0 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		})
		storm := webhooktest.Storm{Sender: webhooktest.Sender{Handler: flaky}, Schedule: webhooktest.Schedule{0, time.Minute}, Senders: 1}
		outcomes := storm.Run(t.Context(), []byte("a"), []byte("b"))
		if len(outcomes) != 2 || !slices.Equal(outcomes[0].Statuses, []int{503, 503, 200}) || !outcomes[1].Accepted() {
			t.Errorf("got %+v, want the third attempt accepted", outcomes)
		}
		if want := []time.Duration{0, 3 * time.Second, 66 * time.Second}; !slices.Equal(at[:3], want) {
			t.Errorf("got attempts at %v, want %v", at[:3], want)
		}
		storm.Schedule, storm.Copies, storm.Senders, storm.Seed = nil, 30, 0, 1
		accepted := 0
		for _, o := range storm.Run(t.Context(), []byte("c")) {
			if len(o.Statuses) != 1 {
				t.Errorf("got %v, want one attempt", o.Statuses)
			}
			if o.Accepted() {
				accepted++
			}
		}
		if accepted != 10 || seen["c"] != 30 {
			t.Errorf("got %d of %d accepted, want 10 of 30", accepted, seen["c"])
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got := storm.Run(ctx, []byte("d")); len(got) == 30 && got[29].Accepted() {
			t.Errorf("got %+v after the context ended", got)
		}
	})
}

func TestRecordAndReplay(t *testing.T) {
	production, _ := receiver(t, secret)
	var out bytes.Buffer
	recorder := &webhooktest.Recorder{Handler: production, Out: &out}
	sender := webhooktest.Sender{Handler: recorder, Secret: secret}
	for _, b := range [][]byte{
		body(1),
		[]byte("{\"store_id\":123 , \"event\":\"order/paid\",\"id\":2}\r\n"),
		{0xff, 0xfe, '\n'}, // no JSON: not recorded
		[]byte(`{"store_id":123,"event":"order/paid","id":3,"note":"Ana <ana@correo.com>"}`),
	} {
		if _, err := sender.Deliver(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	if err := recorder.Err(); err != nil || strings.Count(out.String(), "\n") != 3 {
		t.Fatalf("got %v and the recording %q, want 3 lines", err, out.String())
	}
	for _, leak := range []string{string(secret), webhook.Sign(secret, body(1)), "Ana", "ana", "correo"} {
		if strings.Contains(out.String(), leak) {
			t.Errorf("the recording holds %s: %s", leak, out.String())
		}
	}

	const dev client.Secret = "of the desk"
	desk, orders := receiver(t, dev)
	var statuses []int
	each := func(r webhooktest.Record, status int) error {
		if r.At.IsZero() || r.Status != http.StatusOK || r.Target != "/" {
			t.Errorf("got record %+v, want when and where it came, and the status of then", r)
		}
		statuses = append(statuses, status)
		return nil
	}
	to := webhooktest.Sender{Handler: desk, Secret: dev}
	err := webhooktest.Replay(t.Context(), strings.NewReader("\n"+out.String()), to, each)
	if err != nil || !slices.Equal(*orders, []client.ID{1, 2, 3}) || !slices.Equal(statuses, []int{200, 200, 200}) {
		t.Errorf("got %v, orders %v, statuses %v; want orders 1 to 3 accepted", err, *orders, statuses)
	}
}

// A body is sent byte by byte, and other calls are skipped.
func TestReplaySendsDeliveries(t *testing.T) {
	const lines = `{"at":"2026-01-05T10:00:00Z","kind":"deliveries","status":200,"body":"{\"a\": 1}\r\n"}
{"at":"2026-01-05T10:00:02Z","kind":"carts","status":200,"body":"{}"}
`
	var got []string
	spy := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got = append(got, string(b))
	})
	var records []webhooktest.Record
	err := webhooktest.Replay(t.Context(), strings.NewReader(lines), webhooktest.Sender{Handler: spy, Secret: secret},
		func(r webhooktest.Record, _ int) error {
			records = append(records, r)
			return nil
		})
	if err != nil || !slices.Equal(got, []string{"{\"a\": 1}\r\n"}) || len(records) != 1 {
		t.Errorf("got %v, bodies %q, records %+v", err, got, records)
	}
}

func TestReplayStops(t *testing.T) {
	hooks, orders := receiver(t, secret)
	to := webhooktest.Sender{Handler: hooks, Secret: secret}
	nothing := func(webhooktest.Record, int) error { return nil }
	if err := webhooktest.Replay(t.Context(), strings.NewReader("{\"kind\":\"deliveries\",\"body\":\"x\"}\nnot JSON\n"), to, nothing); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v, want an error of line 2", err)
	}
	enough := errors.New("enough")
	if err := webhooktest.Replay(t.Context(), strings.NewReader("{\"kind\":\"deliveries\",\"body\":\"x\"}\n{\"kind\":\"deliveries\",\"body\":\"y\"}"), to, func(webhooktest.Record, int) error { return enough }); err != enough {
		t.Errorf("got %v, want the error of each", err)
	}
	if len(*orders) != 0 {
		t.Errorf("got orders %v, want none", *orders)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestRecorderIsTransparent: the handler sees the request as it came, even when it
// cannot be recorded.
func TestRecorderIsTransparent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // no answer is late, however busy the machine is
		hooks, orders := receiver(t, secret)
		recorder := &webhooktest.Recorder{Handler: hooks, Out: full{}}
		sender := webhooktest.Sender{Handler: recorder, Secret: secret}
		for id := range 2 {
			if status, err := sender.Deliver(t.Context(), body(id+1)); status != http.StatusOK || err != nil {
				t.Errorf("got %d, %v; want 200", status, err)
			}
		}
		if len(*orders) != 2 || recorder.Err() == nil {
			t.Errorf("got orders %v, error %v; want both handled and the error of the disk", *orders, recorder.Err())
		}
		var out bytes.Buffer
		recorder = &webhooktest.Recorder{Handler: hooks, Out: &out}
		w := httptest.NewRecorder()
		broken := httptest.NewRequest(http.MethodPost, "/", io.MultiReader(strings.NewReader("{"), failing{}))
		broken.Header.Set(webhook.SignatureHeader, webhook.Sign(secret, []byte("{")))
		recorder.ServeHTTP(w, broken)
		if w.Code != http.StatusBadRequest || out.Len() != 0 {
			t.Errorf("got status %d, recording %q; want 400 for a transfer that broke off, unrecorded", w.Code, out.String())
		}
		if status, err := (webhooktest.Sender{Handler: recorder, Secret: secret}).Deliver(t.Context(), bytes.Repeat([]byte("x"), 5<<20)); status != http.StatusRequestEntityTooLarge || err != nil || out.Len() != 0 {
			t.Errorf("got status %d, %v, %d bytes recorded; want 413 and none", status, err, out.Len())
		}
	})
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestSenderWithoutAnAnswer: a handler that panics or ends its goroutine has not answered, as with net/http. The one
// took the test along, the other was taken for 200.
func TestSenderWithoutAnAnswer(t *testing.T) {
	for name, handle := range map[string]func(){
		"panic":  func() { panic(http.ErrAbortHandler) },
		"Goexit": runtime.Goexit,
	} {
		handler := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { handle() })
		status, err := webhooktest.Sender{Handler: handler}.Deliver(t.Context(), nil)
		if status != 0 || err == nil || !strings.Contains(err.Error(), "no answer") {
			t.Errorf("%s: got %d, %v; want no answer", name, status, err)
		}
	}
}

// TestRecorderInformational: a status in advance is not that of the answer.
func TestRecorderInformational(t *testing.T) {
	var out bytes.Buffer
	recorder := &webhooktest.Recorder{Out: &out, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusServiceUnavailable)
	})}
	server := httptest.NewServer(recorder)
	defer server.Close()
	defer http.DefaultClient.CloseIdleConnections()
	status, err := webhooktest.Sender{URL: server.URL, Secret: secret}.Deliver(t.Context(), body(1))
	if err != nil || status != http.StatusServiceUnavailable || !strings.Contains(out.String(), `"status":503`) {
		t.Errorf("got %d, %v, recorded %s; want 503", status, err, &out)
	}
}

// TestBodyWithoutEvent: privacy requests name no event; one that is "" is malformed.
func TestBodyWithoutEvent(t *testing.T) {
	if got := string(webhooktest.Body(123, "", map[string]any{"id": 5})); got != `{"id":5,"store_id":123}` {
		t.Errorf("got %s", got)
	}
}
