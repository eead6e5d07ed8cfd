package statetest

import (
	"context"
	"database/sql"
	"math"
	"math/rand/v2"
	"testing"
	"time"

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
	all = all[:len(all)/tier.Size(10, 1, 1)]
	t.Logf("%d points of %d statements, seed %d", len(all), statements, seed)
	return all
}

// ends does an act in a process that ends at a point, and returns its number of statements.
func (w *World) ends(t testing.TB, row Row, n int, p point) (statements int32, err error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	base, err := w.Connect(w.Address)
	if err != nil {
		t.Fatal(err)
	}
	c := &cut{db: base, fate: p.fate, at: p.at, died: cancel}
	db := sql.OpenDB(c)
	err = row.Open(w, db).Act(ctx, n)
	_ = db.Close() // a process that has died reports that
	_ = base.Close()
	return c.statements.Load(), err
}

// killed ends a process at each statement of an act: before it, after it, or with its answer lost while the process
// lives. Acts that it had confirmed are there, and this one was done wholly or not at all. The next process does it
// once.
func killed(t *testing.T, w *World, row Row) {
	statements, err := w.ends(t, row, 0, point{at: math.MaxInt32})
	if err != nil {
		t.Fatal(err)
	}
	confirmed := []int{0}
	for i, p := range points(t, statements) {
		n := 2*i + 1
		_, err := w.ends(t, row, n, p)
		w.expire(t, row)
		next := w.process(t, row)
		if err == nil {
			shows(t, next, n)
		}
		began := time.Now()
		w.continues(t, next, n, n+1)
		if confirmed = append(confirmed, n, n+1); t.Failed() || time.Since(began) > 30*time.Second {
			t.Fatalf("%s statement %d of %d; the next process took %v", p.fate, p.at, statements, time.Since(began))
		}
	}
	shows(t, w.process(t, row), confirmed...)
}
