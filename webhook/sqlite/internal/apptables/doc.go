// Package apptables tests, on SQLite, the packages that keep their tables in the app's own database through database/sql.
package apptables
