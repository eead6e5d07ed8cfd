package shipping

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Rates of which some are missing are answered and not kept: neither for the next request, nor for an outage.
func TestPartialRatesAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := document(t, "rate_request")
		s := &script{}
		p := newProbe(s.do, func(h *Handler) { h.Recheck = 1 })
		partial := fmt.Errorf("express: %w: %w", errDown, ErrPartial)

		s.set([]Rate{ship(t, "standard")}, partial, 0)
		for calls := range int64(3) {
			p.want(t, body, 200, SourceCalled)
			if got := s.calls.Load(); got != calls+1 {
				t.Errorf("%d calls, want %d", got, calls+1)
			}
			if a := p.last(); !errors.Is(a.Err, ErrPartial) || !errors.Is(a.Err, errDown) || a.Rates != 1 {
				t.Errorf("got %+v, want a rate and why others are missing", a)
			}
		}
		if failed := p.failures(); len(failed) != 3 || !errors.Is(failed[0], ErrPartial) || failed[0].StoreID == 0 {
			t.Errorf("reported %v, want each", failed)
		}
		if h := p.Health(); h.Failures > 0 {
			t.Errorf("%d failures count against the carrier", h.Failures)
		}
		s.set(nil, errDown, 0)
		p.want(t, body, 503, SourceNobody)

		s.set([]Rate{ship(t, "standard"), ship(t, "express")}, nil, 0)
		p.want(t, body, 200, SourceCalled)
		s.set([]Rate{ship(t, "standard")}, partial, 0)
		p.want(t, body, 200, SourceCalled) // the answer in the cache is checked
		for _, f := range p.failures() {
			if errors.Is(f, ErrVolatile) {
				t.Errorf("reported %v", f)
			}
		}
		time.Sleep(FreshTime)
		s.set(nil, errDown, 0)
		if w := post(p, body); w.Code != 200 || p.last().Source != SourceStale || !strings.Contains(w.Body.String(), "express") {
			t.Errorf("got %d %s from %s, want all rates, from the cache", w.Code, w.Body, p.last().Source)
		}
		s.set(nil, partial, 0)
		time.Sleep(StaleTime)
		p.want(t, body, 503, SourceNobody)
	})
}

// Rates that are late and partial are not kept either.
func TestLatePartialRatesAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := document(t, "rate_request")
		s := &script{deaf: true}
		s.set([]Rate{ship(t, "standard")}, ErrPartial, 6*time.Second)
		p := newProbe(s.do, nil)
		p.want(t, body, 503, SourceNobody)
		time.Sleep(5 * time.Second)
		s.set([]Rate{ship(t, "standard")}, nil, 0)
		p.want(t, body, 200, SourceCalled)
	})
}
