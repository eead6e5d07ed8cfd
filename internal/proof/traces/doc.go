// Package traces tests that a trace covers the request that delivers an event, each inbox and the calls of the API.
// Processes are stopped or killed in between. It is a module of its own, because it requires OpenTelemetry and the
// drivers of both databases.
package traces
