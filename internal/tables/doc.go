// Package tables makes the tables that packages of this module keep in a database of the app, through database/sql, and
// checks them before they are used. Statements must mean the same to SQLite and PostgreSQL.
//
// A package has one Set, and writes its statements with the names that begin with "commerce_":
//
//	//go:embed migrations/*.sql
//	var migrations embed.FS
//
//	var set = tables.Set{Package: "oauth/sqlstore", Migrations: migrations, CompatibleFrom: []int{1}}
//
// An app can have its tables begin with something else. Rename writes a statement for it:
//
//	db.ExecContext(ctx, tables.Rename(s.Prefix, "DELETE FROM commerce_state WHERE expires <= $1"), now)
//
// Table commerce_version says for each package which migrations were applied, and the oldest release that may use the
// result, in the way of the engines of package webhook: processes of two releases work beside each other.
package tables
