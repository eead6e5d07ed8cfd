package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

var (
	errLost  = errors.New("only its key is left")
	errOlder = errors.New("it is older than its last arrival")
)

// The lanes, the state and the indexes are derived from the entries, unless the file was damaged or edited. An entry
// whose lane is missing or due too late would wait until another entry arrives for it. A lease with a missing part
// would never end. A count that is too high would reject entries for which there is room.
const (
	pendingSQL = "SELECT count(*) FROM inbox_entry WHERE state = 'pending'"
	doneSQL    = "SELECT count(*) FROM inbox_entry WHERE state = 'done'"
	redoneSQL  = "INSERT OR REPLACE INTO inbox_done SELECT 1, (" + doneSQL + ")"
	tokenSQL   = "SELECT coalesce(max(token), 0) FROM inbox_lane WHERE typeof(token) = 'integer'"
	// lanesSQL returns the correct lanes. A value that is not a number is due at once, and is then found to be
	// unreadable.
	lanesSQL = "SELECT lane, CAST(min(due) AS INTEGER) AS due FROM inbox_entry WHERE state = 'pending' GROUP BY lane"
	// addLanesSQL adds the correct lanes, each with the store of its first entry.
	addLanesSQL = "INSERT INTO inbox_lane (lane, due, store_id) SELECT lane, CAST(min(due) AS INTEGER), coalesce(store_id, 0) " +
		"FROM inbox_entry WHERE state = 'pending' GROUP BY lane"
	heldWhole = "typeof(token) || typeof(until) || typeof(key) || typeof(lane) = 'integerintegertexttext'"
	unheld    = "token IS NULL AND until IS NULL AND key IS NULL"

	danglingSQL = "SELECT key FROM inbox_entry AS k INDEXED BY sqlite_autoindex_inbox_entry_1 " +
		"WHERE NOT EXISTS (SELECT 1 FROM inbox_entry AS e NOT INDEXED WHERE e.id = k.id)"
	lostSQL = `INSERT OR IGNORE INTO inbox_entry (lane, kind, event, store_id, body, keep, settle, clears, protected, unhandled,
		state, generation, due, since, attempts, arrivals, first_seen, last_seen, run_arrivals, again_seen, failed_at, forget_at,
		key, cause, died_at) VALUES ('', '', '', 0, x'', 0, 0, '', 0, '', 'dead', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ?, ?, ?)`

	// Rows that are older than an index says. Generations only grow, and a done entry becomes pending only with another
	// id.
	olderSQL = `SELECT i.id FROM inbox_entry AS i INDEXED BY inbox_entry_since WHERE i.state = 'pending'
			AND EXISTS (SELECT 1 FROM inbox_entry AS e NOT INDEXED WHERE e.id = i.id AND e.generation < i.generation)
		UNION SELECT i.id FROM inbox_entry AS i INDEXED BY inbox_entry_done WHERE i.state = 'done'
			AND EXISTS (SELECT 1 FROM inbox_entry AS e NOT INDEXED WHERE e.id = i.id AND e.state = 'pending')`
	// The state is stored twice. It only grows, so the greater one is right.
	stateSQL = "SELECT max(clock), max(token) FROM (SELECT clock, token FROM inbox_state UNION ALL SELECT clock, token FROM inbox_state_copy)"

	// A changed bit can make a text a BLOB of the same bytes, which equals no text. Its row has the right checksum, but
	// no query finds it.
	blobSQL = "typeof(key) || typeof(lane) || typeof(kind) || typeof(event) || typeof(state) <> 'texttexttexttexttext'"
	textSQL = "UPDATE OR IGNORE inbox_entry SET key = CAST(key AS TEXT), lane = CAST(lane AS TEXT), kind = CAST(kind AS TEXT), " +
		"event = CAST(event AS TEXT), state = CAST(state AS TEXT) WHERE " + blobSQL

	amissSQL = "SELECT pending <> (" + pendingSQL + ") OR token < (" + tokenSQL + `)
		OR (SELECT rows FROM inbox_done) IS NOT (` + doneSQL + `)
		OR EXISTS (SELECT 1 FROM inbox_lane WHERE NOT (` + unheld + ` OR ` + heldWhole + `))
		OR EXISTS (SELECT 1 FROM (` + lanesSQL + `) e LEFT JOIN inbox_lane l ON l.lane = e.lane WHERE l.due IS NOT e.due)
		OR EXISTS (SELECT 1 FROM inbox_entry NOT INDEXED WHERE ` + blobSQL + `)
		OR EXISTS (SELECT 1 FROM pragma_integrity_check('inbox_lane') WHERE integrity_check <> 'ok')
		OR NOT EXISTS (SELECT 1 FROM inbox_state_copy c WHERE (c.clock, c.token, c.pending) IS (s.clock, s.token, s.pending))
		FROM inbox_state s`
)

// reconcile rebuilds the lanes, the state and the indexes if they do not agree with the entries. If they agree, it only
// reads: an index of the pending entries of a small file, and only little data of a large one.
func (w *writer) reconcile() error {
	small, err := w.small()
	if err != nil {
		return err
	}
	query := startSQL
	if small {
		query = amissSQL
	}
	var amiss bool
	err = w.conn.QueryRowContext(context.Background(), query).Scan(&amiss) // not cached compiled
	if amiss || errors.Is(err, sql.ErrNoRows) || isMisled(err) {
		w.in.report(fmt.Errorf("sqlite: inbox %s: lanes, counters or indexes do not agree with the entries and are made again", w.in.place.path))
		err = w.exclusive(w.reindex)
	}
	if err != nil || !small {
		return err
	}
	return w.examine()
}

// reindex rebuilds the indexes, and all data derived from the entries. With many entries it takes seconds. An entry
// that is in an index but not in the table becomes a dead one that cannot be read.
func (w *writer) reindex() error {
	w.kept.drop()
	t := w.begin()
	lost, err := t.texts(danglingSQL)
	if err != nil {
		return err
	}
	older, err := t.numbers(olderSQL)
	if err != nil {
		return err
	}
	if err := errors.Join(t.exec("REINDEX inbox_entry"), t.exec("REINDEX inbox_lane")); err != nil {
		return err
	}
	again := func(t *transaction) error { return t.reconcile(lost, older) }
	return w.attempt(t, []*call{newCall(context.Background(), again)})
}

func (t *transaction) reconcile(lost []string, older []int64) error {
	for _, id := range older {
		if err := t.shelve(id, errOlder); err != nil {
			return err
		}
	}
	if err := errors.Join(t.textAgain(), t.shelveDamaged()); err != nil {
		return err
	}
	for _, key := range lost {
		if err := t.exec(lostSQL, key, unreadable(errLost), t.now); err != nil {
			return err
		}
	}
	var given, clock int64
	if _, err := t.one(stateSQL, nil, &clock, &t.token); err != nil {
		return err
	}
	t.now = max(t.now, t.in.clock.after(clock))
	if _, err := t.one(pendingSQL, nil, &t.pending); err != nil {
		return err
	}
	if _, err := t.one(tokenSQL, nil, &given); err != nil {
		return err
	}
	if err := t.exec(redoneSQL); err != nil {
		return err
	}
	t.token = max(t.token, given)
	t.due = true
	for _, table := range []string{"inbox_state", "inbox_state_copy"} {
		if err := t.exec("INSERT OR IGNORE INTO " + table + " VALUES (1, 0, 0, 0)"); err != nil {
			return err
		}
	}
	return t.renewLanes()
}

// textAgain converts BLOBs that damage made from texts back to texts. If an entry with the key arrived meanwhile, the
// damaged one is dead.
func (t *transaction) textAgain() error {
	if err := t.exec(textSQL); err != nil {
		return err
	}
	rest, err := t.numbers("SELECT id FROM inbox_entry NOT INDEXED WHERE " + blobSQL)
	if err != nil {
		return err
	}
	for _, id := range rest {
		if err := t.shelve(id, errDamaged); err != nil {
			return err
		}
	}
	return nil
}

// renewLanes rebuilds all lanes, with the leases that are complete.
func (t *transaction) renewLanes() error {
	var leases [][]any
	err := t.each("SELECT token, until, key, lane FROM inbox_lane WHERE "+heldWhole, nil, func(rows *sql.Rows) error {
		var token, until int64
		var key, lane string
		err := rows.Scan(&token, &until, &key, &lane)
		leases = append(leases, []any{token, until, key, lane})
		return err
	})
	if err != nil {
		return err
	}
	if err := errors.Join(t.exec("DELETE FROM inbox_lane"), t.exec(addLanesSQL)); err != nil {
		return err
	}
	for _, l := range leases {
		if err := t.exec("UPDATE inbox_lane SET token = ?, until = ?, key = ? WHERE lane = ?", l...); err != nil {
			return err
		}
	}
	stores, err := t.numbers("SELECT DISTINCT store_id FROM inbox_lane")
	if err != nil {
		return err
	}
	return t.mark(stores)
}

// shelveDamaged verifies all entries except their bodies. So no damaged entry waits for a wrong time or stays in an
// unknown state.
func (t *transaction) shelveDamaged() error {
	found := make(map[int64]error)
	err := t.each("SELECT "+headColumns+" FROM inbox_entry NOT INDEXED", nil, func(rows *sql.Rows) error {
		var r row
		if err := r.scan(rows, headColumns); err != nil {
			found[r.id] = err
		}
		return nil // continue
	})
	if err != nil {
		return err
	}
	for id, why := range found {
		if err := t.shelve(id, why); err != nil {
			return err
		}
	}
	return nil
}
