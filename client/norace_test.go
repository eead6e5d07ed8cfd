//go:build !race

package client_test

// runsByDefault is how often the tests against the server run with deviations. With the race detector it is less.
const runsByDefault = 4

// methodsInTurn is in how many turns every method ends in each way. With the race detector each test has one turn.
const methodsInTurn = 1

// longTexts says that texts of strangers that are long are tried too. With the race detector they are not.
const longTexts = true
