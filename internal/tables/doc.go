// Package tables makes the tables that packages of this module keep in a database of the app, through database/sql, and
// checks them before they are used. Statements must mean the same to SQLite and PostgreSQL.
//
// A package has one Set, and writes its statements with the names that begin with "commerce_":
//
//	//go:embed migrations/*.sql
//	var migrations embed.FS
//
//	var set = tables.Set{Package: "oauth/sqlstore", Migrations: migrations, Apps: "commerce_install"}
//
// The keys of all rows begin with the id of the app. Several apps can share the tables if each has an id, and Check
// names an app that has rows while another one has no id.
//
// An app can have its tables begin with something else. The public type of the package has fields DB, App and Prefix,
// an unexported Ready, and a method that returns its Tables. Its methods Schema and Migrate are theirs, each call
// begins with Tables.Check, and Tables.SQL and Tables.Exec write the names. The package also has a variable Tables with
// its Part, for package client/appdb:
//
//	func (s *Store) tables() tables.Tables {
//		return tables.Tables{Set: set, DB: s.DB, Prefix: s.Prefix, App: int64(s.App), Ready: &s.ready}
//	}
//
// Tables that were restored to an earlier point in time have moved to another place, which is noted in
// commerce_version; see Move. Set.Restored has the steps of an operator, if rows are then missing. Check of package
// client/appdb returns them.
//
// Table commerce_version has for each package the applied migrations, and the oldest release that may use the tables.
// So processes of two releases can run at the same time, as with the engines of package webhook.
package tables
