// Package act describes the acts of the platform, such as buying a cart, refunding a payment or moving the clock, and
// the reads of its state.
//
// An act is declared once, as a row of the table in internal/refserver/control/acts.go: its name, its route, its help,
// its function, whose parameter is the input, and examples. An Act is such a row as data. Everything that users see of
// an act is made from it:
//
//   - the route of the control API, its list of calls and api.md (package control);
//   - the command "refserver do NAME" with a flag for each member of the input (internal/cmd/refserver);
//   - the page Acts and every other form of the console (package console).
//
// A row names the methods of clienttest that perform the act. The tests of this package read the sources of all these
// faces, and name each act and member that no row has. A new act is therefore two places: the row with its function,
// which calls the packages below, and, if Go tests should have it, a method of clienttest with its example. After that,
//
//	go test ./internal/refserver/control ./internal/refserver/scenario -update
//
// writes api.md and the schema of scenarios.
//
// The rows are in package control, next to their functions, because both are changed together. Members is the only
// function that uses reflection.
package act
