package journaltest

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
)

// Database is what tests run on.
type Database struct {
	New     func(testing.TB) string               // returns the address of a database that is empty
	Connect func(address string) (*sql.DB, error) // opens it, in any process
	// Ended waits until the server has ended the sessions of killed processes. A server first completes the statement
	// that it is executing. Nil means that there is no server: statements end with their process.
	Ended func(t testing.TB, address string)
}

// Run tests the journal on a database.
func Run(t *testing.T, d Database) {
	tests := []struct {
		name string
		test func(*testing.T, *world)
	}{
		{"Begin", begin}, {"BeginRefuses", beginRefuses}, {"BeginAgain", beginAgain}, {"Names", names},
		{"End", end}, {"EndWithout", endWithout}, {"EndOfWhatIsGone", endOfWhatIsGone},
		{"OnEnd", onEnd}, {"EndTx", endTx}, {"AnswersAreLost", answersAreLost},
		{"Hold", hold}, {"HoldIsLost", holdIsLost}, {"HoldIsRenewed", holdIsRenewed}, {"Release", release},
		{"HoldByMany", holdByMany},
		{"Open", open}, {"ResumeAll", resumeAll}, {"Prune", prune}, {"Values", values},
		{"OneConnection", oneConnection}, {"Tables", schema}, {"BeginByMany", beginByMany},
		{"KilledInTransaction", killedInTransaction}, {"ProofKilled", killed}, {"Paused", paused},
	}
	if d.Ended != nil {
		tests = append(tests, struct {
			name string
			test func(*testing.T, *world)
		}{"KilledInStatement", killedInStatement})
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := &world{Database: d, address: d.New(t)}
			w.db = w.opened(t)
			if err := w.journal("imports").Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			test.test(t, w)
		})
	}
}

// world is a database that has the tables.
type world struct {
	Database
	address string
	db      *sql.DB
}

// opened connects as another process does.
func (w *world) opened(t *testing.T) *sql.DB {
	t.Helper()
	db, err := w.Connect(w.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func (w *world) journal(name string) *sqljournal.Journal[client.Category] {
	return &sqljournal.Journal[client.Category]{DB: w.db, Name: name}
}

// intent returns a new intent.
func intent(key string) client.Intent {
	since := time.Unix(1_700_000_000, 0).UTC()
	return client.Intent{ID: ulid.Make(), StoreID: 7, Path: "/categories", Key: key, After: 41, Since: since}
}

func record(id client.ID) *client.Category { return &client.Category{ID: id} }

// begun returns an intent that has begun.
func begun(t *testing.T, j *sqljournal.Journal[client.Category], key string) client.Intent {
	t.Helper()
	in := intent(key)
	if err := j.Begin(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	return in
}

// exec runs a statement of the test, such as one that has time pass.
func (w *world) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := w.db.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// expire makes all claims and rests end, as Term does.
func (w *world) expire(t *testing.T) {
	t.Helper()
	w.exec(t, "UPDATE commerce_intent SET until = 1 WHERE ended = 0")
}

// rows returns the rows of a query that selects one text.
func (w *world) rows(ctx context.Context, query string) (all []string, err error) {
	rows, err := w.db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err has what went wrong
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}

// has fails the test unless a query selects these texts.
func (w *world) has(t *testing.T, query string, want ...string) {
	t.Helper()
	got, err := w.rows(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("%s: got %q, want %q", query, got, want)
	}
}
