package sqlstore

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Only a statement that was rolled back is repeated: another one may have been applied.
func TestRetry(t *testing.T) {
	for text, repeated := range map[string]bool{
		"ERROR: could not serialize access due to concurrent update (SQLSTATE 40001)": true,
		"ERROR: deadlock detected (SQLSTATE 40P01)":                                   true,
		"database is locked (5) (SQLITE_BUSY)":                                        true,
		"unexpected EOF":                                                              false,
		"driver: bad connection":                                                      false,
		"store 40001: disk I/O error":                                                 false,
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			err := retry(t.Context(), func() error {
				if calls++; calls == 3 {
					return nil
				}
				return errors.New(text)
			})
			if repeated != (err == nil) || repeated != (calls == 3) {
				t.Errorf("%s: got %v after %d calls", text, err, calls)
			}
			began := time.Now()
			always := func() error { return errors.New(text) }
			if err := retry(t.Context(), always); err == nil || time.Since(began) > contended+pause {
				t.Errorf("%s: got %v after %v, want an error after %v at most", text, err, time.Since(began), contended)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			began = time.Now()
			if err := retry(ctx, always); err == nil || time.Since(began) > time.Second {
				t.Errorf("%s: got %v after %v, want an error when the context ends", text, err, time.Since(began))
			}
		})
	}
}
