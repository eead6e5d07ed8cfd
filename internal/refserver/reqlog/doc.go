// Package reqlog remembers the last requests, so that a test can ask what was
// sent and what the server made of it.
package reqlog
