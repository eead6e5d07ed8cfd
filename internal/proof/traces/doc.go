// Package traces tests that the trace of an order goes from the request that delivers its event through each inbox to
// the calls of the API, also across processes that are stopped or killed. It is a module of its own, because it
// requires OpenTelemetry and the drivers of both databases.
package traces
