// Package postgres stores accepted deliveries in PostgreSQL, where any number of processes share them.
//
//	inbox, err := postgres.OpenURL(ctx, "postgres://…", postgres.Options{Queue: "my-app"})
//	defer inbox.Close()
//
//	handler := &webhook.Handler{Secrets: secrets, Registry: events, Inbox: inbox} // answers 2xx once it is on disk
//	worker := &webhook.Worker{Inbox: inbox, Registry: events, Probe: probe}       // in the same process or in others
//
// Begin with [OpenURL], or with [Open] and a pool of your own. The probe is from webhook.ProbeBy. [Inbox] implements
// webhook.Inbox, and also webhook.DeadLetters and webhook.Marks. [Inbox.CommitTx], which handlers call as
// webhook.CommitTx(ctx, tx), commits a handler's writes to the same database and the end of the entry in one
// transaction. So the run has its effect exactly once.
//
// # Guarantees
//
// When Accept returns nil, the transaction is on the disk of the server. Each transaction sets synchronous_commit to
// on, unless the session has remote_write or remote_apply. Open rejects a server with fsync or full_page_writes off,
// and unlogged tables. Accept checks both settings in each of its transactions and fails with [ErrLossy] while one is
// off; tables are checked every minute.
//
// If synchronous_standby_names is set, commits also wait for the standby. Otherwise a failover to a standby loses all
// data that had not been replicated, including acknowledged deliveries.
//
// Runs that end at about the same time end in one transaction. [Inbox.Commit] and [Inbox.Fail] return before it is on
// disk. A crash of the server undoes at most the run ends of the last 0.6 seconds (three times wal_writer_delay). These
// entries are run again, like entries of a worker that was killed. CommitTx is as durable as the transaction of the
// handler. Leases are on disk before Lease returns them.
//
// Leases end by the clock of the server. Fences are values of a sequence. Open raises it to the clock in microseconds,
// and so does a running process within a minute after a failover. So fences continue above all earlier ones after a
// restore, a copy without sequences and a failover, and Options.OnError is called. If the clock is set back by 24
// hours, the lanes of a dead worker are held for 24 hours longer. Processes may be killed at any time, and the server
// may be restarted: an Accept in progress fails, and the platform retries. An Accept whose context ends may have been
// stored anyway.
//
// A lease counts as an attempt when its process has received it, before the handler begins. If the answer is lost, the
// entry rests until the lease ends, and no attempt counts. If the process ends in its handler, the attempt counts.
//
// Concurrent Accepts of one process share a transaction. While one group is synced, the next is written as soon as half
// as many calls wait for it. If an entry of a group cannot be written or must wait for a locked row, the calls of the
// group are written separately, so that the others do not fail.
//
// # Connections
//
// Transactions are READ COMMITTED and set the settings that they rely on, so the defaults of a role, a database or a
// server change nothing. A default of read only is respected.
//
// After a failover, all connections of the pool to a server that rejects writes are closed (pgxpool.Pool.Reset), and a
// call is retried on a new one. Put target_session_attrs=read-write into the URL of the pool, so that new connections
// do not lead to such a server either:
//
//	postgres://app@db1,db2/app?target_session_attrs=read-write&pool_max_conns=21
//
// Through a pooler that gives each transaction another session, such as PgBouncer with pool_mode = transaction, also
// put default_query_exec_mode=exec into the URL. Processes then do not wake each other, but poll for entries every
// second. Options.OnError is called once.
//
// # Tables
//
// All tables are in one schema, webhook_inbox by default. migrations/0001.sql has comments on the columns.
//
//	entry      one row for each entry, by queue and key; state is pending, done or dead
//	lane       one row for each lane with pending entries, with the time of its first entry and its lease
//	token      the sequence of fences
//	origin     the server and the tables that each queue was opened on last
//	mark       how far sweeps have read
//	migration  the applied migrations, and the oldest release that may use the tables after each
//
// Open applies missing migrations, one process at a time, which requires the right to create. A role without this right
// can open tables that another role has made. It requires USAGE on the schema and the sequence, EXECUTE on the
// functions and SELECT, INSERT, UPDATE and DELETE on the tables. A process rejects tables that a later release has made
// incompatible with its own.
//
// All transactions lock entries in the order of their keys, then lanes in the order of their names, or do not wait. So
// they do not deadlock. If you write to the tables by hand, use the same order; it is better to use Replay and Purge.
//
// # Sizing
//
// A pending entry takes about 1.2 kB with its lane, and its body. A done fact takes about 600 bytes for its window of
// 72 hours. Bodies above 2 kB are compressed and stored separately. Each statement reads a few pages by an index,
// whatever the number of pending entries. The exceptions are Stats, and the count of Accept when HighWater may be near.
// Partitions by time do not work, because the unique key has no time. With more than a few hundred million rows, check
// that workers run, or remember facts for a shorter time (docs/scale.md of package webhook).
//
// The pool requires four connections for Accept, one more for its count, and one for each handler that is in a
// transaction, in addition to your own. If handlers can take all of them, deliveries wait, and are answered 503 if
// handlers take long. The default of pgx is four connections, or one for each processor if that is more. Put
// pool_max_conns=21 into its URL, or give Accept a pool of its own. Open reports a pool of fewer than five.
//
// # Vacuum
//
// Entries are inserted, leased and deleted within seconds, so rows die as fast as they are inserted. The tables are
// created so that autovacuum starts at 1,000 dead rows plus 2 %. Leave autovacuum on. Above a few hundred deliveries a
// second, set autovacuum_vacuum_cost_limit to 2000. Check n_dead_tup of pg_stat_user_tables, and use REINDEX
// CONCURRENTLY if an outage of the workers has left large indexes.
//
// While a transaction holds a snapshot, for example that of pg_dump, vacuum cannot remove deleted rows. From 5,000 of
// them on, each process remembers the time at which the first of all lanes is due, and its statements do not read index
// entries before that time. To determine it, a process reads the table of lanes up to ten times a second, but spends at
// most 5 % of its time on that. An entry whose Accept took longer to commit than 100 ms and than four such reads can be
// missed until the next read.
//
// # Privacy requests
//
// The body of an entry is removed with the entry, or when the entry becomes done, so no query can return it afterwards.
// As with any row of PostgreSQL, its bytes stay in the files for a while:
//
//   - in the page, until VACUUM has cleaned it and another row has taken the place;
//   - in the write-ahead log, until its segment is recycled and overwritten;
//   - in archived log, replicas and backups, for as long as these are stored.
//
// If a law limits that time, store log and backups no longer than it allows, run VACUUM on entry daily, and encrypt the
// volume.
//
// # See also
//
// docs/settings.md, docs/postgres.md and docs/runbook.md of package webhook describe how to operate an inbox. Package
// webhook/inboxshards distributes stores over several inboxes.
package postgres
