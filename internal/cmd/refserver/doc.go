// Command refserver runs the in-memory platform on this machine, for programs in any language.
//
//	go run ./internal/cmd/refserver --demo
//
// prints the address, a store and a token to begin with. With --json it prints
// them as one line of JSON before it serves, with --routes it prints the
// operations and ends. With --control it serves the control API on a second address of
// this machine: clock, stores, deliveries, faults, carts, payments and more, for programs in
// any language (internal/refserver/control/api.md). -h lists the other flags. It stops cleanly on SIGINT and SIGTERM.
//
// State is in memory and ends with the process. Listen on loopback addresses only: the
// program is for tests, and has no limits for strangers.
package main
