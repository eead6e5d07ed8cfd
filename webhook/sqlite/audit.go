package sqlite

import (
	"errors"
	"fmt"
)

// Open trusts the counters, because each transaction writes them on two pages. It compares only data whose size does
// not grow with the entries. The goroutine that compares entries with indexes compares all the rest.

var (
	errLanes = errors.New("lanes or their indexes do not agree with the entries")
	errCount = errors.New("the number of pending entries was wrong")
	errDone  = errors.New("the number of remembered facts was wrong")
)

const (
	// startSQL compares the state with its copy and with the leases, which are few.
	startSQL = `SELECT token < (
			SELECT coalesce(max(token), 0) FROM inbox_lane WHERE until IS NOT NULL AND typeof(token) = 'integer')
		OR EXISTS (SELECT 1 FROM inbox_lane WHERE until IS NOT NULL AND NOT ` + heldWhole + `)
		OR typeof(clock) || typeof(token) || typeof(pending) <> 'integerintegerinteger'
		OR NOT EXISTS (SELECT 1 FROM inbox_state_copy c
			WHERE (c.clock, c.token, c.pending) IS (s.clock, s.token, s.pending))
		FROM inbox_state s`
	// countSQL counts by two indexes. If one lacks an entry, the number is still not too low, so that no more entries
	// than HighWater are accepted.
	countSQL = `SELECT max((SELECT count(*) FROM inbox_entry INDEXED BY inbox_entry_pending WHERE state = 'pending'),
		(SELECT count(*) FROM inbox_entry INDEXED BY inbox_entry_since WHERE state = 'pending'))`
	countsSQL = "SELECT pending, (" + countSQL + "), (SELECT rows FROM inbox_done) IS NOT (" + doneSQL + ") FROM inbox_state"
	// turnlessSQL finds turns that are in the index but not in the lane. Wait would return at once because of them.
	// Queries skip a lane that is only in the index, because they read the lane too.
	turnlessSQL = `SELECT EXISTS (SELECT 1 FROM inbox_lane i INDEXED BY inbox_lane_turn
		WHERE i.until IS NULL AND i.turn IS NOT NULL AND NOT EXISTS (SELECT 1 FROM inbox_lane l NOT INDEXED
			WHERE l.lane = i.lane AND l.turn = i.turn AND l.until IS NULL))`
	// lanesAfterSQL reads lanes, and whether a lane has half a lease or another due time than its first entry.
	lanesAfterSQL = `SELECT CAST(l.lane AS TEXT), NOT (` + unheld + ` OR ` + heldWhole + `)
		OR (l.until IS NULL AND l.due IS NOT coalesce((SELECT e.due FROM inbox_entry e INDEXED BY inbox_entry_pending
			WHERE e.lane = l.lane AND e.state = 'pending' ORDER BY e.due LIMIT 1), l.due))
		FROM (SELECT * FROM inbox_lane NOT INDEXED WHERE lane > ? ORDER BY lane LIMIT ?) l`
)

// counts compares the numbers of pending and done entries with the entries, and corrects them.
func (in *Inbox) counts() error {
	var kept, counted int
	var amiss bool
	err := in.db.QueryRowContext(in.patrol.ctx, countsSQL).Scan(&kept, &counted, &amiss)
	if err != nil || kept == counted && !amiss {
		return err
	}
	return in.write(in.patrol.ctx, "count", func(t *transaction) error {
		if amiss {
			if err := t.exec(redoneSQL); err != nil {
				return err
			}
			in.report(fmt.Errorf("sqlite: inbox %s: %w", in.place.path, errDone))
		}
		was := t.pending
		if _, err := t.one(countSQL, nil, &t.pending); err != nil || t.pending == was { // it was corrected meanwhile
			return err
		}
		in.report(fmt.Errorf("sqlite: inbox %s: %w: %d, must be %d", in.place.path, errCount, was, t.pending))
		return nil
	})
}

// turnless makes the indexes of lanes again if an index has a turn that its lane does not have.
func (in *Inbox) turnless() error {
	var amiss bool
	err := in.db.QueryRowContext(in.patrol.ctx, turnlessSQL).Scan(&amiss)
	if amiss {
		in.repair(errLanes)
	}
	return err
}

// lanes compares all lanes, some at a time, and reports whether they agree with the entries.
func (in *Inbox) lanes() (sound bool, err error) {
	for last := ""; ; {
		n, amiss, next, err := in.lanesAfter(last)
		if amiss {
			in.repair(errLanes)
		}
		if amiss || err != nil || n < patrolEntries {
			return !amiss, err
		}
		if last = next; !in.rests(patrolPause) {
			return true, nil
		}
	}
}

func (in *Inbox) lanesAfter(last string) (n int, amiss bool, next string, err error) {
	rows, err := in.db.QueryContext(in.patrol.ctx, lanesAfterSQL, last, patrolEntries)
	if err != nil {
		return 0, false, last, err
	}
	defer func() { _ = rows.Close() }() // rows.Err reports it
	for ; rows.Next(); n++ {
		var is bool
		if err := rows.Scan(&next, &is); err != nil {
			return n, amiss, next, err
		}
		amiss = amiss || is
	}
	return n, amiss, next, rows.Err()
}

// repair reports the mismatch, and makes the collector repair it.
func (in *Inbox) repair(err error) {
	in.report(fmt.Errorf("sqlite: inbox %s: %w; they are made again", in.place.path, err))
	select {
	case in.patrol.amiss <- struct{}{}:
	default: // already requested
	}
}
