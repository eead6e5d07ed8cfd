// Package hooktest checks for tests that hooks see one context from the beginning of a request or run to its end.
//
// [Spans] stands in for a tracer. Open is for OnStarted, End for the hook at the end, See for all functions and hooks
// in between, and Check says at last whether each span was ended once.
package hooktest
