// Package callback has the common parts of the handlers of the platform's calls. It reads bodies, checks configurations
// and addresses, turns panics into errors, and reports and prints failures. The packages webhook, discounts, shipping
// and payments decide what a call means and how it is answered.
//
// A handler calls Open when a request arrives and Bodies.Read to read it; Status turns the error of Read into a status.
// Refusals logs the requests that a handler rejects. Check collects the faults of its fields, IsHTTPS and Host examine
// an address, and Panics and Recovered run functions of the app. A Reporter receives each failure once. Gate and
// Processors bound the app's functions that are in progress, so that one store takes no resources that others need.
//
// A body is bounded before it is read. Reports and logs quote neither a body nor a secret. Texts from outside are
// truncated, and characters that do not print are escaped.
package callback
