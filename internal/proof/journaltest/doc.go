// Package journaltest has the rules of package client/sqljournal as tests of a database: the modules with drivers run
// them. Their TestMain must know role Role, because some tests kill processes.
package journaltest
