// Package tablestest has the rules of package tables as tests of a database: the modules with drivers run them.
package tablestest
