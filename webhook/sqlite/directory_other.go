//go:build !unix

package sqlite

// syncDirectory does nothing: a directory cannot be synced here, and the file system keeps its names by itself.
func syncDirectory(string) error { return nil }
