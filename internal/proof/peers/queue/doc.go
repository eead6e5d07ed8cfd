// Package queue measures the inbox of package webhook beside the queues that one would use instead of it: in a
// PostgreSQL database, and in a file of SQLite. All of them are a Queue, which says what they must do.
//
//	go test .                                        # each does its duty
//	go test -run '^$' -bench 'Postgres/through' .    # one scenario, all queues
//	go test -run '^$' -bench Memory .                # receiving alone, without a disk
//
// Each scenario sends signed deliveries of 200 bytes over loopback, from a process of its own, in 64 connections; 16
// handlers that have nothing to do run at a time. Every queue has a database or a file of its own, empty at first.
//
// # Durability
//
// PostgreSQL runs with its defaults: fsync and synchronous_commit are on. The pool has 88 connections for each queue.
// SQLite runs with journal_mode=WAL and synchronous=FULL, by the driver modernc.org/sqlite for all.
//
// # Settings of the peers
//
//   - ours: the defaults, with Concurrency and PerStore 16, because all deliveries are of one store.
//   - table (PostgreSQL): written by hand. INSERT … ON CONFLICT DO NOTHING in the request; 16 workers, each with a
//     transaction for a job (SELECT … FOR UPDATE SKIP LOCKED, DELETE), woken by LISTEN and NOTIFY; a poll a second.
//   - table-16 (PostgreSQL): the same with up to 16 jobs in a transaction, one after another.
//   - river: jobs unique by their key while they are not completed, FetchCooldown 1ms (its least), FetchPollInterval
//     10ms, MaxWorkers 16.
//   - river-default: FetchCooldown 100ms, FetchPollInterval 1s, unique also to completed jobs, MaxWorkers 16.
//   - watermill: its queue in PostgreSQL, with 16 topics by the hash of the key, and a subscriber to each; rows deleted
//     when acknowledged, batches of 100, PollInterval 10ms. A table of keys makes messages unique.
//   - table (SQLite): written by hand. A goroutine commits the writes that came during the commit before; a worker takes
//     up to 16 rows by a lease of 30s and deletes them together.
//   - goqite: received every millisecond while one of 16 places is free. A table of keys makes messages unique.
//   - backlite: NumWorkers 16, which is its only setting. A table of keys makes tasks unique.
//
// # What the peers do not do
//
// A delivery that arrives while its handler runs is handled again by ours, since the handler may have read the record
// before it changed. The peers drop it. They also have no order within a record, no places kept for other stores, no
// bound of what is pending and, but for River, no dead letters.
package queue
