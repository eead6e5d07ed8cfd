// Package sqlstoretest has the rules of package oauth/sqlstore as tests of a database: the modules with drivers run
// them.
package sqlstoretest
