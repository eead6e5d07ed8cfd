package tables

import (
	"context"
	"database/sql"
	"fmt"
)

// Tables are the tables of a Set in a database of an app. The public type of a package has them as fields DB and
// Prefix.
type Tables struct {
	Set    Set
	DB     *sql.DB
	Prefix string // empty means "commerce_"
	App    int64  // the id of the app at the platform; 0 if no other app uses the tables
	Ready  *Ready // of the public type
}

// Schema is Set.Schema.
func (t Tables) Schema() string { return t.Set.Schema(t.Prefix) }

// Migrate is Set.Migrate, and returns an error if there is no DB.
func (t Tables) Migrate(ctx context.Context) error {
	if t.DB == nil {
		return t.missing()
	}
	return t.Set.Migrate(ctx, t.DB, t.Prefix)
}

// Check returns an error unless the tables can be used. Each call of a public method begins with it.
func (t Tables) Check(ctx context.Context) error {
	if t.DB == nil {
		return t.missing()
	}
	return t.CheckOn(ctx, t.DB)
}

func (t Tables) missing() error {
	return fmt.Errorf("%s: no DB: set the database that has the tables", t.Set.Package)
}

// SQL returns a statement with the names of these tables.
func (t Tables) SQL(statement string) string { return Rename(t.Prefix, statement) }

// Run is Run on DB, for several statements.
func (t Tables) Run(ctx context.Context, f func(tx *sql.Tx) error) error { return Run(ctx, t.DB, f) }

// Exec executes a statement on DB, or in a transaction of it, and returns how many rows it has changed. On DB it is
// repeated as Run does. Default levels of isolation above READ COMMITTED change nothing then, because a statement that
// met another one sees its result. A text must be valid; see Text.
func (t Tables) Exec(ctx context.Context, db DB, statement string, args ...any) (n int64, err error) {
	if args, err = texts(args); err != nil {
		return 0, err
	}
	err = each(ctx, db, func(db DB) error {
		n, err = exec(ctx, db, t.SQL(statement), args...)
		return err
	})
	return n, err
}

func exec(ctx context.Context, db DB, statement string, args ...any) (int64, error) {
	result, err := db.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
