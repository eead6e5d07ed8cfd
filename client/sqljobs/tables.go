package sqljobs

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

//go:embed migrations/*.sql
var migrations embed.FS

var set = tables.Set{
	Package: "client/sqljobs", Migrations: migrations, Apps: "commerce_job",
	Restored: "jobs that were added since are missing, so add them again; items that ended since are run again",
	Newest:   "SELECT COALESCE(MAX(added), 0) FROM commerce_job",
}

// Tables are the tables of this package, for appdb.Tables.
var Tables = tables.PartOf(set)

// Schema returns the statements that create the tables, for apps that do not call Migrate.
func (q *Queue) Schema() string { return q.tables().Schema() }

// Migrate creates the tables, or updates them to this release. Any number of processes may call it at the same time.
func (q *Queue) Migrate(ctx context.Context) error { return q.tables().Migrate(ctx) }

func (q *Queue) tables() tables.Tables {
	return tables.Tables{Set: set, DB: q.DB, Prefix: q.Prefix, App: int64(q.App), Ready: &q.ready}
}

// Check returns an error if a field is invalid or the tables cannot be used.
func (q *Queue) Check(ctx context.Context) error {
	switch {
	case q.Name == "" || len(q.Name) > mostName || !text(q.Name):
		return invalid("Name %.100q: must be 1 to %d bytes of UTF-8, such as labels", q.Name, mostName)
	case q.Do == nil:
		return invalid("Do: must be set")
	case q.Batch < 0 || q.Batch > mostBatch:
		return invalid("Batch %d: must be 0 to %d", q.Batch, mostBatch)
	case q.Places < 0 || q.Attempts < 0 || q.Limit < 0 || q.Every < 0 || q.Keep < 0:
		return invalid("Places, Attempts, Limit, Every and Keep: must be 0 or more")
	}
	return q.tables().Check(ctx)
}

func text(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

func invalid(format string, args ...any) error {
	return fmt.Errorf("client/sqljobs: Queue."+format+": %w", append(args, client.ErrValidation)...)
}

func failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("client/sqljobs: %w", err)
}

// ofJob is the key of a job. Its values are $1 to $4 of all statements about a job.
const ofJob = "app = $1 AND name = $2 AND store = $3 AND job = $4"

func (q *Queue) key(store client.ID, job string) []any { return []any{q.App, q.Name, store, job} }

// exec executes a statement about a job, with values from $5 on.
func (q *Queue) exec(
	ctx context.Context, db tables.DB, store client.ID, job, statement string, more ...any,
) (int64, error) {
	return q.tables().Exec(ctx, db, statement, append(q.key(store, job), more...)...)
}

func (q *Queue) clock(ctx context.Context, db tables.DB) (int64, error) {
	now, err := tables.Clock(ctx, db)
	return now.UnixMicro(), err
}

// numbered returns n placeholders from $first on, separated by commas.
func numbered(first, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("$%d", first+i)
	}
	return strings.Join(all, ", ")
}

// readable separates rows that cannot be read from other errors of tables.Query.
func readable(err error) (unreadable []*tables.UnreadableError, other error) {
	all, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](err)
	if ok {
		for _, one := range all.Unwrap() {
			if row, ok := errors.AsType[*tables.UnreadableError](one); ok {
				unreadable = append(unreadable, row)
			} else {
				other = errors.Join(other, one)
			}
		}
		return unreadable, other
	}
	return nil, err
}

func timeOf(micro int64) time.Time {
	if micro == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micro).UTC()
}
