//go:build race

package shipping

// keyPairs is how many pairs of requests have their keys compared: fewer, because the race detector makes reading JSON
// ten times slower.
const keyPairs = 2000
