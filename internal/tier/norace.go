//go:build !race

package tier

const watched = false
