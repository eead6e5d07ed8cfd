package rules

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
)

func document(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../../testdata/wire/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// about is a good request of a domain.
func about(t testing.TB, d client.RuleDomain) []byte {
	t.Helper()
	if d == client.RuleDomainLocation {
		return document(t, "business_rule_location")
	}
	body := string(document(t, "business_rule"))
	body = strings.Replace(body, client.RuleDomainCart.Event(), d.Event(), 1)
	return []byte(strings.Replace(body, `"domain": "cart"`, `"domain": "`+string(d)+`"`, 1))
}

// The locations of the example, by the merchant's priority.
var (
	second = ulid.MustParse("01GQ2ZHK064BQRHGDB7CCV0Y6N")
	first  = ulid.MustParse("01GQ2ZHK064BQRHGDB7CCV0Y6P")
)

// probe is a Handler that keeps what it reports.
type probe struct {
	*Handler
	mu      sync.Mutex
	failed  []*Failure
	answers []Answer
}

// newProbe lets everybody in. Without functions it blocks.
func newProbe(t testing.TB, change func(*Handler)) *probe {
	t.Helper()
	p := &probe{}
	p.Handler = &Handler{
		Guarded: true,
		OnFailure: func(ctx context.Context, f *Failure) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.failed = append(p.failed, f)
			if ctx.Err() != nil { // it is what the report would be sent with
				t.Errorf("%v is reported with a context that has ended: %v", f, ctx.Err())
			}
		},
		OnAnswered: func(_ context.Context, a Answer) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.answers = append(p.answers, a)
		},
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	if change != nil {
		change(p.Handler)
	}
	if p.Payments == nil && p.Shipping == nil && p.Locations == nil && p.Cart == nil {
		p.Cart = blocks
	}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	return p
}

func blocks(context.Context, *Request) (Verdict, error) { return VerdictBlock, nil }

// failures are those that were reported, in order.
func (p *probe) failures() []*Failure {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*Failure(nil), p.failed...)
}

// last is the last answer.
func (p *probe) last() Answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answers[len(p.answers)-1]
}

func post(ctx context.Context, h http.Handler, body []byte) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, "/rules", bytes.NewReader(body)))
	return w
}
