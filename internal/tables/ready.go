package tables

import (
	"context"
	"sync/atomic"
)

// Ready remembers that the tables of a package were checked, so that each process asks once. The zero value has not
// asked. It is safe for concurrent use.
type Ready struct{ checked atomic.Bool }

// Check is Set.Check until that has succeeded once.
func (r *Ready) Check(ctx context.Context, s Set, db DB, prefix string) error {
	if r.checked.Load() {
		return nil
	}
	err := s.Check(ctx, db, prefix)
	if err == nil {
		r.checked.Store(true)
	}
	return err
}
