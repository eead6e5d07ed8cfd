//go:build !race

package members_test

const everyVersion = true
