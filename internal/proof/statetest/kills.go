package statetest

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/tier"
)

// point is where something happens to a process.
type point struct {
	fate fate
	at   int32
}

// points returns all points of an act with a number of statements, in random order. Make test plays a tenth of them.
func points(t testing.TB, statements int32) (all []point) {
	for at := int32(1); at <= statements; at++ {
		all = append(all, point{diesBefore, at}, point{diesAfter, at}, point{answerLost, at})
	}
	seed := rand.Uint64()
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:max(1, len(all)/tier.Size(10, 1, 1))]
	t.Logf("%d points of %d statements, seed %d", len(all), statements, seed)
	return all
}

// ends does an act in a process that ends at a point, and returns its number of statements. A process that has died
// is not waited for, because it can do nothing any more.
func (w *World) ends(t testing.TB, row Row, n int, p point) (statements int32, err error) {
	t.Helper()
	base, err := w.Connect(w.Address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	c := &cut{db: base, fate: p.fate, at: p.at, died: cancel}
	of := *w
	of.dead = &c.dead
	ended := make(chan error, 1)
	w.processes.Go(func() {
		db := sql.OpenDB(c)
		ended <- row.Open(&of, db).Act(ctx, n)
		cancel()
		_ = db.Close() // a process that has died reports that
		_ = base.Close()
	})
	<-ctx.Done()
	if c.dead.Load() {
		return 0, errCut
	}
	return c.statements.Load(), <-ended
}

// killed ends a process at each statement of an act: before it, after it, or with its answer lost while the process
// lives. Acts that it had confirmed are there, and this one was done wholly or not at all. The next process does it
// once.
func killed(t *testing.T, w *World, row Row) {
	if row.Pays {
		w.Shop.loses(t)
	}
	kinds := max(1, row.Kinds)
	for kind := range kinds {
		t.Run(fmt.Sprint("Kind", kind), func(t *testing.T) {
			t.Parallel() // a process waits for operations of the one before
			killedIn(t, w, row, kind, kinds)
		})
	}
}

// killedIn is killed for a kind of acts.
func killedIn(t *testing.T, w *World, row Row, kind, kinds int) {
	statements, err := w.ends(t, row, kind, point{at: math.MaxInt32})
	if err != nil {
		t.Fatal(err)
	}
	confirmed := []int{kind}
	for i, p := range points(t, statements) {
		n := kind + kinds*(2*i+1)
		_, err := w.ends(t, row, n, p)
		w.expire(t, row)
		db, failed := w.Connect(w.Address)
		if failed != nil {
			t.Fatal(failed)
		}
		next := row.Open(w, db)
		if err == nil {
			shows(t, next, n)
		}
		w.continues(t, next, n, n+kinds)
		if err := db.Close(); err != nil { // a server has a bounded number of connections
			t.Error(err)
		}
		if confirmed = append(confirmed, n, n+kinds); t.Failed() {
			t.Fatalf("%s statement %d of %d", p.fate, p.at, statements)
		}
	}
	shows(t, w.process(t, row), confirmed...)
}
