// Package condition has the errors of calls that callers branch on, and decides what an error says about the other
// side. Package client makes the errors and documents them for users. A handler decides by them without a client.
package condition
