//go:build race

package client_test

// runsByDefault is how often the tests against the server run with deviations.
const runsByDefault = 1
