//go:build !linux

package load

import "os"

func datasync(f *os.File) error { return f.Sync() }
