//go:build !race

package client

// listEndings is of how many ways in which lists end one is tried, by chance.
const listEndings = 1
