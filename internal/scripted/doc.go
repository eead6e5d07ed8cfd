// Package scripted answers the requests of a test at the transport, in order.
//
// [Answers] returns a transport that answers the first request with its first answer, the second with its second, and
// all later ones with the last. [Status], [Fails] and [Truncated] are answers. It is for failures that the reference
// server cannot make, and is imported by tests alone.
package scripted
