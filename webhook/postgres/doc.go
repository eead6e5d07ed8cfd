// Package postgres keeps accepted deliveries in PostgreSQL, where any number of processes share them.
//
//	pool, err := pgxpool.New(ctx, "postgres://…")
//	inbox, err := postgres.Open(ctx, pool, postgres.Options{Queue: "my-app"})
//	defer inbox.Close() // before the pool
//
//	handler := &webhook.Handler{Secrets: secrets, Registry: events, Inbox: inbox} // answers 2xx once it is on disk
//	worker := &webhook.Worker{Inbox: inbox, Registry: events}                     // in the same process or in others
//
// Begin with [Open]. [Inbox] keeps the rules of webhook.Inbox and is also webhook.DeadLetters and
// webhook.Marks. [Inbox.CommitTx], which handlers call as webhook.CommitTx(ctx, tx), makes what a handler writes to the
// same database and the end of the entry one transaction: the run has its effect exactly once.
//
// # What may be relied on
//
// When Accept returns nil, the transaction is on the disk of the server: synchronous_commit is set in each transaction
// to on, unless the session has remote_write or remote_apply. Open refuses a server with fsync or full_page_writes off,
// and unlogged tables. Accept looks at both settings in each of its transactions and fails with [ErrLossy] while one is
// off; tables are looked at every minute. With synchronous_standby_names set, on also waits for the standby; without
// it, a failover to a standby loses what had not been copied, acknowledged deliveries and tokens included. After such a
// failover, set the sequence token well above every fence that was written.
//
// Runs that end at about the same time end in one transaction, which [Inbox.Commit] and Fail do not wait for until it
// is on disk: a crash of the server takes back at most what ended within three times wal_writer_delay (0.6 seconds)
// before it, and these entries are run again, as those are of a worker that is killed. CommitTx is as durable as the
// transaction of the handler, and leases are on disk before they are handed out.
//
// Leases end by the clock of the server, and tokens are those of a sequence, which must never be set back. A clock that
// is set back by 24 hours keeps the lanes of a dead worker for as long. Processes may be killed at any time, and the
// server restarted: an Accept in progress fails, and the platform delivers again. An Accept whose context ends may have
// been stored all the same.
//
// A lease is an attempt once the process that asked for it has received it, and before its handler begins. If the
// answer is lost, the entry rests until the lease ends, and nothing is counted. If the process ends in its handler, the
// attempt counts.
//
// Accepts of one process that come together share a transaction; while one group is synced the next is written, once
// half as many calls wait for it. A group in which an entry cannot be written, or has to wait for a row that somebody
// holds, is taken apart, so that the others do not suffer for it.
//
// # Connections
//
// Transactions are READ COMMITTED and set what they rely on, so the defaults of a role, a database or a server change
// nothing. A default of read only is respected.
//
// From a failover, connections that lead to a server without writes are closed, all of the pool (pgxpool.Pool.Reset),
// and a call is repeated in a new one. Put target_session_attrs=read-write into the URL of the pool, so that new
// connections do not lead there either:
//
//	postgres://app@db1,db2/app?target_session_attrs=read-write&pool_max_conns=21
//
// Behind a pooler that hands out sessions by transaction, such as PgBouncer with pool_mode = transaction, also put
// default_query_exec_mode=exec there. Processes do not wake each other then, but look for entries every second;
// Options.OnError is called once.
//
// # Tables
//
// All are in one schema, webhook_inbox unless Options say otherwise; comments on the columns are in
// migrations/0001.sql.
//
//	entry      one row for each entry, by queue and key; state is pending, done or dead
//	lane       one row for each lane with pending entries; due is that of its first entry, token and until are the lease
//	token      the sequence of tokens
//	mark       how far sweeps have read
//	version    which migrations a release has to know
//	migration  which were applied, and the oldest release that may use the tables since
//
// Open applies the migrations that are missing, one process at a time, and needs the right to create for that; a role
// without it can open what another role has made, with USAGE on the schema and the sequence, EXECUTE on the functions
// and SELECT, INSERT, UPDATE and DELETE on the tables. A process refuses tables that a later release has made unfit for
// its own.
//
// All transactions lock entries in the order of their keys, then lanes in the order of their names, or do not wait, so
// they do not deadlock. If you write to the tables by hand, do the same; better use Replay and Purge.
//
// How to run an inbox, from its settings to its upgrades, is in docs/operating.md of package webhook.
//
// # Sizing
//
// A pending entry takes about 1.2 kB with its lane, and its body; a done fact about 600 bytes for its window of 72
// hours. Bodies above 2 kB are compressed and stored apart. Each statement touches a few pages by an index, at a
// million pending entries as at ten, but for Stats, and for the count that Accept makes when HighWater may be near.
// Partitions are not worth their trouble below some hundred million rows; if there are as many, facts are remembered
// too long or nobody works.
//
// The pool needs four connections for Accept, one more for its count, and one for each handler that is in a
// transaction, besides those of your own: if handlers can take all of them, deliveries wait, and are answered 503 where
// handlers take long. pgx makes a pool of four, or of one for each processor: write pool_max_conns=21 into its URL, or
// give Accept a pool of its own. Open reports a pool of fewer than five.
//
// # Vacuum
//
// Entries are inserted, leased and deleted within seconds, so rows die as fast as they come. The tables are made with
// autovacuum from 2 % and 1000 dead rows on; leave autovacuum on, and give it autovacuum_vacuum_cost_limit 2000 above
// some hundred deliveries a second. What keeps it from cleaning up makes Lease slow: transactions that stay open for
// hours, replication slots that nobody reads, prepared transactions. Look at n_dead_tup of pg_stat_user_tables, and use
// REINDEX CONCURRENTLY if an outage of the workers has left large indexes.
//
// # Data protection
//
// The body of an entry is removed with the entry or when it becomes done, so no query can show it any more. The bytes
// stay in the files for a while, as with any row of PostgreSQL: in the page until VACUUM has cleaned it and another row
// has taken the place, in the write-ahead log until its segment is recycled and overwritten, and in archived log,
// replicas and backups for as long as these are kept. Where a law sets a limit to that, keep log and backups no longer
// than it, run VACUUM on entry daily, and encrypt the volume.
package postgres
