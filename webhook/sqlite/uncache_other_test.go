//go:build !linux

package sqlite_test

import "testing"

func uncache(b *testing.B, _ string) {
	b.Helper()
	b.Skip("the cache of the system is left alone")
}
