// Package pgtest starts a PostgreSQL of its own for tests.
//
//	func TestMain(m *testing.M) {
//		database, err := pgtest.Start(context.Background())
//		if err != nil {
//			fmt.Fprintln(os.Stderr, err) // says how to get PostgreSQL
//			os.Exit(1)
//		}
//		status := m.Run()
//		database.Stop()
//		os.Exit(status)
//	}
//
// [Start] uses the database that the environment variable COMMERCE_TEST_POSTGRES leads
// to. If that is not set, [New] makes a cluster in a temporary directory and serves it on a free
// port of the loopback address, with a password that only the process knows. The
// server's programs are looked for in PATH, with pg_config and below /usr/lib/postgresql.
// make test installs them if they are missing.
//
// [Cluster.Standby] makes a standby that streams from a cluster, and [Cluster.Pool] starts a PgBouncer before it.
//
// The cluster syncs to disk as one in production does. It is gone with the process, however that
// ends: the kernel stops the server when the process dies (on Linux), and files that were left
// behind are removed by the next one.
package pgtest
