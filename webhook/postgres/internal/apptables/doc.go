// Package apptables tests, on PostgreSQL, the packages that keep their tables in the app's own database through
// database/sql.
package apptables
