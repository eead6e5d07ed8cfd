// Package statetest proves the packages that keep rows in a database of an app: oauth/sqlstore, client/sqljournal,
// client/sqlcopy, client/sqljobs, payments/sqlledger, shipping/sqlrates and the claims of client/multistore. The
// modules with drivers run it on their Engine, because the root module has no database.
//
// [Run] plays a Row for each package through all scenarios. The rules are the same for all rows. Acts that were
// confirmed are in the database, no act is there twice, and the next process continues. A row that cannot be read costs
// only itself, apps share a database, and the clock of the database decides what has ended.
//
// The tests in the files that are named after a package are about rules of that package alone.
package statetest
