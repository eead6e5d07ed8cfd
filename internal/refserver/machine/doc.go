// Package machine writes state machines down as tables, so that what a resource
// enforces, what the documentation draws and what a test tries out is one thing.
package machine
