//go:build race

package client

// listEndings is of how many ways in which lists end one is tried, by chance. The race detector takes ten times as
// long.
const listEndings = 6
