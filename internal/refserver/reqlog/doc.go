// Package reqlog remembers the last requests, so that a test can ask what was
// sent and what the server made of it.
//
// New makes a Log of a size, Add puts a request into it when it was answered, and Entries returns what is kept.
// Bodies are kept as they were sent, so that a test can compare them: a password of a customer or the credentials of a
// payment provider are in them. Headers are not kept, and with them no token.
package reqlog
