//go:build race

package members_test

// The race detector makes a call take five times as long.
const everyVersion = false
