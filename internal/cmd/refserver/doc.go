// Command refserver runs the in-memory platform on this machine, and acts as its customers and merchants. It
// serves programs in any language.
//
//	go run ./internal/cmd/refserver serve --demo --control 127.0.0.1:8082
//
// prints the address, a store and a token to begin with, and serves until SIGINT or SIGTERM. serve also runs if there
// is no command. The other commands call the control API of such a server (internal/refserver/control/api.md lists its
// calls):
//
//	refserver trigger order/paid --to http://127.0.0.1:3000/hooks
//	refserver cart --to http://127.0.0.1:3000/carts add
//	refserver deliveries --follow
//	refserver labels generate --fulfillment-orders ID
//
// "refserver help" lists the commands and the exit statuses. "refserver help COMMAND" explains one, with examples that
// run.
//
// State is in memory and ends with the process. Listen only on loopback addresses, because the program is for tests and
// has no limits for strangers.
package main
