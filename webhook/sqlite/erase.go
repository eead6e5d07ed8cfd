package sqlite

import "time"

// Deleted and overwritten content is zeroed in the file (secure_delete); what is left of it stands
// in the log of writes until that is moved into the file and emptied. That is done when an entry
// under data protection was erased, at once if nobody reads the file, else soon, and whenever
// the file is opened.
const eraseEvery = 500 * time.Millisecond

// erasing says that the log of writes may hold something that must go.
type erasing struct{ left chan struct{} }

func newErasing() erasing { return erasing{make(chan struct{}, 1)} }

// later has the collector empty the log as soon as it can.
func (e erasing) later() {
	select {
	case e.left <- struct{}{}:
	default: // it will do so anyway
	}
}

// erase empties the log of writes, or leaves that for later if somebody reads or writes the
// file: to wait for them would keep deliveries waiting.
func (w *writer) erase() {
	const patience = "20" // milliseconds
	var busy int
	t := transaction{q: w.stmts, in: w.in}
	err := t.exec("PRAGMA busy_timeout(" + patience + ")")
	if err == nil {
		_, err = t.one("PRAGMA wal_checkpoint(TRUNCATE)", nil, &busy, new(int), new(int))
	}
	if w.in.judge(err) != nil || busy != 0 {
		time.AfterFunc(eraseEvery, w.in.erasing.later)
	}
	_ = w.in.judge(t.exec("PRAGMA " + waitForOthers)) // whoever writes next is told
}

// eraseAlone empties the log of writes when nothing else was to be written.
func (w *writer) eraseAlone() {
	_ = w.exclusive(func() error { // a failure is kept for whoever writes next
		w.erase()
		return nil
	})
}
