package sqlite

import (
	"sync/atomic"
	"time"
)

// Deleted and overwritten content is zeroed in the file (secure_delete); what is left of it stands
// in the log of writes until that is moved into the file and emptied. That is done when an entry
// under data protection was erased, at once if nobody reads the file, else soon.
const (
	eraseEvery = time.Second
	eraseFor   = 10 * time.Second
)

// erase empties the log of writes.
func (w *writer) erase() {
	var busy int
	t := transaction{q: w.stmts, in: w.in}
	if _, err := t.one("PRAGMA wal_checkpoint(TRUNCATE)", nil, &busy, new(int), new(int)); (err != nil || busy != 0) && !w.in.erasing.wanted() {
		w.in.erasing.later()
	}
}

// eraseLeft erases what could not be erased before.
func (w *writer) eraseLeft() {
	if w.broken == nil && w.in.erasing.wanted() {
		w.erase()
	}
}

// erasing says until when the log is to be emptied again and again.
type erasing struct{ until atomic.Int64 }

// later has the collector erase what a transaction of a caller deletes, which is not
// committed yet, or what somebody's reading kept.
func (e *erasing) later() { e.until.Store(time.Now().Add(eraseFor).UnixNano()) }

func (e *erasing) wanted() bool { return time.Now().UnixNano() < e.until.Load() }
