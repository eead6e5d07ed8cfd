//go:build race

package client_test

// runsByDefault is how often the tests against the server run with deviations.
const runsByDefault = 1

// methodsInTurn is in how many turns every method ends in each way.
const methodsInTurn = 4

// longTexts says that texts of strangers that are long are tried too.
const longTexts = false
