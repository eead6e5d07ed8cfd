package browser

import (
	"flag"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/proof/browser/browsertest"
)

var pictures = flag.String("pictures", "", "the directory that pictures are written to (a temporary one)")

var browser *browsertest.Browser

func TestMain(m *testing.M) { goleak.VerifyTestMain(browsertest.With(m, &browser)) }
