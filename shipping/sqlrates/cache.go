package sqlrates

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/internal/tables"
	"github.com/commerceplatform/commerce-go/shipping"
)

//go:embed migrations/*.sql
var migrations embed.FS

var set = tables.Set{Package: "shipping/sqlrates", Migrations: migrations, CompatibleFrom: []int{1}}

// Errors of all methods.
var (
	ErrNoTables    = tables.ErrNoTables    // the tables are missing: see Migrate
	ErrNewerSchema = tables.ErrNewerSchema // a later release has made the tables, and this one cannot use them
)

// Cache is a shipping.SharedCache in a database. DB must be set. It is safe for concurrent use, must not be copied, and
// its fields must not be changed once it is used.
type Cache struct {
	// DB is the database that the replicas share. For SQLite set busy_timeout and journal_mode(wal) in its address.
	DB *sql.DB
	// Prefix is what the names of the tables begin with: up to 30 of a to z, 0 to 9 and _. Empty means "commerce_".
	Prefix string

	ready tables.Ready
	puts  atomic.Uint64
}

var _ shipping.SharedCache = (*Cache)(nil)

// Schema returns the statements that create the tables, for those who do not call Migrate.
func (c *Cache) Schema() string { return c.tables().Schema() }

// Migrate creates the tables, or changes them into those of this release. It may be called at each start, by several
// processes at a time.
func (c *Cache) Migrate(ctx context.Context) error { return c.tables().Migrate(ctx) }

func (c *Cache) tables() tables.Tables {
	return tables.Tables{Set: set, DB: c.DB, Prefix: c.Prefix, Ready: &c.ready}
}

const (
	getSQL = `SELECT answer FROM commerce_rate WHERE request = $1 AND ends > $2`
	putSQL = `INSERT INTO commerce_rate (request, answer, ends) VALUES ($1, $2, $3)
	ON CONFLICT (request) DO UPDATE SET answer = excluded.answer, ends = excluded.ends`
	endedSQL  = `SELECT request FROM commerce_rate WHERE ends <= $1 ORDER BY ends LIMIT 64`
	deleteSQL = `DELETE FROM commerce_rate WHERE request = $1 AND ends <= $2`
	// sweepEvery is how many calls of Put there are to one that deletes.
	sweepEvery = 32
)

// Get implements shipping.SharedCache.
func (c *Cache) Get(ctx context.Context, key string) ([]byte, error) {
	if err := c.tables().Check(ctx); err != nil {
		return nil, err
	}
	var answer string
	err := c.DB.QueryRowContext(ctx, c.tables().SQL(getSQL), key, time.Now().UnixMicro()).Scan(&answer)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("shipping/sqlrates: get: %w", err)
	}
	return []byte(answer), nil
}

// Put implements shipping.SharedCache.
func (c *Cache) Put(ctx context.Context, key string, value []byte, keep time.Duration) error {
	if err := c.tables().Check(ctx); err != nil {
		return err
	}
	now := time.Now()
	if _, err := c.tables().Exec(ctx, c.DB, putSQL, key, string(value), now.Add(keep).UnixMicro()); err != nil {
		return fmt.Errorf("shipping/sqlrates: put: %w", err)
	}
	if c.puts.Add(1)%sweepEvery != 0 {
		return nil
	}
	if err := c.sweep(ctx, now.UnixMicro()); err != nil {
		return fmt.Errorf("shipping/sqlrates: delete what has ended: %w", err)
	}
	return nil
}

// sweep deletes some rows that have ended. Each is a statement of its own: replicas that lock several rows each could
// wait for each other in a circle.
func (c *Cache) sweep(ctx context.Context, now int64) error {
	ended, err := c.ended(ctx, now)
	for _, request := range ended {
		if _, err := c.tables().Exec(ctx, c.DB, deleteSQL, request, now); err != nil {
			return err
		}
	}
	return err
}

// ended returns some rows that have ended.
func (c *Cache) ended(ctx context.Context, now int64) (requests []string, err error) {
	rows, err := c.DB.QueryContext(ctx, c.tables().SQL(endedSQL), now)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // read to its end by then, or failed
	for rows.Next() {
		var request string
		if err := rows.Scan(&request); err != nil {
			return nil, err
		}
		requests = append(requests, request)
	}
	return requests, rows.Err()
}
