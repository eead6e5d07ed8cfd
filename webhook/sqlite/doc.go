// Package sqlite stores accepted deliveries in a file, for an app that runs on one machine.
//
//	inbox, err := sqlite.Open(ctx, "inbox.db", sqlite.Options{})
//	if err != nil {
//		return err
//	}
//	defer inbox.Close()
//	hooks := &webhook.Handler{Secrets: secrets, Registry: &events, Inbox: inbox}
//	worker := &webhook.Worker{Inbox: inbox, Registry: &events, Probe: probe} // a probe of webhook.ProbeBy
//
// An [Inbox] implements [webhook.Inbox], [webhook.DeadLetters] and [webhook.Marks]. The engine is compiled in, so no
// installation is required. Package webhook/postgres is for an app on several machines.
//
// # Guarantees
//
// When Accept returns nil, the entries are on disk, because the write-ahead log was synced. Calls that arrive during a
// sync share the next transaction and its sync, up to 256 of them. This requires a disk that has written the data when
// it reports a sync. An interrupted write must not destroy other bytes of its sector.
//
// After a failed write or sync, no entry is accepted until the file is opened again, because the state of the file is
// unknown. Stop the process when Handler.OnFailure, Worker.OnFailure or a probe that calls Stats gets ErrBroken. A full
// disk is a transient error.
//
// # An effect that must happen once
//
// Store the data that your handlers write in the same file. Write it in [Inbox.Transact] together with
// webhook.CommitTx: the effect and the end of the entry are committed together or not at all. [Inbox.DB] is for
// reading, for making your tables, and for writes that end no entry. A transaction that you begin yourself must begin
// with the write lock (BEGIN IMMEDIATE), as transactions of DB do. A transaction that reads first and writes later
// fails if another one has written in between.
//
// # Several processes
//
// Processes of one machine may share a file, but not processes of several machines, because network file systems lack
// the locks that SQLite requires. Processes write one at a time. A process that must wait for longer than five seconds
// gets an error, and a delivery is then answered 503. A process that is stopped (SIGSTOP, a debugger) in the middle of
// a write blocks the writes of the others until it continues or dies. Entries that another process accepts are noticed
// within a tenth of a second.
//
// # Clock
//
// The clock of the file starts with that of the machine when a process begins, and then continues monotonically. It is
// stored in the file and only moves forward, for all processes. If the machine's clock is set back, leases still end
// and entries still become due. If it is set forward, the leases of running processes end as soon as another process
// starts. These processes get webhook.ErrLeaseLost, and the fence holds.
//
// # Privacy requests
//
// Once a call that settles or purges a protected entry has returned, its body is in none of the files: deleted data is
// overwritten with zeros, and the write-ahead log is emptied. With CommitTx, or while another process reads the file,
// this takes about a second longer. If a process dies in between, the next one that opens the file does it. Copies of
// overwritten blocks in the file system or on the disk are beyond this package, and so are backups.
//
// # Operation
//
// The tables are inbox_entry, inbox_protected, inbox_lane, inbox_state, inbox_done, inbox_mark, inbox_file,
// inbox_migration, and the copies inbox_state_copy and inbox_mark_copy. The script that makes them,
// migrations/0001.sql, describes their columns. You can query them at any time:
//
//	SELECT event, state, count(*) FROM inbox_entry GROUP BY 1, 2;
//	SELECT key, attempts, cause FROM inbox_entry WHERE state = 'dead';
//
// # Damage
//
// SQLite does not notice when a disk changes data that still looks like a row. So each row of inbox_entry has a
// checksum of all its columns and its body, and another of its trace. It is verified before an entry is leased, listed,
// replayed or settled. An entry whose checksum is wrong, or that cannot be read, becomes dead when its turn comes. Its
// cause begins with "unreadable", and the other entries are handled. It is listed with only its key and cause, and
// Replay skips it. If the same event arrives again, it replaces the damaged entry. Otherwise a [webhook.Sweep] or the
// sender must send it again. Purge deletes the damaged entry.
//
// An index that does not agree with its table is rebuilt. If only the key of an entry is left, the key becomes a dead
// entry. The lanes, their leases and the number of pending entries are derived from the entries. Open compares them in
// files of up to 2,000 pages, and repairs them. In larger files it compares only the leases, so that a million pending
// entries do not delay the start. All the rest is compared after Open and once an hour, a few entries at a time, and
// Options.OnError is called with the damage. Until then, the number of pending entries is the one that the last
// transaction wrote.
//
// Damage that SQLite itself detects is an error of Open or of the call that meets it. It ends all writing until the
// file is opened again; restore a backup if it happens again. The end time of a lease has no checksum. The clock, the
// last fence, the number of pending entries and the marks are stored twice, on different pages.
//
// Two other files belong to the file; their names end in -wal and -shm. To copy a file that is in use, call VACUUM
// INTO. The process must not open the files itself, because the locks of SQLite end when it closes them. If a file is
// deleted, moved or replaced while it is open, calls fail with ErrBroken. All three files are checked after each sync,
// before the calls return. The file does not shrink; space of deleted entries is reused.
//
// # See also
//
// docs/settings.md, docs/sqlite.md and docs/runbook.md of package webhook describe how to operate an inbox. Package
// webhook/postgres is the engine for several machines.
package sqlite
