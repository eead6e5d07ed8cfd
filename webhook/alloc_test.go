//go:build !race

// The race detector empties pools at random, so allocations are counted without it.

package webhook

import (
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

func TestVerifyAllocations(t *testing.T) {
	v := newVerifier([]client.Secret{testSecret})
	body := []byte(strings.Repeat("x", 200))
	header := []string{Sign(testSecret, body)}
	if n := testing.AllocsPerRun(1000, func() { v.verify(header, body) }); n > 1 {
		t.Errorf("got %v allocations, want 1 at most", n)
	}
}
