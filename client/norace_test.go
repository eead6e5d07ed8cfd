//go:build !race

package client_test

// runsByDefault is how often the tests against the server run with deviations. With the race detector it is less.
const runsByDefault = 4
