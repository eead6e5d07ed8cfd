package rollingapp

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/proof/rolling"
	"github.com/commerceplatform/commerce-go/internal/proof/rolling/replica"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

func TestMain(m *testing.M) {
	proctest.Main(map[string]func() error{
		rolling.Role: func() error { return replica.Run(Open, rolling.Trace) },
	})
	goleak.VerifyTestMain(m)
}

// The tables are upgraded under load while the release before works on, and that release comes back after the upgrade.
func TestProofRolling(t *testing.T) {
	rolling.Run(t, rolling.Engine{Name: "sqlite", New: database, Length: tier.Size(0, 0, 5*time.Minute)})
}

func database(t *testing.T) rolling.Database {
	path := filepath.Join(t.TempDir(), "inbox.db")
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=busy_timeout(30000)")
	done(t, err)
	t.Cleanup(func() { done(t, db.Close()) })
	return rolling.Database{
		Address: path, DB: db,
		Open: func(t *testing.T) rolling.Inbox {
			in, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			done(t, err)
			t.Cleanup(func() { done(t, in.Close()) })
			return in
		},
		Versions: func(t *testing.T) (is, want int) {
			migrations, err := filepath.Glob("../../../../webhook/sqlite/migrations/*.sql")
			done(t, err)
			done(t, db.QueryRow("SELECT max(version) FROM inbox_migration").Scan(&is))
			return is, len(migrations)
		},
	}
}

func done(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
