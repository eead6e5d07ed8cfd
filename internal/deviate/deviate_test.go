package deviate_test

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/deviate"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

var (
	rowsFlag = flag.String("deviate.rows", "", "names of deviations with + between them, to make the tour with just these")
	seedFlag = flag.Uint64("deviate.seed", 1, "the seed of the first combination; the others follow")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// plain makes the tour without deviations.
func plain(t *testing.T) *tour { return run(t, nil, nil, deviate.Always(0), everything...) }

// TestTour makes the tour without deviations twice: if it differed by itself, a difference would say nothing. It
// compares the calls with the table of endpoints.
func TestTour(t *testing.T) {
	made, named := plain(t), map[string]bool{}
	report(t, run(t, made.made, nil, deviate.Always(0), everything...))
	data, err := os.ReadFile("../../testdata/endpoints.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range made.made {
		method, _, _ := strings.Cut(e.name, " ")
		named[method] = true
	}
	rows := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	for _, row := range rows {
		c := strings.Split(row, "\t")
		method, path, services, served := c[1], c[2], c[8], c[11]
		if services == "-" || served != "yes" {
			continue
		}
		for s := range strings.SplitSeq(services, ",") {
			if !named[s] {
				t.Errorf("the tour does not call %s", s)
			}
		}
		if !slices.Contains(made.operations, method+" "+path) {
			t.Errorf("the tour does not ask for %s %s", method, path)
		}
	}
	if len(rows) < 200 {
		t.Errorf("the table has %d rows", len(rows))
	}
}

// TestProofDeviations makes the tour with each deviation alone, and with random combinations of three. Every call must
// return what it returns without deviations. In make test, several deviations that can be combined share a tour,
// and some are left out.
func TestProofDeviations(t *testing.T) {
	wanted := plain(t).made
	met := &tally{met: map[string]int{}}
	if *rowsFlag != "" {
		rows, ok := deviate.Named(strings.Split(*rowsFlag, " + ")...)
		if !ok {
			t.Fatalf("-deviate.rows %q: not all of them exist", *rowsFlag)
		}
		visit(t, wanted, *seedFlag, met, rows...)
		met.report(t)
		return
	}
	t.Run("all", func(t *testing.T) {
		packs := deviate.Packs(*seedFlag, tier.Unwatched(8, 1, 1))
		for _, rows := range packs[:tier.Unwatched(3, len(packs), len(packs))] {
			t.Run(names(rows), func(t *testing.T) {
				t.Parallel()
				visit(t, wanted, *seedFlag, met, rows...)
			})
		}
		for i := range tier.Unwatched(2, 20, 5000) {
			seed := *seedFlag + uint64(i)
			rows := deviate.Pick(rand.New(rand.NewPCG(seed, 3)), 3, nil)
			t.Run(fmt.Sprintf("seed %d: %s", seed, names(rows)), func(t *testing.T) {
				t.Parallel()
				visit(t, wanted, seed, met, rows...)
			})
		}
	})
	met.report(t)
}

func names(rows []deviate.Deviation) string {
	var all []string
	for _, d := range rows {
		all = append(all, d.Name)
	}
	return strings.Join(all, " + ")
}

func visit(t *testing.T, wanted []entry, seed uint64, met *tally, rows ...deviate.Deviation) {
	d := deviate.Always(seed, rows...)
	report(t, run(t, wanted, rows, d, everything...))
	met.add(rows, d.Met())
}

// mostFindings is how many of the findings of a tour are printed.
const mostFindings = 5

func report(t *testing.T, made *tour) {
	t.Helper()
	for _, f := range made.findings[:min(mostFindings, len(made.findings))] {
		t.Error(f)
	}
	if n := len(made.findings); n > mostFindings {
		t.Errorf("%d calls differ in all", n)
	}
}

// tally counts calls by deviation.
type tally struct {
	mu  sync.Mutex
	met map[string]int
}

func (c *tally) add(rows []deviate.Deviation, met map[string]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range rows {
		c.met[d.Name] += met[d.Name] // also 0
	}
}

// report prints how many calls met each deviation. One that no call met has tested nothing.
func (c *tally) report(t *testing.T) {
	var table strings.Builder
	for _, d := range deviate.All() {
		n, applied := c.met[d.Name]
		if !applied {
			continue // -run chose others
		}
		fmt.Fprintf(&table, "%8d  %-11s %s\n", n, cmp.Or(d.Group, "-"), d.Name)
		if n == 0 {
			t.Errorf("no call met the deviation %q", d.Name)
		}
	}
	t.Logf("calls, group and deviation:\n%s", table.String())
}
