// Package replica is an app with an inbox, as one process of a rolling upgrade. Both releases are compiled with it.
package replica
