package statetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

// within is the time in which a process writes after its address leads to a server that takes writes.
const within = 5 * time.Second

// failover has a standby take the place of its server, while a process writes through connections that stay open and
// lead to a server that is read-only. No confirmed act is lost.
func failover(t *testing.T, e Engine, over Failover) {
	all := rows()
	w := newWorld(t, e, e.New(t), all...)
	w.DB = over.Fresh
	faces, confirmed := make([]Face, len(all)), make([]int, len(all))
	for i, row := range all {
		faces[i] = w.migrate(t, row, over.DB)
	}
	for range 2 {
		w.recovers(t, all, faces, confirmed) // and first of all begins
		ctx, stop := context.WithCancel(t.Context())
		var writing sync.WaitGroup
		for i, f := range faces {
			writing.Go(func() {
				for ctx.Err() == nil {
					if f.Act(ctx, confirmed[i]) == nil {
						confirmed[i]++
					}
				}
			})
		}
		over.Over()
		stop()
		writing.Wait()
		queries(t, over)
		w.recovers(t, all, faces, confirmed)
	}
	for i, f := range faces {
		for n := range confirmed[i] {
			shows(t, f, n)
		}
	}
}

// recovers fails the test unless each package writes in time.
func (w *World) recovers(t *testing.T, all []Row, faces []Face, confirmed []int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	for _, row := range all {
		w.expire(t, row)
	}
	var acting sync.WaitGroup
	for i, f := range faces {
		acting.Go(func() {
			began := time.Now()
			if err := f.Act(ctx, confirmed[i]); err != nil {
				t.Errorf("%s: act %d after %v: %v", all[i].Name, confirmed[i], time.Since(began), err)
				return
			}
			confirmed[i]++
		})
	}
	acting.Wait()
}

// queries fails the test unless a row is read, and then written by a statement that returns rows, in time. A process
// that runs notices the failover, because intents may be missing.
func queries(t *testing.T, over Failover) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	const read, write = "SELECT package FROM commerce_version", "UPDATE commerce_version SET version = version RETURNING package"
	for _, statement := range []string{read, write} {
		all, err := tables.Query(ctx, over.DB, statement, nil, tables.Value[string])
		if err != nil || len(all) != len(rows()) {
			t.Errorf("%s: %q, %v; want a row for each package", statement, all, err)
		}
	}
	j := &sqljournal.Journal[client.Category]{DB: over.DB, Name: "imports"}
	if _, lost, err := j.Lost(ctx); !lost || err != nil {
		t.Errorf("Lost: %v, %v; want that the failover is noticed", lost, err)
	}
}
