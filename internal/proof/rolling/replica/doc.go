// Package replica is an app with an inbox, as one process of a rolling upgrade. It is compiled with this release, and
// with the release before: it must use nothing that only one of them has.
package replica
