package sqlcopy

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"slices"
	"sync"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

var (
	// ErrNoTables reports that the database lacks the table of this package. Call Mirror.Migrate, or create the table
	// with the statements that Mirror.Schema returns.
	ErrNoTables = tables.ErrNoTables

	// ErrNewerSchema reports that a later release of this package created the table.
	ErrNewerSchema = tables.ErrNewerSchema
)

//go:embed migrations/*.sql
var migrations embed.FS

var set = tables.Set{
	Package: "client/sqlcopy", Migrations: migrations, Apps: "commerce_copy",
	Restored: "run Reconcile once for each store, because deletions since are unknown",
}

// Tables are the tables of this package, for appdb.Tables.
var Tables = tables.PartOf(set)

// Mirror is a client.Mirror in a database. Its fields must not be changed after its first use. It is safe for
// concurrent use, also by several processes.
type Mirror[T any] struct {
	// DB is the database. It is required.
	DB *sql.DB
	// App is the id of the app at the platform. It is required if several apps use the same tables. Zero means that
	// no other app does.
	App client.ID
	// Table is a table of the app. It has the columns store_id and id, and both form its primary key. StoreID is the
	// store whose records are copied. If Table is set, Name, Delete and IDsQuery are derived from both and must be
	// empty.
	Table   string
	StoreID client.ID
	// Name identifies the copy in the database. It is unique for each store and kind of record, such as "123/products".
	// It is required without Table.
	Name string
	// Put inserts a record, or replaces the record with its id, in the transaction of the step. It is required. It must
	// not commit or roll back.
	Put func(ctx context.Context, tx *sql.Tx, record *T) error
	// Delete is a statement that deletes the record with the id $1, such as "DELETE FROM product WHERE id = $1". It is
	// required without Table. If one table has the records of several stores, the statement must name the store.
	Delete string
	// IDsQuery is a query for the ids of records that are greater than $1, in ascending order, at most $2 of them. It
	// is required without Table. If one table has the records of several stores, the query must name the store. An
	// example is:
	//
	//	SELECT id FROM product WHERE id > $1 ORDER BY id LIMIT $2
	IDsQuery string
	// OnStep is called last in the transaction of each step, before the commit. Its statements and the step are
	// committed together. If it returns an error, both are rolled back and Apply returns the error. Use it to end the
	// delivery of a webhook:
	//
	//	OnStep: webhook.CommitStep[client.Product] // the inbox is in the same database
	//
	// If Changed or Deleted returns nil, one step has been committed. OnStep may be called again for a step that was
	// not committed. It must not commit or roll back. If it is nil, nothing is called.
	OnStep func(ctx context.Context, tx *sql.Tx, step client.CopyStep[T]) error
	// OnRefused is called for each record that the database has refused because of a value in it, such as U+0000 in a
	// text on PostgreSQL. The other records of the step were stored, and Reconcile tries it again. It is also called,
	// with the id 0, for an id in the table of the app that cannot be read. If it is nil, the errors are logged to
	// slog.Default at level warn.
	OnRefused func(ctx context.Context, id client.ID, err error)
	// Prefix is the prefix of the table names of this package. Empty means "commerce_".
	Prefix string

	ready tables.Ready
	fill  sync.Once
	wrong error // in Table and StoreID
}

// tableName matches a table name that requires no quotes, with or without a schema.
var tableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?$`)

// fromTable sets the fields that are derived from Table and StoreID.
func (m *Mirror[T]) fromTable() {
	switch {
	case m.Table == "":
	case m.Name != "" || m.Delete != "" || m.IDsQuery != "":
		m.wrong = fmt.Errorf("client/sqlcopy: Mirror.Table: must not be set with Name, Delete or IDsQuery: %w", client.ErrValidation)
	case !tableName.MatchString(m.Table):
		m.wrong = fmt.Errorf("client/sqlcopy: Mirror.Table %q: must be a name of letters, digits and _: %w", m.Table, client.ErrValidation)
	case m.StoreID <= 0:
		m.wrong = fmt.Errorf("client/sqlcopy: Mirror.StoreID %d: must be set with Table: %w", m.StoreID, client.ErrValidation)
	default:
		of := fmt.Sprintf(" FROM %s WHERE store_id = %d AND id ", m.Table, m.StoreID)
		m.Name, m.Delete, m.IDsQuery = fmt.Sprintf("%d/%s", m.StoreID, m.Table), "DELETE"+of+"= $1", "SELECT id"+of+"> $1 ORDER BY id LIMIT $2"
	}
}

// Schema returns the statements that create the table, for apps that do not call Migrate.
func (m *Mirror[T]) Schema() string { return m.tables().Schema() }

// Migrate creates the table, or updates it to this release. Any number of processes may call it at the same time.
func (m *Mirror[T]) Migrate(ctx context.Context) error { return m.tables().Migrate(ctx) }

func (m *Mirror[T]) tables() tables.Tables {
	return tables.Tables{Set: set, DB: m.DB, Prefix: m.Prefix, App: int64(m.App), Ready: &m.ready}
}

func (m *Mirror[T]) check() error {
	if m.fill.Do(m.fromTable); m.wrong != nil {
		return m.wrong
	}
	for _, field := range []struct {
		name string
		set  bool
	}{{"DB", m.DB != nil}, {"Name", m.Name != ""}, {"Put", m.Put != nil}, {"Delete", m.Delete != ""}, {"IDsQuery", m.IDsQuery != ""}} {
		if !field.set {
			return required("Mirror." + field.name)
		}
	}
	return nil
}

// required returns the error of a missing field.
func required(field string) error {
	return fmt.Errorf("client/sqlcopy: %s: must be set: %w", field, client.ErrValidation)
}

// prepared checks the fields and, once, the table.
func (m *Mirror[T]) prepared(ctx context.Context) error {
	if err := m.check(); err != nil {
		return err
	}
	return m.tables().Check(ctx)
}

// State returns the state of the copy, empty if there is none.
func (m *Mirror[T]) State(ctx context.Context) (state string, err error) {
	if err := m.prepared(ctx); err != nil {
		return "", err
	}
	const stateSQL = "SELECT state FROM commerce_copy WHERE app = $1 AND name = $2"
	state, _, err = tables.One(ctx, m.DB, m.tables().SQL(stateSQL), []any{m.App, m.Name}, tables.Value[string])
	return state, err
}

// IDs returns ids of records in the mirror. An id that cannot be read is left out and reported to OnRefused.
func (m *Mirror[T]) IDs(ctx context.Context, after client.ID, limit int) (ids []client.ID, err error) {
	if err := m.prepared(ctx); err != nil {
		return nil, err
	}
	for id, err := range tables.Pages(ctx, m.DB, m.IDsQuery, int64(after), nil, tables.Value[int64]) {
		if _, unreadable := errors.AsType[*tables.UnreadableError](err); unreadable {
			m.refused(ctx, 0, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		if ids = append(ids, client.ID(id)); len(ids) == limit {
			break
		}
	}
	return ids, nil
}

// Apply applies a step of the copy in one transaction. It repeats the transaction if the database asks for that. If the
// database refuses a record because of a value in it, the step is applied without that record, which is reported to
// OnRefused.
func (m *Mirror[T]) Apply(ctx context.Context, step client.CopyStep[T]) error {
	if err := m.prepared(ctx); err != nil {
		return err
	}
	put := func(tx *sql.Tx, record *T) error { return m.Put(ctx, tx, record) }
	err := m.tables().Run(ctx, func(tx *sql.Tx) error { return m.apply(ctx, tx, step, put) })
	if !tables.Refused(err) {
		return err
	}
	bad := map[client.ID]error{}
	try := func(tx *sql.Tx, record *T) error {
		err := tables.Try(ctx, tx, func() error { return m.Put(ctx, tx, record) })
		if tables.Refused(err) {
			bad[idOf(record)] = err
			return errSkipped
		}
		return err
	}
	err = m.tables().Run(ctx, func(tx *sql.Tx) error {
		clear(bad)
		return m.apply(ctx, tx, step, try)
	})
	if err != nil {
		return err
	}
	for id, err := range bad {
		m.refused(ctx, id, err)
	}
	return nil
}

// errSkipped is the result of a put that has left a record out.
var errSkipped = errors.New("the record was left out")

func (m *Mirror[T]) apply(
	ctx context.Context, tx *sql.Tx, step client.CopyStep[T], put func(tx *sql.Tx, record *T) error,
) error {
	if err := m.replace(ctx, tx, step.Before, step.After); err != nil {
		return err
	}
	left := map[client.ID]bool{}
	for i := range step.Put {
		record := &step.Put[i]
		switch err := put(tx, record); {
		case err == errSkipped:
			left[idOf(record)] = true
		case err != nil:
			return fmt.Errorf("put record %d: %w", idOf(record), err)
		}
	}
	if len(left) > 0 { // OnStep is called with the records that were stored
		step.Put = slices.DeleteFunc(slices.Clone(step.Put), func(r T) bool { return left[idOf(&r)] })
	}
	for _, id := range step.Delete {
		if _, err := tx.ExecContext(ctx, m.Delete, int64(id)); err != nil {
			return fmt.Errorf("delete record %d: %w", id, err)
		}
	}
	if m.OnStep != nil {
		return m.OnStep(ctx, tx, step)
	}
	return nil
}

// refused reports a record that is not in the mirror.
func (m *Mirror[T]) refused(ctx context.Context, id client.ID, err error) {
	err = fmt.Errorf("client/sqlcopy: %s: record %d: %w", m.Name, id, err)
	if m.OnRefused != nil {
		m.OnRefused(ctx, id, err)
		return
	}
	slog.WarnContext(ctx, "client/sqlcopy: the database rejected a record, which is not copied", "error", err)
}

func idOf[T any](record *T) client.ID {
	return client.ID(reflect.ValueOf(record).Elem().FieldByName("ID").Int())
}

// replace replaces one state with another. It is the first statement of a transaction, so that other transactions wait
// for it.
func (m *Mirror[T]) replace(ctx context.Context, tx *sql.Tx, before, after string) error {
	statement := "UPDATE commerce_copy SET state = $1 WHERE app = $2 AND name = $3 AND state = $4"
	args := []any{after, m.App, m.Name, before}
	if before == "" {
		statement = `INSERT INTO commerce_copy (app, name, state) VALUES ($1, $2, $3)
			ON CONFLICT (app, name) DO NOTHING`
		args = []any{m.App, tables.Text{Name: "Mirror.Name", Value: m.Name}, after}
	}
	switch n, err := m.tables().Exec(ctx, tx, statement, args...); {
	case err != nil:
		return err
	case n == 0:
		return client.ErrCopyMoved
	}
	return nil
}

// Forget deletes the state, so that the next Run reads all records. It does not delete the records; that run corrects
// them.
func (m *Mirror[T]) Forget(ctx context.Context) error {
	if err := m.prepared(ctx); err != nil {
		return err
	}
	_, err := m.tables().Exec(ctx, m.DB, "DELETE FROM commerce_copy WHERE app = $1 AND name = $2", m.App, m.Name)
	return err
}
