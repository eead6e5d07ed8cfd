package shipping

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

var errDown = errors.New("upstream is down")

func failing(err error) func(context.Context, Quote) ([]Rate, error) {
	return func(context.Context, Quote) ([]Rate, error) { return nil, err }
}

func TestHandlerAnswers(t *testing.T) { synctest.Test(t, testHandlerAnswers) }

func testHandlerAnswers(t *testing.T) {
	body := document(t, "rate_request")
	for _, v := range []struct {
		name    string
		body    []byte
		rates   func(context.Context, Quote) ([]Rate, error)
		status  int
		answer  string
		err     error // what Answer.Err is
		reports int
	}{
		{"rates", body, always(ship(t, "standard")), 200, `"code":"standard"`, nil, 0},
		{"no coverage", body, failing(ErrNoCoverage), 422, `{"error":"no_coverage"}`, ErrNoCoverage, 0},
		{"no rates", body, always(), 422, `{"error":"no_coverage"}`, ErrNoCoverage, 0},
		{"a business error", body, failing(&Refusal{Code: "contract_expired"}), 422, `{"error":"contract_expired"}`, nil, 0},
		{"a business error that may pass", body, failing(&Refusal{Code: "quota", Passing: true}), 409, `{"error":"quota"}`, nil, 0},
		{"a business error that is wrapped", body, failing(errors.Join(io.EOF, &Refusal{Code: "a\"b\n"})), 422, `{"error":"a\"b\\n"}`, nil, 0},
		{"an error", body, failing(errDown), 503, "", errDown, 1},
		{"a panic", body, func(context.Context, Quote) ([]Rate, error) { panic(errDown) }, 500, "", errDown, 1},
		{"a rate that nobody made", body, always(Rate{}), 503, "", ErrDropped, 1},
		{"a rate that is left out", body, always(ship(t, "standard"), Rate{}), 200, `"code":"standard"`, nil, 1},
		{"no JSON", []byte("rates"), always(), 400, "", ErrMalformed, 1},
		{"no items", with(t, "items", []any{}), always(), 400, "", ErrMalformed, 1},
		{"too much", append(body, bytes.Repeat([]byte(" "), DefaultMaxBody)...), always(), 413, "", ErrMalformed, 1},
	} {
		p := newProbe(v.rates, nil)
		w := post(p, v.body)
		synctest.Wait()
		if w.Code != v.status || !strings.Contains(w.Body.String(), v.answer) || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s: got %d %s %v, want %d …%s…", v.name, w.Code, w.Body, w.Header(), v.status, v.answer)
		}
		a := p.last()
		if len(p.answers) != 1 || a.Status != v.status || v.err != nil && !errors.Is(a.Err, v.err) || v.status == 200 && (a.Err != nil || a.Rates != 1 || a.Source != SourceCalled) {
			t.Errorf("%s: told %+v", v.name, p.answers)
		}
		if v.err != ErrMalformed && (a.StoreID != 123456 || a.CarrierID != "1234567") {
			t.Errorf("%s: answered %+v, want the store and the carrier", v.name, a)
		}
		if got := p.failures(); len(got) != v.reports || v.reports == 1 && v.err != nil && !errors.Is(got[0], v.err) {
			t.Errorf("%s: reported %v", v.name, got)
		}
		if strings.Contains(v.name, "panic") && (len(p.failures()[0].Stack) == 0 || p.failures()[0].CarrierID != "1234567" || p.failures()[0].StoreID != 123456) {
			t.Errorf("%s: reported %+v", v.name, p.failures()[0])
		}
	}
}

func TestHandlerTellsOfCodesThatAreNotShown(t *testing.T) {
	p := newProbe(always(ship(t, "standard"), ship(t, "Standard"), ship(t, "express")), nil)
	if w := post(p, document(t, "rate_request")); w.Code != 200 || strings.Join(p.last().Unmatched, " ") != "Standard express" || p.last().Rates != 3 {
		t.Errorf("got %d %s, %+v", w.Code, w.Body, p.last())
	}
}

func TestHandlerKnowsWhoAsks(t *testing.T) {
	const token, former client.Secret = "4fQ0zT7sVb2nXk91", "aaaaaaaaaaaaaaaa-_"
	fromHome := func(r *http.Request) bool { return strings.HasPrefix(r.RemoteAddr, "192.0.2.") }
	for _, v := range []struct {
		name, path, from string
		access           Access
		ok               bool
	}{
		{"the token", "/rates/4fQ0zT7sVb2nXk91", "198.51.100.9:1", Access{PathTokens: []client.Secret{token}}, true},
		{"the token above", "/4fQ0zT7sVb2nXk91/rates", "198.51.100.9:1", Access{PathTokens: []client.Secret{token}}, true},
		{"the former token", "/rates/aaaaaaaaaaaaaaaa-_", "198.51.100.9:1", Access{PathTokens: []client.Secret{token, former}}, true},
		{"another token", "/rates/4fQ0zT7sVb2nXk92", "198.51.100.9:1", Access{PathTokens: []client.Secret{token}}, false},
		{"a part of the token", "/rates/4fQ0zT7sVb2nXk9", "198.51.100.9:1", Access{PathTokens: []client.Secret{token}}, false},
		{"the token in the query", "/rates?4fQ0zT7sVb2nXk91", "198.51.100.9:1", Access{PathTokens: []client.Secret{token}}, false},
		{"no token", "/", "198.51.100.9:1", Access{PathTokens: []client.Secret{token}}, false},
		{"the token far below", strings.Repeat("/x", 100) + "/4fQ0zT7sVb2nXk91", "198.51.100.9:1", Access{PathTokens: []client.Secret{token}}, false},
		{"an address", "/", "192.0.2.9:1", Access{Allow: fromHome}, true},
		{"another address", "/", "198.51.100.9:1", Access{Allow: fromHome}, false},
		{"both", "/rates/4fQ0zT7sVb2nXk91", "192.0.2.9:1", Access{PathTokens: []client.Secret{token}, Allow: fromHome}, true},
		{"only the address", "/rates", "192.0.2.9:1", Access{PathTokens: []client.Secret{token}, Allow: fromHome}, false},
		{"only the token", "/rates/4fQ0zT7sVb2nXk91", "198.51.100.9:1", Access{PathTokens: []client.Secret{token}, Allow: fromHome}, false},
	} {
		p := newProbe(always(ship(t, "standard")), func(h *Handler) { h.Access = v.access })
		r := httptest.NewRequest(http.MethodPost, v.path, bytes.NewReader(document(t, "rate_request")))
		r.RemoteAddr = v.from
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		if (w.Code == 200) != v.ok || !v.ok && (w.Code != 403 || len(p.answers)+len(p.failures()) > 0) {
			t.Errorf("%s: got %d %s", v.name, w.Code, w.Body)
		}
	}
}

func TestHandlerCheck(t *testing.T) {
	good := func() *Handler {
		return &Handler{Rates: always(), Access: Access{PathTokens: []client.Secret{"4fQ0zT7sVb2nXk91"}}}
	}
	if err := good().Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Handler){
		"no Rates":                                        func(h *Handler) { h.Rates = nil },
		"anyone could call":                               func(h *Handler) { h.PathTokens = nil },
		"Guarded must not":                                func(h *Handler) { h.Guarded = true },
		"3 tokens":                                        func(h *Handler) { h.PathTokens = append(h.PathTokens, h.PathTokens[0], h.PathTokens[0]) },
		"token 1: must be at least 16":                    func(h *Handler) { h.PathTokens[0] = "short" },
		"token 1: must be":                                func(h *Handler) { h.PathTokens[0] = "4fQ0zT7sVb2n/Xk91" },
		"Recheck is -1":                                   func(h *Handler) { h.Recheck = -1 },
		"Budget is 5s: must be 0 or 500ms":                func(h *Handler) { h.Budget = AnswerTime },
		"MaxCached is -1":                                 func(h *Handler) { h.MaxCached = -1 },
		"Fresh is 15m0.000000001s":                        func(h *Handler) { h.Fresh = FreshTime + 1 },
		"Stale is 1m0s: must be at least Fresh":           func(h *Handler) { h.Stale = time.Minute },
		"Stale is 24h0m0.000000001s":                      func(h *Handler) { h.Stale = 24*time.Hour + 1 },
		"Outage is 7: must be PolicyFail or PolicyRefuse": func(h *Handler) { h.Outage = 7 },
	} {
		h := good()
		change(h)
		var reported []*Failure
		h.OnFailure = func(_ context.Context, f *Failure) { reported = append(reported, f) }
		if err := h.Check(); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "4fQ0") {
			t.Errorf("got %v, want …%s…", err, want)
		}
		for range 2 {
			if w := post(h, document(t, "rate_request")); w.Code != 503 {
				t.Errorf("%s: got %d", want, w.Code)
			}
		}
		if len(reported) != 1 {
			t.Errorf("%s: reported %v", want, reported)
		}
	}
	if w := post(&Handler{Logger: slog.New(slog.DiscardHandler)}, nil); w.Code != 503 {
		t.Errorf("the zero Handler: got %d", w.Code)
	}
}

// A failure is one line that says nothing of the buyer.
func TestHandlerReports(t *testing.T) {
	var text bytes.Buffer
	p := newProbe(failing(errors.New("gone\n{level:INFO}\u202e")), func(h *Handler) {
		h.OnFailure, h.Logger = nil, slog.New(slog.NewTextHandler(&text, nil))
	})
	post(p, document(t, "rate_request"))
	if line := text.String(); strings.Count(line, "\n") != 1 || !strings.Contains(line, "failure.carrier_id=1234567") || strings.Contains(line, "Rosario") {
		t.Errorf("logged %s", line)
	}
	f := &Failure{StoreID: 1, CarrierID: "2\n", Err: errors.New("x\x1b[31m")}
	if got, want := f.Error(), `shipping: carrier 2\n of store 1: x\x1b[31m`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The function sees what is in the key, and with Volatile the rest.
func TestHandlerHidesVolatileMembers(t *testing.T) { synctest.Test(t, testHandlerHidesVolatileMembers) }

func testHandlerHidesVolatileMembers(t *testing.T) {
	for _, volatile := range []bool{false, true} {
		var quotes []Quote
		p := newProbe(func(_ context.Context, q Quote) ([]Rate, error) {
			quotes = append(quotes, q)
			return []Rate{ship(t, "standard")}, nil
		}, func(h *Handler) { h.Volatile = volatile })
		for path, value := range map[string]any{
			"cart_id": "2", "language": "pt", "total_price": 1, "items.0.price": 1, "items.0.name": "x", "newer": 1, "currency": "BRL", "carrier.options": []any{},
		} {
			if w := post(p, with(t, path, value)); w.Code != 200 {
				t.Errorf("%s: got %d", path, w.Code)
			}
		}
		switch {
		case !volatile && (len(quotes) != 1 || quotes[0].Volatile != nil):
			t.Errorf("called with %+v", quotes)
		case volatile && (len(quotes) != 8 || quotes[0].Volatile == nil):
			t.Errorf("called %d times, want once for each request that differs", len(quotes))
		}
		if !volatile {
			continue
		}
		post(p, with(t, "cart_id", "3"))
		if len(quotes) != 8 {
			t.Error("called again for another cart that is the same in all else")
		}
	}
}
