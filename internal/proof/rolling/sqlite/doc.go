// Package rollingapp is the app of a rolling upgrade on SQLite. It is compiled with this release and with the previous
// one, so it must use only identifiers that both have.
package rollingapp
