//go:build unix

package sqlite

import (
	"errors"
	"os"
)

// syncDirectory makes the names in a directory survive a power cut.
func syncDirectory(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
