package otelcommerce

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

var soak = flag.Bool("soak", false, "run the proofs at full size")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
