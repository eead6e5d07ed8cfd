// Package api is how a resource describes its operations.
//
// An Op is one row. It has a method and a path, its callers, its answers, and a Handler. The handler gets a transaction
// and the request, and returns a value to be written as JSON or an error made by one of the constructors here.
// Everything that operations share (tokens, scopes, rates, paging, the fields filter, headers) happens around it and is
// not its concern.
//
// A Machine is a state machine as a table. A resource enforces the same table that the documentation shows and a test
// tries.
package api
