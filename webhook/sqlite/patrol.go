package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// An index that lacks an entry hides it: a pending entry is then never leased, and a dead one never listed. So all
// entries are compared with the indexes, a few at a time, after the file was opened and from time to time after that.
const (
	patrolEntries = 500                    // number compared in one statement, which takes some milliseconds
	patrolPause   = 100 * time.Millisecond // between two statements
	patrolEvery   = time.Hour              // between two rounds
	mostFailures  = 5                      // in a round
)

// errHidden means that an index lacked entries of its table.
var errHidden = errors.New("an index lacked entries")

// patrol is the goroutine that compares entries with indexes.
type patrol struct {
	ctx   context.Context
	stop  context.CancelFunc
	ended chan struct{}
	amiss chan struct{} // full when the collector must rebuild the indexes
}

func newPatrol() patrol {
	ctx, stop := context.WithCancel(context.Background())
	return patrol{ctx, stop, make(chan struct{}), make(chan struct{}, 1)}
}

func (p patrol) end() {
	p.stop()
	<-p.ended
}

// walk compares all entries and the data derived from them repeatedly until the inbox is closed. The number of pending
// entries is compared first, because Open trusted it.
func (in *Inbox) walk() {
	defer close(in.patrol.ended)
	var f failures
	f.add(in, in.counts())
	for in.round(&f); in.rests(patrolEvery); in.round(&f) {
		f = 0
	}
}

// round compares everything once.
func (in *Inbox) round(f *failures) {
	f.add(in, in.turnless())
	sound, err := in.lanes()
	f.add(in, err)
	for last, ended := int64(0), false; !ended && *f < mostFailures; ended = ended || !in.rests(patrolPause) {
		next, amiss, err := in.walkFrom(last)
		sound = sound && !amiss
		switch {
		case isBusy(err):
		case err != nil:
			f.add(in, fmt.Errorf("from %d: %w", last, err))
			last += patrolEntries // the other entries are still compared
		case next == last:
			ended = true
			if sound { // otherwise all is rebuilt
				f.add(in, in.counts())
			}
		default:
			last = next
		}
	}
}

// failures counts the failures of a round. Only the first one is reported.
type failures int

func (f *failures) add(in *Inbox, err error) {
	if err == nil || isBusy(err) || in.patrol.ctx.Err() != nil {
		return
	}
	if *f++; *f == 1 {
		in.report(fmt.Errorf("sqlite: inbox %s: compare entries: %w", in.place.path, err))
	}
}

// rests waits, and reports whether the inbox is still open.
func (in *Inbox) rests(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-in.patrol.ctx.Done():
		return false
	}
}

// walkFrom compares the entries after an id, and returns the id of the last one that it compared.
func (in *Inbox) walkFrom(last int64) (next int64, amiss bool, err error) {
	rows, err := in.db.QueryContext(in.patrol.ctx, patrolSQL, last, patrolEntries)
	if err != nil {
		return last, false, err
	}
	defer func() { _ = rows.Close() }() // rows.Err reports it
	hidden, first := 0, ""
	for rows.Next() {
		var key string
		var lacks bool
		if err := rows.Scan(&last, &key, &lacks); err != nil {
			return last, false, err
		}
		if lacks {
			if hidden++; hidden == 1 {
				first = key
			}
		}
	}
	if err := rows.Err(); err != nil || hidden == 0 {
		return last, false, err
	}
	in.repair(fmt.Errorf("%w: %d, the first of them %.200q", errHidden, hidden, first))
	return last, true, nil
}

// patrolSQL reads entries from the table, and whether an index lacks one.
const patrolSQL = `SELECT e.id, coalesce(CAST(e.key AS TEXT), ''),
	` + blobSQL + `
	OR NOT EXISTS (SELECT 1 FROM inbox_entry i INDEXED BY sqlite_autoindex_inbox_entry_1 WHERE i.key = e.key AND i.id = e.id)
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
