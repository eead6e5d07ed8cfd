package tier_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/tier"
)

func TestSize(t *testing.T) {
	for value, want := range map[string]int{"": 1, "prove": 2, "soak": 3} {
		t.Setenv(tier.Variable, value)
		if got := tier.Size(1, 2, 3); got != want {
			t.Errorf("%q: size %d, want %d", value, got, want)
		}
	}
	t.Setenv(tier.Variable, "proof")
	defer func() {
		if recover() == nil {
			t.Error("an unknown tier has a size")
		}
	}()
	tier.Size(1, 2, 3)
}
