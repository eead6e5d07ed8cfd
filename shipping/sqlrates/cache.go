package sqlrates

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
	"github.com/commerceplatform/commerce-go/shipping"
)

//go:embed migrations/*.sql
var migrations embed.FS

var set = tables.Set{Package: "shipping/sqlrates", Migrations: migrations, Apps: "commerce_rate"}

// Tables are the tables of this package, for appdb.Tables.
var Tables = tables.PartOf(set)

// Errors of all methods.
var (
	ErrNoTables    = tables.ErrNoTables    // the tables are missing: call Migrate
	ErrNewerSchema = tables.ErrNewerSchema // the tables are from a later release that this one cannot use
)

// Cache is a shipping.SharedCache in an SQL database. DB must be set. It is safe for concurrent use, must not be
// copied, and its fields must not be changed after its first use.
type Cache struct {
	// DB is the database that the replicas share. For SQLite, set busy_timeout and journal_mode(wal) in the data
	// source name.
	DB *sql.DB
	// App is the id of the app at the platform. It is required if several apps use the same tables. Zero means that
	// no other app does.
	App client.ID
	// Prefix is the prefix of table names: up to 30 characters a to z, 0 to 9 and _. Empty means "commerce_".
	Prefix string

	ready tables.Ready
	puts  atomic.Uint64
}

var _ shipping.SharedCache = (*Cache)(nil)

// Schema returns the statements that create the tables. Use it if you do not call Migrate.
func (c *Cache) Schema() string { return c.tables().Schema() }

// Migrate creates the tables or upgrades them to this release. It may be called at each start, also by several
// processes concurrently.
func (c *Cache) Migrate(ctx context.Context) error { return c.tables().Migrate(ctx) }

func (c *Cache) tables() tables.Tables {
	return tables.Tables{Set: set, DB: c.DB, Prefix: c.Prefix, App: int64(c.App), Ready: &c.ready}
}

const (
	getSQL = `SELECT request, answer, stored, ends, CURRENT_TIMESTAMP FROM commerce_rate
	WHERE app = $1 AND request = $2`
	putSQL = `INSERT INTO commerce_rate (app, request, answer, stored, ends) VALUES ($1, $2, $3, $4, $5)
	ON CONFLICT (app, request) DO UPDATE SET answer = excluded.answer, stored = excluded.stored, ends = excluded.ends`
	endedSQL  = `SELECT request FROM commerce_rate WHERE app = $1 AND ends <= $2 ORDER BY ends LIMIT 64`
	deleteSQL = `DELETE FROM commerce_rate WHERE app = $1 AND request = $2 AND ends <= $3`
	// sweepEvery is the number of calls of Put for each call that deletes expired rows.
	sweepEvery = 32
)

// Get implements shipping.SharedCache.
func (c *Cache) Get(ctx context.Context, key string) ([]byte, error) {
	if err := c.tables().Check(ctx); err != nil {
		return nil, err
	}
	r, ok, err := tables.One(ctx, c.DB, c.tables().SQL(getSQL), []any{c.App, key}, readRate)
	switch {
	case err != nil:
		return nil, fmt.Errorf("shipping/sqlrates: get: %w", err)
	case !ok || !r.lasts():
		return nil, nil
	}
	return r.answer, nil
}

// rate is a row, and when it was read by the clock of the database.
type rate struct {
	answer       []byte
	stored, ends int64
	now          tables.Now
}

// lasts reports whether a row has not expired. It has, if the clock of the database was set back after it was stored.
func (r *rate) lasts() bool {
	now := r.now.UnixMicro()
	return now < r.ends && r.stored < now+setBack.Microseconds()
}

// setBack is how much earlier than a row the clock of the database may be.
const setBack = time.Minute

func readRate(scan tables.Scan) (r rate, err error) {
	var request string
	err = scan(&request, &r.answer, &r.stored, &r.ends, &r.now)
	return r, err
}

// Put implements shipping.SharedCache.
func (c *Cache) Put(ctx context.Context, key string, value []byte, keep time.Duration) error {
	if err := c.tables().Check(ctx); err != nil {
		return err
	}
	now, err := tables.Clock(ctx, c.DB)
	if err != nil {
		return fmt.Errorf("shipping/sqlrates: put: %w", err)
	}
	answer := tables.Text{Name: "answer of " + key, Value: string(value)}
	args := []any{c.App, key, answer, now.UnixMicro(), now.Add(keep).UnixMicro()}
	if _, err := c.tables().Exec(ctx, c.DB, putSQL, args...); err != nil {
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
	ended, err := tables.Query(ctx, c.DB, c.tables().SQL(endedSQL), []any{c.App, now}, tables.Value[string])
	for _, request := range ended {
		if _, err := c.tables().Exec(ctx, c.DB, deleteSQL, c.App, request, now); err != nil {
			return err
		}
	}
	return err
}
