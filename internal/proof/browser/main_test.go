package browser

import (
	"flag"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/proof/browser/browsertest"
)

var pictures = flag.String("pictures", os.Getenv("COMMERCE_TEST_PICTURES"),
	"the directory that pictures of all pages are written to (none)")

var browser *browsertest.Browser

func TestMain(m *testing.M) { goleak.VerifyTestMain(browsertest.With(m, &browser)) }
