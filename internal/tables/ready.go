package tables

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
)

// Ready remembers that the tables of a package were checked, so that each process asks once. The zero value has not
// asked. It is safe for concurrent use.
type Ready struct{ checked atomic.Bool }

// CheckOn is Check on a connection or in a transaction: SQLite may have no other connection.
func (t Tables) CheckOn(ctx context.Context, db DB) error {
	if t.Ready.checked.Load() {
		return nil
	}
	err := t.Set.Check(ctx, db, t.Prefix)
	if err == nil {
		err = t.checkApp(ctx, db)
	}
	if _, pool := db.(*sql.DB); err == nil && pool {
		if _, err = t.Set.notice(ctx, db, t.Prefix); stateOf(err) == readOnly {
			err = nil // a standby can be read
		}
	}
	if err == nil {
		t.Ready.checked.Store(true)
	}
	return err
}

// checkApp returns an error if it cannot be known which rows are those of this app. Keys begin with the id of the app,
// so several apps with ids can share tables, but not an app without one.
func (t Tables) checkApp(ctx context.Context, db DB) error {
	if t.App < 0 {
		return fmt.Errorf("%s: App %d: must be the id of the app at the platform", t.Set.Package, t.App)
	}
	table := t.SQL(t.Set.Apps)
	statement := "SELECT COALESCE((SELECT MIN(app) FROM " + table + "), $1), " +
		"COALESCE((SELECT MAX(app) FROM " + table + "), $1)"
	type bounds struct{ least, most int64 }
	all, err := Query(ctx, db, statement, []any{t.App}, func(scan Scan) (b bounds, err error) {
		err = scan(&b.least, &b.most)
		return b, err
	})
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", t.Set.Package, err)
	case t.App == 0 && all[0].most > 0:
		return fmt.Errorf("%s: table %s has rows of app %d, and this one has no id: set App to the id of this app "+
			"at the platform, or Prefix for tables of its own", t.Set.Package, table, all[0].most)
	case t.App > 0 && all[0].least == 0:
		return fmt.Errorf("%s: table %s has rows of an app without an id, and this one is app %d: if they are its own, "+
			"set their column app to %d; otherwise set App there too, or Prefix for tables of its own",
			t.Set.Package, table, t.App, t.App)
	}
	return nil
}
