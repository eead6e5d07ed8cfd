package sqlite

import "time"

// Deleted and overwritten content is zeroed in the file (secure_delete). The rest of it is in the write-ahead log until
// the log is copied into the file and emptied. That happens after an entry of data protection was erased: at once if
// there are no readers, otherwise soon. It also happens whenever the file is opened.
const eraseEvery = 500 * time.Millisecond

// erasing is set while the write-ahead log may contain data that must be erased.
type erasing struct{ left chan struct{} }

func newErasing() erasing { return erasing{make(chan struct{}, 1)} }

// later makes the collector empty the log as soon as it can.
func (e erasing) later() {
	select {
	case e.left <- struct{}{}:
	default: // already requested
	}
}

// erase empties the write-ahead log, or postpones that if the file has readers or writers, because waiting for them
// would delay deliveries.
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
	_ = w.in.judge(t.exec("PRAGMA " + waitForOthers)) // the next write returns the failure
}

// eraseAlone empties the write-ahead log when there is no other write.
func (w *writer) eraseAlone() {
	_ = w.exclusive(func() error { // the next write returns a failure
		w.erase()
		return nil
	})
}
