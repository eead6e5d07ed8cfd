//go:build !race

package shipping

// keyPairs is how many pairs of requests have their keys compared.
const keyPairs = 100_000
