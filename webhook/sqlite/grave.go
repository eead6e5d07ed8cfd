package sqlite

import (
	"fmt"
	"time"
)

const (
	// countDeadSQL counts the dead entries that Options.MaxDead limits. A damaged one may be a privacy
	// request.
	countDeadSQL = "SELECT count(*) FROM inbox_entry WHERE state = 'dead' AND protected = 0 AND (sum IS NULL) = 0"
	// trimSQL also checks the state in the row, because a damaged index may name another row.
	trimSQL = `DELETE FROM inbox_entry WHERE +state = 'dead' AND +protected = 0 AND id IN (SELECT id FROM inbox_entry
		WHERE state = 'dead' AND protected = 0 AND (sum IS NULL) = 0 ORDER BY unhandled = '', died_at LIMIT 0 + ?)`
)

// graves keeps the number of dead entries below a limit. If there are too many, each transaction deletes a few, so that
// deliveries are accepted meanwhile. It is used by the holder of turn.
type graves struct {
	most    int
	count   int       // of dead entries, at most, as far as this process knows
	counted time.Time // when they were counted
	excess  int       // how many are left to be deleted
	told    int       // how many of Inbox.trimmed were reported
	toldAt  time.Time
}

// bury counts an entry that has died.
func (t *transaction) bury(r *row) {
	if !r.entry.Protected {
		t.buried++
	}
}

// trim deletes dead entries if there are too many. Then it deletes a twentieth more, so that they are rarely counted.
func (g *graves) trim(t *transaction) error {
	const every, most = time.Minute, 500
	g.count += t.buried
	if g.excess == 0 {
		if g.count <= g.most && time.Since(g.counted) < every {
			return nil
		}
		if _, err := t.one(countDeadSQL, nil, &g.count); err != nil {
			return err
		}
		g.counted = time.Now() // other processes add too
		if g.count <= g.most {
			return nil
		}
		g.excess = g.count - g.most + g.most/20
	}
	limit := min(g.excess, max(most, 2*t.buried))
	deleted, err := t.count(trimSQL, limit)
	t.trimmed = int(deleted)
	g.count -= t.trimmed
	if g.excess -= t.trimmed; t.trimmed < limit {
		g.excess = 0
	}
	return err
}

// failed makes the entries be counted again after a transaction that failed.
func (g *graves) failed() { g.counted, g.excess = time.Time{}, 0 }

// reportTrimmed reports deleted dead entries, at most once a minute.
func (w *writer) reportTrimmed() {
	g, all := &w.graves, int(w.in.trimmed.Load())
	if all > g.told && time.Since(g.toldAt) >= time.Minute {
		n := all - g.told
		g.told, g.toldAt = all, time.Now()
		w.in.report(fmt.Errorf("sqlite: inbox %s: %d dead entries were deleted, the oldest first: at most %d are kept (Options.MaxDead)",
			w.in.place.path, n, g.most))
	}
}
