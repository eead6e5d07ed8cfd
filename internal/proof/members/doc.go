// Package members has tests only. They compare every member of a request that the client can send, and every member
// of a record that it can read, with what the reference server reads and writes. They do the same with the callbacks of
// the platform: carts, requests for rates, labels and payments, and webhooks, and with the answers of an app.
//
// The client and the server share no code, so that a misspelt name on one side differs from the other. These tests
// find such a name even if nobody wrote a test for the member: they call every method of every service with arguments
// in which nothing is zero, and name the one member that is not sent, not read or never written.
package members
