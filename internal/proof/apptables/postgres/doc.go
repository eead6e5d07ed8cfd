// Package apptables tests, on PostgreSQL, the packages that store their tables in the app's own database through
// database/sql.
package apptables
