// Package sqlite keeps accepted deliveries in a file, for an app that runs on one machine.
//
//	inbox, err := sqlite.Open(ctx, "inbox.db", sqlite.Options{})
//	if err != nil {
//		return err
//	}
//	defer inbox.Close()
//	hooks := &webhook.Handler{Secrets: secrets, Registry: &events, Inbox: inbox}
//	worker := &webhook.Worker{Inbox: inbox, Registry: &events}
//
// An [Inbox] implements [webhook.Inbox], [webhook.DeadLetters] and [webhook.Marks]. The engine is
// compiled in; nothing is to be installed. Package webhook/postgres is for an app on several machines.
//
// # What may be relied on
//
// When Accept returns nil, the entries are on disk: the log of writes was synced. Calls that come
// while a sync is in progress share the next transaction and its sync, up to 256 of them. That needs a
// disk that does not lie about syncs, and a sector of which a part is written must keep the rest.
//
// From a failed write or sync nothing is accepted until the file is opened again, since what the
// system still holds of it is not known: end the process when Handler.OnFailure, Worker.OnFailure or a probe
// that asks for Stats meets ErrBroken. A full disk is an error that passes.
//
// # An effect that must happen once
//
// Keep what your handlers write in the same file, and write it in [Inbox.Transact] together with
// webhook.CommitTx: the effect and the end of the entry become true together, or neither. [Inbox.DB] is
// for reading, and for making your tables. A transaction that you begin yourself must begin with
// the write lock (BEGIN IMMEDIATE), as those of DB do: one that reads first and writes later
// fails if somebody else has written in between.
//
// # Several processes
//
// Processes of one machine may share a file, not those of several: network file systems do not lock as SQLite
// needs. They write one at a time; who has to wait for longer than five seconds gets an
// error, and a delivery is then answered 503. A process that is stopped (SIGSTOP, a debugger) in the middle of a write
// keeps the others from writing until it goes on or dies. What another process accepts
// is noticed within a tenth of a second.
//
// # Clock
//
// The clock of the file is the machine's when a process began, and goes on by itself from there. It is kept
// in the file and only goes forward, for all processes: a clock that is set back neither makes
// leases endless nor keeps entries from being due. One that is set forward ends the leases of
// processes that run as soon as another one starts; they get webhook.ErrLeaseLost, and the fence holds.
//
// # Data protection
//
// When a call has returned that settles, replaces or purges a protected entry, its body is in none of the
// files: what is deleted is overwritten with zeros, and the log of writes is emptied. If somebody reads
// the file at that moment, or with CommitTx, it is done within about a second after that. A process that dies
// in between leaves it to the next one that opens the file. What the
// file system or the disk keep of overwritten blocks is beyond this package, and so are backups.
//
// # Operation
//
// The tables are inbox_entry, inbox_protected, inbox_lane, inbox_state, inbox_mark, inbox_schema and
// inbox_migration, with copies of two; their columns are described
// in the script that makes them, in the directory migrations. They can be looked at at any time:
//
//	SELECT event, state, count(*) FROM inbox_entry GROUP BY 1, 2;
//	SELECT key, attempts, cause FROM inbox_entry WHERE state = 'dead';
//
// # Damage
//
// SQLite does not notice when a disk changes what it holds, as long as it still looks like a row. So each row of
// inbox_entry has a checksum of all its columns and its body, and another of its trace, which is verified before an
// entry is handed out, listed, replayed or settled. An entry that does not pass, or cannot be read, because the file
// was damaged or edited, becomes dead when its turn comes; its cause begins with "unreadable", and the others go on. It
// is listed with its key and cause only, and Replay passes over it. If the same arrives again, it takes its place; else
// a [webhook.Sweep] or whoever sent it has to tell it again, and Purge deletes what is left.
//
// An index that does not say what its table says is made anew. Of an entry of which only the key is left, the key
// becomes a dead entry. The lanes, their leases and the number of pending entries follow from the entries. Open
// compares them in files of up to 2,000 pages, and repairs them. In larger files it compares the leases only, so that a
// million pending entries do not delay the start. All else is compared after Open and once an hour, some entries at a
// time, and Options.OnError is called with what was found. Until then, the number of pending entries is the one that
// the last transaction wrote.
//
// Damage of which SQLite itself cannot make sense is an error of Open or of the call that meets it, and ends all
// writing until the file is opened again; go back to a backup if it comes again. The time when a lease ends has no
// checksum. The clock, the last token, the number of pending entries and the marks are kept on two pages.
//
// Settings, sizes, dead letters, backups and upgrades are in docs/operating.md of package webhook.
//
// Beside the file are two others with the ends -wal and -shm. They belong to it: to copy a file that is in use, call
// VACUUM INTO. The process must not open the files itself, since the locks of SQLite end when it closes them. If a file
// is deleted, moved or replaced while it is open, calls fail with ErrBroken; all three are checked after each sync and
// before it is answered. The file does not shrink; what is deleted makes room for what comes.
package sqlite
