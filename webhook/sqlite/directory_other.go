//go:build !unix

package sqlite

// syncDirectory does nothing: here a directory cannot be synced, and the file system makes its names durable
// automatically.
func syncDirectory(string) error { return nil }
