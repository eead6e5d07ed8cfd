//go:build race

package client_test

// runsByDefault is how often the tests against the server run with deviations.
const runsByDefault = 1

// longTexts says that texts of strangers that are long are tried too.
const longTexts = false
