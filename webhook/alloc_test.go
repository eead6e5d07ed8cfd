//go:build !race

// The race detector empties pools at random, so allocations are counted without it.

package webhook

import (
	"context"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

func TestVerifyAllocations(t *testing.T) {
	v := newVerifier([]client.Secret{testSecret})
	body := []byte(strings.Repeat("x", 200))
	header := []string{Sign(testSecret, body)}
	if n := testing.AllocsPerRun(1000, func() { v.accepts(header, body) }); n > 1 {
		t.Errorf("got %v allocations, want 1 at most", n)
	}
}

// A Sweep asks for each record, and whoever reads a queue for each entry: the table must not be made anew.
func TestEntryAllocations(t *testing.T) {
	var r Registry
	On(&r, OrderPaid, func(context.Context, Delivery[Entity]) error { return nil })
	e := r.Entry("", "", []byte(paidBody))
	if n := testing.AllocsPerRun(100, func() { r.Entry("", "", e.Body) }); n > 10 {
		t.Errorf("Entry: got %v allocations, want 10 at most", n)
	}
	if n := testing.AllocsPerRun(100, func() { _ = r.Handle(t.Context(), e) }); n > 10 {
		t.Errorf("Handle: got %v allocations, want 10 at most", n)
	}
}
