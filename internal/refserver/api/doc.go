// Package api is how a resource describes its operations.
//
// An Op is one row: a method and a path, who may call it, what it answers, and a
// Handler. The handler gets a transaction and the request, and returns a value to
// be written as JSON or an error made by one of the constructors here. Everything
// that operations share (tokens, scopes, rates, paging, the fields filter,
// headers) happens around it and is not its concern.
//
// A Machine is a state machine as a table, so that what a resource enforces, what the documentation shows and what a
// test tries are one thing.
package api
