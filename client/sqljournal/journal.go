package sqljournal

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

// Journal stores the intents of client.Once in a database. It implements client.Journal and client.Holder. DB and Name
// must be set. It is safe for concurrent use by any number of goroutines and processes, and must not be copied.
type Journal[T any] struct {
	// DB is the database of the app. Commits must be durable: SQLite must not run with synchronous off, nor with normal
	// in WAL mode, and PostgreSQL not with synchronous_commit off.
	DB *sql.DB
	// App is the id of the app at the platform. It is required if several apps use the same tables. Zero means that
	// no other app does.
	App client.ID
	// Name separates this journal from others in the same table, such as "order imports". It must be 1 to 100 bytes.
	// Journals of different record types require different names. All replicas must use the same name.
	Name string
	// Prefix is the prefix of the table names. It must be 1 to 30 of a to z, 0 to 9 and _, and must not begin with a
	// digit. Empty means "commerce_".
	Prefix string
	// Term is how long an intent belongs to a process that does not renew its claim, because it was killed or has lost
	// the database. It is also how long Open skips an intent after work that left it open. Zero means DefaultTerm;
	// otherwise it must be 10 s to 24 h. Replicas may have different values.
	Term time.Duration
	// ID returns the id of a record, which the journal stores. Nil means the text of its field ID.
	ID func(*T) string
	// OnEnd is called in the transaction that ends an intent, after the journal's own statement. It can write a row of
	// the app about the record; both are committed, or neither is. Made is nil if the platform rejected the create.
	// OnEnd must not commit, and must use the database only through tx. An error rolls the transaction back and leaves
	// the intent open. OnEnd is called again if the transaction was rolled back, but not after a commit.
	OnEnd func(ctx context.Context, tx *sql.Tx, in client.Intent, made *T) error

	ready tables.Ready
}

var (
	_ client.Journal[client.Order] = (*Journal[client.Order])(nil)
	_ client.Holder                = (*Journal[client.Order])(nil)

	_ client.Restorable[client.Order] = (*Journal[client.Order])(nil)
)

const (
	// DefaultTerm is the Term of a Journal whose Term is zero.
	DefaultTerm = time.Minute

	leastTerm, mostTerm = 10 * time.Second, 24 * time.Hour

	// The most bytes of a name and of a key. An index of PostgreSQL allows 2,704 bytes for name, path and key.
	mostName = 100
	mostKey  = 1024
)

const (
	beginSQL = `INSERT INTO commerce_intent
(app, name, store, path, key, id, after_id, since, holder, until, term, taken, ended, record)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, '') ON CONFLICT (app, name, store, path, key) DO NOTHING`

	findSQL = `SELECT id, after_id, since, ended, record FROM commerce_intent
WHERE app = $1 AND name = $2 AND store = $3 AND path = $4 AND key = $5`
)

// Begin commits an intent. It fails with a *TakenError if another intent with the same store, path and key is open or
// created a record. Beginning the same intent again does nothing.
//
// After any other error, the intent may be in the journal, but no create was sent. Open yields it later.
func (j *Journal[T]) Begin(ctx context.Context, in client.Intent) error {
	if err := j.check(ctx, j.DB); err != nil {
		return err
	}
	if n := len(in.Key); n == 0 || n > mostKey || !utf8.ValidString(in.Key) || strings.ContainsRune(in.Key, 0) {
		return fmt.Errorf("sqljournal: key %.100q: must be 1 to %d bytes of UTF-8 without NUL", in.Key, mostKey)
	}
	return twice(ctx, func() error { return j.begin(ctx, in) })
}

func (j *Journal[T]) begin(ctx context.Context, in client.Intent) error {
	const most = 3 // other processes may end theirs meanwhile
	for range most {
		now, err := clock(ctx, j.DB)
		if err != nil {
			return err
		}
		changed, err := j.exec(ctx, j.DB, beginSQL, append(j.values(in), tables.Holder(in.ID.String()),
			now.Add(j.term()).UnixMicro(), j.term().Microseconds(), now.UnixMicro())...)
		if changed || err != nil {
			return err
		}
		switch there, err := j.find(ctx, j.DB, in); {
		case err != nil:
			return err
		case there == nil:
		case there.open() && there.in.ID == in.ID: // the answer to the insert was lost
			return nil
		default:
			return there.taken()
		}
	}
	return fmt.Errorf("sqljournal: key %.100q: other processes begin and end intents with this key repeatedly; retry later", in.Key)
}

// row is the state of a key in the journal.
type row struct {
	in     client.Intent
	ended  int64
	record string
}

func (r *row) open() bool { return r.ended == 0 }

func (r *row) taken() *TakenError { return &TakenError{Intent: r.in, Open: r.open(), Record: r.record} }

// find returns the row with the key of an intent, nil if there is none.
func (j *Journal[T]) find(ctx context.Context, db tables.DB, in client.Intent) (*row, error) {
	r, _, err := tables.One(ctx, db, j.sql(findSQL), j.key(in), func(scan tables.Scan) (*row, error) {
		r := &row{in: in}
		return r, read(scan, &r.in, &r.ended, &r.record)
	})
	return r, failed(err)
}

// read scans the id, after_id and since of an intent, and the columns after them.
func read(scan func(...any) error, in *client.Intent, rest ...any) error {
	var id string
	var after, since int64
	if err := scan(append([]any{&id, &after, &since}, rest...)...); err != nil {
		return err
	}
	in.After, in.Since = client.ID(after), fromMicro(since)
	return in.ID.UnmarshalText([]byte(id))
}

// key returns the arguments for the primary key.
func (j *Journal[T]) key(in client.Intent) []any {
	path := tables.Text{Name: "path of key " + in.Key, Value: in.Path}
	return []any{j.App, j.Name, in.StoreID, path, in.Key}
}

// values returns the arguments for the other columns of an intent.
func (j *Journal[T]) values(in client.Intent) []any {
	return append(j.key(in), in.ID.String(), int64(in.After), toMicro(in.Since))
}

// id returns the id of a record.
func (j *Journal[T]) id(made *T) string {
	if j.ID != nil {
		return j.ID(made)
	}
	return fmt.Sprint(reflect.ValueOf(made).Elem().FieldByName("ID").Interface())
}

// term is how long an intent belongs to a process.
func (j *Journal[T]) term() time.Duration {
	if j.Term == 0 {
		return DefaultTerm
	}
	return j.Term
}

// toMicro returns microseconds of Unix time, 0 for the zero time.
func toMicro(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicro(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}
