package sqlite_test

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/rolling"
	"github.com/commerceplatform/commerce-go/internal/rolling/replica"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
	"github.com/commerceplatform/commerce-go/webhook/sqlite/internal/rollingapp"
)

// roll is a replica of this release.
func roll() error { return replica.Run(rollingapp.Open, rolling.Trace) }

// The tables are upgraded under load while the release before works on, and that release comes back after the upgrade.
func TestProofRolling(t *testing.T) {
	e := rolling.Engine{Name: "sqlite", New: rollingDatabase}
	if *soak {
		e.Length = 5 * time.Minute
	}
	rolling.Run(t, e)
}

func rollingDatabase(t *testing.T) rolling.Database {
	path := file(t)
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=busy_timeout(30000)")
	done(t, err)
	t.Cleanup(func() { done(t, db.Close()) })
	return rolling.Database{
		Address: path, DB: db,
		Open: func(t *testing.T) rolling.Inbox { return inbox(t, path, sqlite.Options{}) },
		Versions: func(t *testing.T) (is, want int) {
			migrations, err := filepath.Glob("migrations/*.sql")
			done(t, err)
			done(t, db.QueryRow("SELECT max(version) FROM inbox_migration").Scan(&is))
			return is, len(migrations)
		},
	}
}
