// Package callback has what the handlers of the platform's calls have in common: how a body
// is taken in, how a configuration and an address are checked, how a panic becomes an error, and how a failure
// is told and printed. What a call means, and what it is answered, is for the packages
// webhook, discounts, shipping and payments to say.
//
// A handler calls Open when a request arrives and Bodies.Read to read it; what that returns, Status turns into
// what is answered. Refusals logs what a handler rejects. Check collects what is wrong with its fields, IsHTTPS and Host look at an address, Panics and Recovered run what the app gave,
// and a Reporter hears of each failure once. Gate and Processors bound the app's functions that are in progress, so that
// one store takes no resources that others need.
//
// What may be relied on: a body is bounded before it is read, nothing that is told quotes a body or a secret, and
// texts from outside are cut, with whatever does not print escaped.
package callback
