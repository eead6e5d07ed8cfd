// Package rollingapp is the app of a rolling upgrade on PostgreSQL. It is compiled with this release, and with the
// release before: it must use nothing that only one of them has.
package rollingapp
