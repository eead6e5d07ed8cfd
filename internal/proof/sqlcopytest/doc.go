// Package sqlcopytest has the rules of client/sqlcopy as tests of a database: the modules with drivers run them.
package sqlcopytest
