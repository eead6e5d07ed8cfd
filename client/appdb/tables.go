package appdb

import (
	"context"
	"database/sql"
	"errors"

	"github.com/commerceplatform/commerce-go/internal/tables"
)

// Errors of Migrate and Check, and of the packages whose tables an app uses.
var (
	ErrNoTables    = tables.ErrNoTables    // tables are missing
	ErrNewerSchema = tables.ErrNewerSchema // a later release made the tables, and this one cannot use them
	ErrMoved       = tables.ErrMoved       // the tables may have been restored to an earlier point in time; see Settle
)

// Part is the tables of one package: sqlstore.Tables, sqljournal.Tables, sqlcopy.Tables, sqljobs.Tables,
// sqlledger.Tables or sqlrates.Tables.
type Part = tables.Part

// Tables are the tables of an app. DB and Parts are required.
type Tables struct {
	// DB is the database of the app: SQLite or PostgreSQL.
	DB *sql.DB
	// Prefix begins the names of the tables: at most 30 of a to z, 0 to 9 and _. Empty means "commerce_". The types of
	// all parts must have the same Prefix.
	Prefix string
	// Parts are the packages that the app uses.
	Parts []Part
}

// Schema returns the statements that create the tables, for an operator who runs them by hand. They may be run again.
func (t Tables) Schema() string { return tables.SchemaOf(t.Prefix, t.Parts) }

// Migrate creates the tables, or changes them into those of this release. Then it checks them as Check does. Call it at
// each start. Several processes may call it at the same time. If the tables are up to date, it changes nothing and
// requires no right to create tables. It never requires the right to create schemas. Tables of a later release are left
// as they are: the error is ErrNewerSchema unless this release can use them.
func (t Tables) Migrate(ctx context.Context) error {
	if t.DB == nil {
		return errNoDB
	}
	return tables.MigrateAll(ctx, t.DB, t.Prefix, t.Parts)
}

// Check returns an error for each package whose tables this release cannot use. The error names missing tables, even if
// a restore has left out some of them. It also returns ErrMoved with the necessary steps for each package whose tables
// have moved, until Settle is called. Migrate and the packages log that once, at level warn, and continue.
func (t Tables) Check(ctx context.Context) error {
	if t.DB == nil {
		return errNoDB
	}
	return tables.CheckAll(ctx, t.DB, t.Prefix, t.Parts)
}

// Settle ends ErrMoved. Call it after the steps were done that its text names. Also call it if no row was lost, as
// after a failover to a synchronous standby. Package sqljournal then no longer looks for records of lost intents. It
// holds for all apps that share the tables.
func (t Tables) Settle(ctx context.Context) error {
	if t.DB == nil {
		return errNoDB
	}
	return tables.SettleAll(ctx, t.DB, t.Prefix, t.Parts)
}

var errNoDB = errors.New("client/appdb: no DB: set the database that has the tables")
