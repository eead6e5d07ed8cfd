package sqljournal

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/internal/tables"
)

//go:embed migrations/*.sql
var migrations embed.FS

var set = tables.Set{
	Package: "client/sqljournal", Migrations: migrations, Apps: "commerce_intent",
	Restored: "keys that were begun since are unknown: Once looks for their records at the platform for 30 days; " +
		"programs that call Begin themselves must look for a record before they repeat a key",
	Newest: "SELECT COALESCE(MAX(since), 0) FROM commerce_intent",
}

// Tables are the tables of this package, for appdb.Tables.
var Tables = tables.PartOf(set)

// Schema returns the statements that create the tables. If they are run by hand, Migrate requires no permission to
// create tables.
func (j *Journal[T]) Schema() string { return j.tables().Schema() }

// Migrate creates the tables, or updates them to this release. Several processes may call it at the same time.
// Journals of one database and one Prefix share the tables.
func (j *Journal[T]) Migrate(ctx context.Context) error { return j.tables().Migrate(ctx) }

func (j *Journal[T]) tables() tables.Tables {
	return tables.Tables{Set: set, DB: j.DB, Prefix: j.Prefix, App: int64(j.App), Ready: &j.ready}
}

// valid returns an error if a field of the journal is invalid.
func (j *Journal[T]) valid() error {
	switch record := reflect.TypeFor[T](); {
	case j.DB == nil:
		return errors.New("sqljournal: DB: must be set")
	case j.Name == "" || len(j.Name) > mostName || !utf8.ValidString(j.Name):
		return fmt.Errorf("sqljournal: Name %.100q: must be 1 to %d bytes of UTF-8, such as order imports", j.Name, mostName)
	case j.Term != 0 && (j.Term < leastTerm || j.Term > mostTerm):
		return fmt.Errorf("sqljournal: Term %v: must be 0 or %v to %v", j.Term, leastTerm, mostTerm)
	case j.ID == nil && !hasID(record):
		return fmt.Errorf("sqljournal: ID: must be set, because %v has no field ID", record)
	}
	return nil
}

func hasID(record reflect.Type) bool {
	if record.Kind() != reflect.Struct {
		return false
	}
	field, ok := record.FieldByName("ID")
	return ok && field.IsExported()
}

// check returns an error if the journal cannot be used.
func (j *Journal[T]) check(ctx context.Context, db tables.DB) error {
	if err := j.valid(); err != nil {
		return err
	}
	return j.tables().CheckOn(ctx, db)
}

func (j *Journal[T]) sql(statement string) string { return j.tables().SQL(statement) }

// exec reports whether a statement changed a row.
func (j *Journal[T]) exec(ctx context.Context, db tables.DB, statement string, args ...any) (bool, error) {
	n, err := j.tables().Exec(ctx, db, statement, args...)
	return n > 0, failed(err)
}

// clock returns the time of the database.
func clock(ctx context.Context, db tables.DB) (time.Time, error) {
	now, err := tables.Clock(ctx, db)
	return now, failed(err)
}

// twice retries an idempotent change once if it fails, because the answer may have been lost.
func twice(ctx context.Context, change func() error) error {
	err := change()
	if err == nil || errors.Is(err, ErrTaken) || errors.Is(err, ErrHeld) || ctx.Err() != nil {
		return err
	}
	return change()
}

func failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sqljournal: %w", err)
}
