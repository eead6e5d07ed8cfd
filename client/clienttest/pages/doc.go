// Package pages shows a clienttest.Server in a browser, with buttons for the acts of customers and merchants. It is a
// package of its own, so that tests without a browser do not link the pages.
//
// Set clienttest.Options.Console to [At], or mount the handler that [Of] returns:
//
//	srv, err := clienttest.Start(clienttest.Options{Console: pages.At("127.0.0.1:8082")})
//
// # Guarantees
//
// Each button performs an act of the control API, whose calls are in internal/refserver/control/api.md. Show the pages
// at a loopback address only, because whoever reaches them controls the platform.
//
// # See also
//
// Package clienttest has the server, and docs/testing.md of package client describes the console.
package pages
