package sqlrates

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/internal/tables"
	"github.com/commerceplatform/commerce-go/shipping"
)

//go:embed migrations/*.sql
var migrations embed.FS

var set = tables.Set{Package: "shipping/sqlrates", Migrations: migrations}

// Tables are the tables of this package, for appdb.Tables.
var Tables = tables.PartOf(set)

// Cache is a shipping.SharedCache in an SQL database. DB must be set. It is safe for concurrent use, must not be
// copied, and its fields must not be changed after its first use.
type Cache struct {
	// DB is the database that the replicas share. For SQLite, set busy_timeout and journal_mode(wal) in the data
	// source name.
	DB *sql.DB
	// Prefix is the prefix of table names: up to 30 characters a to z, 0 to 9 and _. Empty means "commerce_".
	Prefix string

	ready tables.Ready
	puts  atomic.Uint64
}

var _ shipping.SharedCache = (*Cache)(nil)

func (c *Cache) tables() tables.Tables {
	return tables.Tables{Set: set, DB: c.DB, Prefix: c.Prefix, Ready: &c.ready}
}

const (
	getSQL = `SELECT answer FROM commerce_rate WHERE request = $1 AND ends > $2`
	putSQL = `INSERT INTO commerce_rate (request, answer, ends) VALUES ($1, $2, $3)
	ON CONFLICT (request) DO UPDATE SET answer = excluded.answer, ends = excluded.ends`
	endedSQL  = `SELECT request FROM commerce_rate WHERE ends <= $1 ORDER BY ends LIMIT 64`
	deleteSQL = `DELETE FROM commerce_rate WHERE request = $1 AND ends <= $2`
	// sweepEvery is the number of calls of Put for each call that deletes expired rows.
	sweepEvery = 32
)

// Get implements shipping.SharedCache.
func (c *Cache) Get(ctx context.Context, key string) ([]byte, error) {
	if err := c.tables().Check(ctx); err != nil {
		return nil, err
	}
	answer, ok, err := tables.One(ctx, c.DB, c.tables().SQL(getSQL), []any{key, time.Now().UnixMicro()}, tables.Value[string])
	switch {
	case err != nil:
		return nil, fmt.Errorf("shipping/sqlrates: get: %w", err)
	case !ok:
		return nil, nil
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
		return fmt.Errorf("shipping/sqlrates: delete expired rows: %w", err)
	}
	return nil
}

// sweep deletes some expired rows. Each deletion is a separate statement, because replicas that lock several rows
// each could deadlock.
func (c *Cache) sweep(ctx context.Context, now int64) error {
	ended, err := tables.Query(ctx, c.DB, c.tables().SQL(endedSQL), []any{now}, tables.Value[string])
	for _, request := range ended {
		if _, err := c.tables().Exec(ctx, c.DB, deleteSQL, request, now); err != nil {
			return err
		}
	}
	return err
}
