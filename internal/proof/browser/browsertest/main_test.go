package browsertest

import (
	"testing"

	"go.uber.org/goleak"
)

var browser *Browser

func TestMain(m *testing.M) { goleak.VerifyTestMain(With(m, &browser)) }
