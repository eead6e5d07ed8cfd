package postgres

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/webhook"
)

// arrivals are entries to be written to the table, as waves of columns. The keys of a wave are in the order in which
// they are locked. They differ, because a statement must not write a row twice; equal arrivals become one row.
type arrivals struct {
	waves []*wave
	where []place // of each entry
}

// place is a row of a wave.
type place struct{ wave, row int }

// wave holds the columns of one statement.
type wave struct {
	entries   []*webhook.Entry // the last entry of each row
	keys      []string
	lanes     []string
	kinds     []string
	events    []string
	stores    []int64
	bodies    [][]byte
	windows   []int64 // nanoseconds; -1 means forever
	settles   []int64
	clears    []string
	protected []bool
	unhandled []string
	counts    []int32
	dues      []int64  // microseconds from now: the earliest that settles allow
	traces    []string // nil if no row has one
	outcomes  []webhook.Outcome
}

// newArrivals makes waves of entries. They are due a microsecond apart, so that they keep their order.
func newArrivals(entries []*webhook.Entry) *arrivals {
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(strings.Compare(entries[i].Key, entries[j].Key), i-j)
	})
	a := &arrivals{where: make([]place, len(entries))}
	var at place // of the previous entry
	for n, i := range order {
		e, due := entries[i], int64(i+1-len(entries))+entries[i].Settle.Microseconds()
		switch {
		case n == 0 || e.Key != entries[order[n-1]].Key:
			at = a.append(0, e, due)
		case !a.waves[at.wave].fold(at.row, e, due):
			at = a.append(at.wave+1, e, due)
		}
		a.where[i] = at
	}
	return a
}

func (a *arrivals) append(n int, e *webhook.Entry, due int64) place {
	if n == len(a.waves) {
		a.waves = append(a.waves, &wave{})
	}
	w := a.waves[n]
	body := e.Body
	if body == nil {
		body = []byte{}
	}
	w.entries = append(w.entries, e)
	w.keys = append(w.keys, e.Key)
	w.lanes = append(w.lanes, e.Lane)
	w.kinds = append(w.kinds, string(e.Kind))
	w.events = append(w.events, string(e.Event))
	w.stores = append(w.stores, int64(e.StoreID))
	w.bodies = append(w.bodies, body)
	w.windows = append(w.windows, window(e))
	w.settles = append(w.settles, e.Settle.Nanoseconds())
	w.clears = append(w.clears, clears(e))
	w.protected = append(w.protected, e.Protected)
	w.unhandled = append(w.unhandled, e.Unhandled)
	w.counts = append(w.counts, 1)
	w.dues = append(w.dues, due)
	w.outcomes = append(w.outcomes, "")
	w.trace(len(w.keys)-1, e)
	return place{n, len(w.keys) - 1}
}

// fold makes one arrival of the row and e, if that is equivalent to both one after the other.
func (w *wave) fold(i int, e *webhook.Entry, due int64) bool {
	was := w.entries[i]
	if e.Kind != was.Kind || e.Lane != was.Lane || e.Protected != was.Protected || e.Unhandled != "" || was.Unhandled != "" {
		return false
	}
	w.counts[i]++
	if e.Kind == webhook.KindFact {
		return true
	}
	w.entries[i] = e
	w.events[i] = string(e.Event)
	w.stores[i] = int64(e.StoreID)
	w.bodies[i] = e.Body
	if e.Body == nil {
		w.bodies[i] = []byte{}
	}
	w.windows[i] = window(e)
	w.settles[i] = e.Settle.Nanoseconds()
	w.clears[i] = clears(e)
	w.trace(i, e)
	w.dues[i] = min(w.dues[i], due)
	return true
}

// trace sets the trace of a row. Most deliveries have no trace, so the column is made only if there is one.
func (w *wave) trace(i int, e *webhook.Entry) {
	trace := webhook.Traceparent(e.Trace)
	if trace == "" && i >= len(w.traces) {
		return
	}
	if more := i + 1 - len(w.traces); more > 0 {
		w.traces = append(w.traces, make([]string, more)...)
	}
	w.traces[i] = trace
}

func window(e *webhook.Entry) int64 {
	if e.Window < 0 {
		return -1
	}
	return e.Window.Nanoseconds()
}

func clears(e *webhook.Entry) string {
	names := make([]string, len(e.Clears))
	for i, name := range e.Clears {
		names[i] = string(name)
	}
	return strings.Join(names, "\n")
}

// queue adds the statements that write the arrivals.
func (a *arrivals) queue(b *pgx.Batch, in *Inbox) {
	turn, _ := in.from()
	for _, w := range a.waves {
		b.Queue(in.sql.accept, in.options.Queue, w.keys, w.lanes, w.kinds, w.events, w.stores, w.bodies, w.windows, w.settles,
			w.clears, w.protected, w.unhandled, w.counts, w.dues, webhook.ShortestBackoff.Microseconds(), len(a.where), w.traces,
			turn).Query(w.read)
	}
}

func (w *wave) read(rows pgx.Rows) error {
	for i := range w.outcomes {
		w.outcomes[i] = webhook.OutcomeStored
	}
	var key, outcome string
	_, err := pgx.ForEachRow(rows, []any{&key, &outcome}, func() error {
		if i, sent := slices.BinarySearch(w.keys, key); sent {
			w.outcomes[i] = webhook.Outcome(outcome)
		}
		return nil
	})
	return err
}

// outcome returns the outcome of the nth entry. If several entries became one row, the first has the outcome of the
// row, and the others joined the first.
func (a *arrivals) outcome(n int) webhook.Outcome {
	at := a.where[n]
	w := a.waves[at.wave]
	met := w.outcomes[at.row]
	if met == webhook.OutcomeStored || met == webhook.OutcomeRevived {
		w.outcomes[at.row] = webhook.OutcomeJoined
	}
	return met
}
