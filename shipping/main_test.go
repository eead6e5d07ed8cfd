package shipping

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// document reads testdata/wire/name.json.
func document(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../testdata/wire/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// with returns the request with a member changed; path leads to it, as in "items.0.grams". A nil
// value takes it away.
func with(t testing.TB, path string, value any) []byte {
	t.Helper()
	return changed(t, document(t, "rate_request"), path, value)
}

// changed returns a document with a member changed, as with does.
func changed(t testing.TB, of []byte, path string, value any) []byte {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(of))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	at := doc
	steps := strings.Split(path, ".")
	for i, step := range steps {
		switch in := at.(type) {
		case map[string]any:
			if i == len(steps)-1 {
				if in[step] = value; value == nil {
					delete(in, step)
				}
				break
			}
			at = in[step]
		case []any:
			if i == len(steps)-1 {
				in[step[0]-'0'] = value
			}
			at = in[step[0]-'0']
		default:
			t.Fatalf("%s leads to nothing", path)
		}
	}
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// raw is a value as it is on the wire.
func raw(text string) json.RawMessage { return json.RawMessage(text) }

func read(t testing.TB, body []byte) *Request {
	t.Helper()
	r, err := ReadRequest(body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ship is a rate to the door for 14.15.
func ship(t testing.TB, code string) Rate {
	t.Helper()
	r, err := DoorRate(Offer{Code: code, Name: "Estándar", Price: client.MustMoney("14.15"), Currency: "ARS"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// always returns these rates.
func always(rates ...Rate) func(context.Context, Quote) ([]Rate, error) {
	return func(context.Context, Quote) ([]Rate, error) { return rates, nil }
}

// probe is a Handler that notes what it tells.
type probe struct {
	*Handler
	mu      sync.Mutex
	answers []Answer
	failed  []*Failure
	states  []Health
}

func newProbe(rates func(context.Context, Quote) ([]Rate, error), change func(*Handler)) *probe {
	p := &probe{}
	p.Handler = &Handler{
		Rates: rates, Access: Access{Guarded: true},
		OnAnswered: func(_ context.Context, a Answer) {
			p.mu.Lock()
			defer p.mu.Unlock()
			if !a.Refused { // those have tests of their own
				p.answers = append(p.answers, a)
			}
		},
		OnFailure: func(_ context.Context, f *Failure) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.failed = append(p.failed, f)
		},
		OnHealthChanged: func(_ context.Context, h Health) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.states = append(p.states, h)
		},
	}
	if change != nil {
		change(p.Handler)
	}
	return p
}

// last is what was told of the answer before.
func (p *probe) last() Answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.answers) == 0 {
		return Answer{}
	}
	return p.answers[len(p.answers)-1]
}

func (p *probe) failures() []*Failure {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*Failure(nil), p.failed...)
}

func post(h http.Handler, body []byte) *httptest.ResponseRecorder { return postTo(h, "/rates", body) }

func postTo(h http.Handler, path string, body []byte) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return serve(h, r)
}

// serve is what a server does. The status is 0 if the handler leaves the request without an answer.
func serve(h http.Handler, r *http.Request) (w *httptest.ResponseRecorder) {
	w = httptest.NewRecorder()
	defer func() {
		if v := recover(); v == http.ErrAbortHandler {
			w.Code = 0
		} else if v != nil {
			panic(v)
		}
	}()
	h.ServeHTTP(w, r)
	return w
}

func request(ctx context.Context, body []byte) *http.Request {
	return httptest.NewRequestWithContext(ctx, http.MethodPost, "/rates", bytes.NewReader(body))
}

// discard is a writer for answers that do not matter.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}

// healthIn is what the handler knows of the health of the carrier that documents are about.
func healthIn(h *Handler) *mirror {
	return &h.circuits.get(account{123456, "1234567"}, time.Now(), func(account) {}).health
}
