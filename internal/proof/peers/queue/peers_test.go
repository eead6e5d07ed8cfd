package queue

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// postgresPeer is a queue in a PostgreSQL database.
type postgresPeer struct {
	name string
	// open makes the tables unless they are there. The queue uses the pool until it is closed.
	open func(context.Context, *pgxpool.Pool) (Queue, error)
}

var postgresPeers = []postgresPeer{
	{"ours", openPostgres},
	{"table", openTable(1)},
	{"table-16", openTable(16)},
	{"river", openRiver(true)},
	{"river-default", openRiver(false)},
	{"watermill", openWatermill},
}

// sqlitePeer is a queue in a file of SQLite.
type sqlitePeer struct {
	name string
	// open makes the file and its tables unless they are there.
	open func(ctx context.Context, path string) (Queue, error)
}

var sqlitePeers = []sqlitePeer{
	{"ours", openSQLite},
	{"table", openFileTable},
	{"goqite", openGoqite},
	{"backlite", openBacklite},
}
