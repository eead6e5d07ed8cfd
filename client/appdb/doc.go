// Package appdb creates the tables that packages of this module use in the database of an app, and checks them.
//
// An app lists the packages that it uses, and links no others:
//
//	tables := appdb.Tables{DB: db, Parts: []appdb.Part{sqlstore.Tables, sqljournal.Tables, sqlledger.Tables}}
//	err := tables.Migrate(ctx) // at every startup
//
// An operator who creates tables by hand runs the statements of [Tables.Schema] instead. The role of the app then needs
// the rights to SELECT, INSERT, UPDATE and DELETE only, and [Tables.Migrate] changes nothing.
//
// The tables are in the first schema of the search_path of PostgreSQL, or in a SQLite file. Inboxes (webhook/postgres,
// webhook/sqlite) create their own tables when they are opened.
//
// # Guarantees
//
// Migrate may run at every startup, in any number of replicas. One process at a time changes the tables, and a second
// call changes nothing. No table is changed that a later release has made incompatible with this one
// ([ErrNewerSchema]).
//
// # See also
//
// docs/database.md of package client describes backups, restores and copies.
package appdb
