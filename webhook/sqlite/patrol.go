package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// An index that lacks an entry hides it: a pending entry is never leased then, and a dead one never listed. So all entries
// are compared with the indexes, a few at a time, when the file was opened and from time to time after that.
const (
	patrolEntries = 500                    // are compared in one statement, of some milliseconds
	patrolPause   = 100 * time.Millisecond // between two statements
	patrolEvery   = time.Hour              // between two rounds
	mostFailures  = 5                      // in a round
)

// errHidden means that an index did not have entries of its table.
var errHidden = errors.New("an index lacked entries")

// patrol is the goroutine that compares entries with indexes.
type patrol struct {
	ctx   context.Context
	stop  context.CancelFunc
	ended chan struct{}
	amiss chan struct{} // full when the collector has to make the indexes again
}

func newPatrol() patrol {
	ctx, stop := context.WithCancel(context.Background())
	return patrol{ctx, stop, make(chan struct{}), make(chan struct{}, 1)}
}

func (p patrol) end() {
	p.stop()
	<-p.ended
}

// walk compares all entries, again and again, until the inbox is closed.
func (in *Inbox) walk() {
	defer close(in.patrol.ended)
	for last, failures := int64(0), 0; ; {
		next, err := in.walkFrom(last)
		pause := patrolPause
		switch {
		case in.patrol.ctx.Err() != nil:
			return
		case isBusy(err):
		case err != nil:
			if failures++; failures == 1 {
				in.report(fmt.Errorf("sqlite: inbox %s: compare entries from %d: %w", in.place.path, last, err))
			}
			if last += patrolEntries; failures == mostFailures { // until then, the other entries are still compared
				last, failures, pause = 0, 0, patrolEvery
			}
		case next == last:
			last, failures, pause = 0, 0, patrolEvery
		default:
			last = next
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-in.patrol.ctx.Done():
			timer.Stop()
			return
		}
	}
}

// walkFrom compares the entries after an id, and returns the id of the last one that it compared.
func (in *Inbox) walkFrom(last int64) (int64, error) {
	rows, err := in.db.QueryContext(in.patrol.ctx, patrolSQL, last, patrolEntries)
	if err != nil {
		return last, err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	hidden, first := 0, ""
	for rows.Next() {
		var key string
		var amiss bool
		if err := rows.Scan(&last, &key, &amiss); err != nil {
			return last, err
		}
		if amiss {
			if hidden++; hidden == 1 {
				first = key
			}
		}
	}
	if err := rows.Err(); err != nil || hidden == 0 {
		return last, err
	}
	in.report(fmt.Errorf("sqlite: inbox %s: %w: %d, the first of them %.200q; the indexes are made again", in.place.path, errHidden, hidden, first))
	select {
	case in.patrol.amiss <- struct{}{}:
	default: // it will be done
	}
	return last, nil
}

// patrolSQL reads entries from the table, and whether an index that must have one does not.
const patrolSQL = `SELECT e.id, coalesce(CAST(e.key AS TEXT), ''),
	NOT EXISTS (SELECT 1 FROM inbox_entry i INDEXED BY sqlite_autoindex_inbox_entry_1 WHERE i.key = e.key AND i.id = e.id)
	OR CASE e.state
		WHEN 'pending' THEN
			NOT EXISTS (SELECT 1 FROM inbox_entry i INDEXED BY inbox_entry_pending
				WHERE i.state = 'pending' AND i.lane = e.lane AND i.due = e.due AND i.id = e.id)
			OR NOT EXISTS (SELECT 1 FROM inbox_entry i INDEXED BY inbox_entry_since
				WHERE i.state = 'pending' AND i.since = e.since AND i.generation = e.generation AND i.id = e.id)
			OR NOT EXISTS (SELECT 1 FROM inbox_lane l WHERE l.lane = e.lane AND l.due <= e.due AND CASE
				WHEN l.until IS NULL THEN
					l.turn IS NULL OR EXISTS (SELECT 1 FROM inbox_lane i INDEXED BY inbox_lane_turn
						WHERE i.until IS NULL AND i.turn = l.turn AND i.lane = l.lane)
				ELSE
					EXISTS (SELECT 1 FROM inbox_lane i INDEXED BY inbox_lane_held WHERE i.until IS NOT NULL AND i.until = l.until AND i.lane = l.lane)
				END
				AND EXISTS (SELECT 1 FROM inbox_lane i INDEXED BY inbox_lane_store
					WHERE i.store_id IS l.store_id AND i.turn IS l.turn AND i.due = l.due AND i.lane = l.lane))
		WHEN 'dead' THEN
			NOT EXISTS (SELECT 1 FROM inbox_entry i INDEXED BY inbox_entry_dead WHERE i.state = 'dead' AND i.key = e.key AND i.id = e.id)
			OR NOT EXISTS (SELECT 1 FROM inbox_entry i INDEXED BY inbox_entry_dead_store
				WHERE i.state = 'dead' AND i.store_id = e.store_id AND i.key = e.key AND i.id = e.id)
		WHEN 'done' THEN
			NOT EXISTS (SELECT 1 FROM inbox_entry i INDEXED BY inbox_entry_done
				WHERE i.state = 'done' AND i.forget_at = e.forget_at AND i.id = e.id)
		ELSE 1 END
	OR (e.protected = 1 AND e.state <> 'done' AND NOT EXISTS (SELECT 1 FROM inbox_entry i INDEXED BY inbox_entry_protected
		WHERE i.protected = 1 AND i.state <> 'done' AND i.first_seen = e.first_seen AND i.id = e.id))
	FROM (SELECT * FROM inbox_entry NOT INDEXED WHERE id > ? ORDER BY id LIMIT ?) e`
