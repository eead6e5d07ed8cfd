package sqlite_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// The page for operators copies a file that is in use: the copy is an inbox, and the original goes on.
func TestOperatorsCopy(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/sqlite.md")
	done(t, err)
	command := regexp.MustCompile(`sqlite3 inbox\.db "(VACUUM INTO '/backup/inbox\.db')"`).FindSubmatch(page)
	if command == nil {
		t.Fatal("sqlite.md has no command that copies inbox.db")
	}
	in, path := replaceable(t)
	to := filepath.Join(t.TempDir(), "inbox.db")
	db, err := sql.Open("sqlite", path)
	done(t, err)
	_, err = db.Exec(strings.ReplaceAll(string(command[1]), "/backup/inbox.db", to))
	done(t, err)
	done(t, db.Close())
	accepted(t, in, "after the copy")
	if s, err := inbox(t, to, sqlite.Options{}).Stats(t.Context()); err != nil || s.Pending != 11 {
		t.Errorf("the copy has %d pending entries, %v; want 11", s.Pending, err)
	}
}

// The queries of the page are those of the tables.
func TestOperatorsQueries(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/sqlite.md")
	done(t, err)
	in, _ := replaceable(t)
	queries := 0
	for line := range strings.Lines(string(page)) {
		query, found := strings.CutSuffix(strings.TrimSpace(line), "-- SQLite")
		if !found {
			continue
		}
		queries++
		if _, err := in.DB().Exec(query); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	for _, table := range regexp.MustCompile("`(inbox_[a-z_]+)`").FindAllSubmatch(page, -1) {
		var there int
		err := in.DB().QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = ?", string(table[1])).Scan(&there)
		if err != nil || there != 1 {
			t.Errorf("sqlite.md names %s: found %d, %v", table[1], there, err)
		}
	}
	if queries == 0 {
		t.Error("sqlite.md has no query of SQLite")
	}
}
