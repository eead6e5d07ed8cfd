// Package scenario runs scenarios: files with the acts of customers, merchants and the platform, and the expected
// behaviour of an app.
//
// Parse reads a file and checks it against the table of acts. Run plays it on a server of its own that Start has
// started. "refserver test" and clienttest.Play connect an app to that server, as programs or as handlers, and print
// the same Result. Shipped has the scenarios that ship, and schema.json describes the files for editors.
//
// A step performs an act of the platform by its name in the table (see package act), or visits an address as the
// browser of a merchant does. The answer of a step can be named, so that later steps use its members: ${cart.id}.
// Calls to the app, with its answers, are in the answers of acts such as carts.add, deliveries and payments.
package scenario
