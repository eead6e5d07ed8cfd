// Package ratestest tests shipping/sqlrates on a database: the modules with drivers run it.
package ratestest
