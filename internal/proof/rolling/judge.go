package rolling

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/rolling/replica"
)

// judge waits until nothing is pending, ends the replicas, and compares what they did with what was sent.
func (w *world) judge(t *testing.T) {
	t.Helper()
	in := w.database.Open(t)
	until(t, "entries are pending, and no replica handles them", func() bool {
		s, err := in.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s.Dead > 0 {
			letters, err := in.Dead(t.Context(), "", 1)
			t.Fatalf("%d entries are dead, the first of them: %+v, %v", s.Dead, letters, err)
		}
		return s.Pending == 0
	})
	t.Logf("%d deliveries acknowledged, %d without an answer from replicas that were killed; killed %v",
		w.acks, w.lost, w.kills)
	w.end(t)
	if is, want := w.database.Versions(t); is != want {
		t.Errorf("the tables have version %d, want %d", is, want)
	}
	w.judgeEffects(t)
	w.judgeRuns(t)
	w.judgeLogs(t)
}

// judgeEffects compares the tables of the app with what was acknowledged.
func (w *world) judgeEffects(t *testing.T) {
	t.Helper()
	copies := w.pairs(t, "SELECT id, version FROM "+w.database.Prefix+"copy")
	shipments := w.pairs(t, "SELECT id, count(*) FROM "+w.database.Prefix+"shipment GROUP BY id")
	lost, double, stale := 0, 0, 0
	for order := range w.created {
		if shipments[order] == 0 {
			lost++
		}
	}
	for _, n := range shipments {
		if n > 1 {
			double++
		}
	}
	for product, version := range w.heard {
		if copies[product] < version {
			stale++
		}
	}
	t.Logf("%d orders acknowledged, %d shipped: %d lost, %d double; %d of %d copies stale",
		len(w.created), len(shipments), lost, double, stale, len(w.heard))
	if lost > 0 || double > 0 || stale > 0 {
		t.Errorf("%d lost, %d double, %d stale, want 0 of each", lost, double, stale)
	}
}

func (w *world) pairs(t *testing.T, query string) map[int64]int64 {
	t.Helper()
	rows, err := w.database.DB.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := make(map[int64]int64)
	for rows.Next() {
		var key, value int64
		if err := rows.Scan(&key, &value); err != nil {
			t.Fatal(err)
		}
		all[key] = value
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// judgeRuns compares the traces of runs with those of the deliveries whose bodies they had: a delivery to this release
// has its trace, one to the release before has none.
func (w *world) judgeRuns(t *testing.T) {
	t.Helper()
	wrong := 0
	runs := w.runs(t, func(received release, run replica.Started) {
		want := ""
		if received == newer {
			want = trace(run.Number)
		}
		if run.Trace == want {
			return
		}
		if wrong++; wrong == 1 {
			t.Errorf("a run of the delivery with number %d, to %s, has trace %q, want %q",
				run.Number, received, run.Trace, want)
		}
	})
	t.Logf("runs by who received and who handled: %v; %d with a wrong trace", runs, wrong)
}

// crossing is who received a delivery and who handled it.
type crossing struct{ received, handled release }

// crossed waits until each release has handled what the other has received.
func (w *world) crossed(t *testing.T) {
	t.Helper()
	until(t, "a release has handled nothing that the other has received", func() bool {
		runs := w.runs(t, func(release, replica.Started) {})
		return runs[crossing{older, newer}] > 0 && runs[crossing{newer, older}] > 0
	})
}

// runs counts runs, and calls a function for those of this release, with who had received the delivery.
func (w *world) runs(t *testing.T, each func(received release, run replica.Started)) map[crossing]int {
	t.Helper()
	counts := make(map[crossing]int)
	for _, of := range []release{older, newer} {
		for _, line := range lines(t, w.file("runs", of)) {
			var run replica.Started
			if err := json.Unmarshal([]byte(line), &run); err != nil {
				continue // a replica was killed, or is about to write the rest
			}
			w.mu.Lock()
			received := w.sent[run.Number]
			w.mu.Unlock()
			counts[crossing{received, of}]++
			if of == newer {
				each(received, run)
			}
		}
	}
	return counts
}

// expected are parts of lines of a log that the proof itself causes, or a machine that is slow.
var expected = []string{replica.ErrUnlucky.Error(), slow, leases}

const (
	slow = "context deadline exceeded"
	// leases of PostgreSQL that pass the turn of a store to each other were not repeated by releases until migration 9.
	leases = "lease: postgres: lease: ERROR: deadlock detected"
)

// judgeLogs looks for lines that nothing explains, and for answers other than 200 for another reason than that the
// machine is slow.
func (w *world) judgeLogs(t *testing.T) {
	t.Helper()
	late := 0
	for _, of := range []release{older, newer} {
		counts, strange := make(map[string]int), 0
		for _, line := range lines(t, w.file("log", of)) {
			at := slices.IndexFunc(expected, func(part string) bool { return strings.Contains(line, part) })
			if at >= 0 {
				counts[expected[at]]++
			} else if strange++; strange <= 3 {
				t.Errorf("the log of %s: %s", of, line)
			}
		}
		late += counts[slow]
		t.Logf("lines in the log of %s: %v, and %d others", of, counts, strange)
	}
	refused := w.refused[http.StatusServiceUnavailable]
	t.Logf("%d deliveries answered 503", refused)
	if len(w.refused) > 1 || len(w.refused) == 1 && refused == 0 || refused > late {
		t.Errorf("answers other than 200, by status: %v; %d lines of logs explain such", w.refused, late)
	}
}

func lines(t *testing.T, path string) (all []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		all = append(all, s.Text())
	}
	return all
}
