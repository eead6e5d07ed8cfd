package sqlite_test

import (
	"flag"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxtest"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// testsAtOnce is how many tests run at the same time. They wait for the disk most of the time.
const testsAtOnce = "16"

// seed is that of random choices: see choices.
var seed = flag.Uint64("seed", rand.Uint64(), "seed of random choices")

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", testsAtOnce) // what -parallel says replaces it
	flag.Parse()
	proctest.Main(roles())
	goleak.VerifyTestMain(m)
}

// choices returns the nth source of random choices of a test, and prints the seed, which -seed sets.
func choices(t testing.TB, n int) *rand.Rand {
	t.Helper()
	if n == 0 {
		t.Logf("-seed %d", *seed)
	}
	return rand.New(rand.NewPCG(*seed, uint64(n)))
}

// inbox opens an inbox that the test closes.
func inbox(t testing.TB, path string, o sqlite.Options) *sqlite.Inbox {
	t.Helper()
	in, err := sqlite.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	})
	return in
}

func file(t testing.TB) string { return filepath.Join(t.TempDir(), "inbox.db") }

// engine is what the suite opens. It keeps the files of the inboxes.
func engine() inboxtest.Engine {
	var paths sync.Map // by inbox
	path := func(in webhook.Inbox) string { p, _ := paths.Load(in); return p.(string) }
	open := func(t *testing.T, path string, o sqlite.Options) webhook.Inbox {
		in := inbox(t, path, o)
		paths.Store(in, path)
		return in
	}
	return inboxtest.Engine{
		Open:    func(t *testing.T) webhook.Inbox { return open(t, file(t), sqlite.Options{}) },
		Limited: func(t *testing.T, most int) webhook.Inbox { return open(t, file(t), sqlite.Options{HighWater: most}) },
		Share:   func(t *testing.T, in webhook.Inbox) webhook.Inbox { return open(t, path(in), sqlite.Options{}) },
		Reopen: func(t *testing.T, in webhook.Inbox) webhook.Inbox {
			if err := in.(*sqlite.Inbox).Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, path(in), sqlite.Options{})
		},
		Holds: func(t *testing.T, in webhook.Inbox, text []byte) bool { return holds(t, path(in), text) },
	}
}

// holds tells whether one of the files of an inbox holds a text.
func holds(t *testing.T, path string, text []byte) bool {
	t.Helper()
	found, err := held(path, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return found != ""
}

func TestConformance(t *testing.T) {
	t.Parallel()
	inboxtest.Run(t, engine())
}

func TestProofSchedules(t *testing.T) {
	t.Parallel()
	inboxtest.Schedules(t, engine(), tier.Size(4, 40, 4000), *seed)
}
