package webhook

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	testSecret client.Secret = "5f2b1c9a7d3e4f60"
	paidBody   string        = `{"store_id":123,"event":"order/paid","id":871254203}`
)

// probe is a Handler that counts what reaches which part of it.
type probe struct {
	*Handler
	parses int
	mu     sync.Mutex
	calls  []Delivery[Entity]
	kept   []Delivery[Unknown]
	failed []*Failure
}

// newProbe handles order/paid and keeps the rest. configure may be nil.
func newProbe(t testing.TB, configure func(*Handler)) *probe {
	t.Helper()
	p := &probe{}
	var events Registry
	On(&events, OrderPaid, func(_ context.Context, d Delivery[Entity]) error {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.calls = append(p.calls, d)
		return nil
	})
	p.Handler = &Handler{
		Secrets:  []client.Secret{testSecret},
		Registry: &events,
		Unknown: func(_ context.Context, d Delivery[Unknown]) error {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.kept = append(p.kept, d)
			return nil
		},
		OnFailure: func(_ context.Context, f *Failure) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.failed = append(p.failed, f)
		},
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	if configure != nil {
		configure(p.Handler)
	}
	e := p.ready()
	read := e.read
	e.read = func(r *http.Request, raw []byte, at time.Time) message {
		p.mu.Lock()
		p.parses++
		p.mu.Unlock()
		return read(r, raw, at)
	}
	return p
}

// signed is a request as the platform sends it.
func signed(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(body))
	r.Header.Set(SignatureHeader, Sign(testSecret, []byte(body)))
	return r
}

func send(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
