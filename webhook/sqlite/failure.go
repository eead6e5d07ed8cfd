package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	driver "modernc.org/sqlite"
	code "modernc.org/sqlite/lib"

	"github.com/commerceplatform/commerce-go/webhook"
)

// ErrBroken means that a write or a sync of the file failed, so that its contents are unknown. It also means that the
// file or its write-ahead log was deleted, moved or replaced while it was open. Every call fails with it, including
// Stats, until the file is opened again. End the process then. The platform retries deliveries that were not accepted
// for 48 hours.
var ErrBroken = errors.New("the file failed and must be opened again")

// failure returns the failure of the file that ended all writing, or nil.
func (in *Inbox) failure() error {
	if err := in.broken.Load(); err != nil {
		return *err
	}
	return nil
}

// sound returns the sizes of the files, or ErrBroken if one failed or is missing. It is for calls that only read.
func (in *Inbox) sound() (sizes [3]int64, err error) {
	if err := in.failure(); err != nil {
		return sizes, err
	}
	sizes, err = in.place.check()
	return sizes, in.judge(err)
}

// judge ends all writing if err is a failure of the file. After a failed sync the system may drop unwritten data and
// report success later.
func (in *Inbox) judge(err error) error {
	if !isBroken(err) {
		return err
	}
	err = fmt.Errorf("%w: %w", ErrBroken, err)
	in.broken.CompareAndSwap(nil, &err)
	return err
}

// errIndex means that an index named a wrong row.
var errIndex = errors.New("an index is damaged")

// isMisled reports whether an index does not agree with its table. The table is then right.
func isMisled(err error) bool {
	e, ok := errors.AsType[*driver.Error](err)
	return ok && e.Code() == code.SQLITE_CORRUPT_INDEX || errors.Is(err, errIndex)
}

// isBusy reports whether another process held the lock of the file.
func isBusy(err error) bool { return primary(err) == code.SQLITE_BUSY }

// isBroken reports whether the file or its disk failed. A full disk is not such a failure, because SQLite rolls the
// transaction back and the next one may find room.
func isBroken(err error) bool {
	if errors.Is(err, errReplaced) {
		return true
	}
	switch primary(err) {
	case code.SQLITE_IOERR, code.SQLITE_CORRUPT, code.SQLITE_NOTADB, code.SQLITE_READONLY, code.SQLITE_CANTOPEN:
		return true
	}
	return false
}

// unavailable adds webhook.ErrUnavailable to an error of Open that a later Open may not have: the disk is not mounted,
// fails or is full, or another process holds the file.
func unavailable(err error) error {
	down := false
	switch primary(err) {
	case code.SQLITE_BUSY, code.SQLITE_IOERR, code.SQLITE_FULL, code.SQLITE_CANTOPEN, code.SQLITE_READONLY:
		down = true
	}
	for _, one := range []error{fs.ErrNotExist, syscall.EIO, syscall.ENOSPC, syscall.EROFS} {
		down = down || errors.Is(err, one)
	}
	if !down {
		return err
	}
	return fmt.Errorf("%w: %w", webhook.ErrUnavailable, err)
}

func primary(err error) int {
	if e, ok := errors.AsType[*driver.Error](err); ok {
		return e.Code() & 0xff
	}
	return code.SQLITE_OK
}
