package rolling

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Role is the role of the children of the proof that are of this release.
const Role = "rolling"

// Engine is what the proof runs on.
type Engine struct {
	Name string // of its folder
	// New makes an empty database, without the tables of an inbox.
	New func(t *testing.T) Database
	// Length is how long each order of the upgrade takes at full size. 0 means a few kills.
	Length time.Duration
}

// Trace is the trace of a lease: see replica.Run.
func Trace(l webhook.Lease) string { return l.Trace }

// fewKills are the kills of an order that is not at full size: one of each release.
const fewKills = 2

// Run upgrades tables in both orders.
func Run(t *testing.T, e Engine) {
	program := before(t, e.Name, e.Length > 0)
	t.Run("old first", func(t *testing.T) { newWorld(t, e, program).upgrade(t, e.Length) })
	t.Run("new first", func(t *testing.T) { newWorld(t, e, program).rollBack(t, e.Length) })
}

// upgrade has two old replicas, whose tables a new one migrates under load. Then new ones replace them.
func (w *world) upgrade(t *testing.T, length time.Duration) {
	w.start(t, older)
	w.createTables(t)
	w.start(t, older)
	stop := w.load(t)
	w.progress(t)
	early := 1
	if length > 0 {
		early = 20
	}
	for range early { // in the midst of the migration, or of the start
		r := w.launch(t, newer)
		<-time.After(rand.N(200 * time.Millisecond))
		r.process.Kill(t)
		w.progress(t)
	}
	w.start(t, newer)
	w.progress(t)
	w.killSome(t, length)
	w.crossed(t)
	for _, r := range w.live(older) {
		w.kill(t, r)
		w.start(t, newer)
		w.progress(t)
	}
	stop()
	w.judge(t)
}

// rollBack has two new replicas. One is replaced by an old one, then all are, and then a new one starts again.
func (w *world) rollBack(t *testing.T, length time.Duration) {
	first := w.start(t, newer)
	w.createTables(t)
	w.start(t, newer)
	stop := w.load(t)
	w.progress(t)
	w.kill(t, first)
	w.start(t, older)
	w.progress(t)
	w.killSome(t, length)
	w.crossed(t)
	for _, r := range w.live(newer) {
		w.kill(t, r)
	}
	w.progress(t) // of the old one alone
	w.start(t, newer)
	w.progress(t)
	stop()
	w.judge(t)
}

// killSome kills replicas at random moments, and starts each again, until the time is over.
func (w *world) killSome(t *testing.T, length time.Duration) {
	t.Helper()
	began := time.Now()
	for n := 0; n < fewKills || time.Since(began) < length; n++ {
		all := append(w.live(older), w.live(newer)...)
		r := all[rand.IntN(len(all))]
		if n < 2 {
			r = w.live([]release{older, newer}[n])[0]
		}
		<-time.After(rand.N(100 * time.Millisecond))
		w.kill(t, r)
		w.start(t, r.release)
		w.progress(t)
	}
}
