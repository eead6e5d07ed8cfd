package res_test

import (
	"flag"
	"math/rand/v2"
	"strconv"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/tier"
)

func TestMain(m *testing.M) {
	// A sequence is some 30 calls to a server. The command line can set both flags.
	for name, value := range map[string]string{
		"rapid.checks": tier.Size("8", "40", "400"), "rapid.seed": strconv.FormatUint(rand.Uint64(), 10),
	} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(everyEvent{m})
}
