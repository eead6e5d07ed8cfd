package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
	"github.com/commerceplatform/commerce-go/oauth"
)

//go:embed migrations/*.sql
var migrations embed.FS

var set = tables.Set{
	Package: "oauth/sqlstore", Migrations: migrations, Apps: "commerce_install",
	Restored: "merchants whose stores have installed the app since open it again, because their tokens are missing",
}

// Tables are the tables of this package, for appdb.Tables.
var Tables = tables.PartOf(set)

// Store is an oauth.TokenStore and an oauth.StateStore that uses a database. DB and keys are required. A Store must not
// be copied, nor its fields changed, after its first use. It is safe for concurrent use, also by several processes that
// share the database.
type Store struct {
	DB *sql.DB // SQLite or PostgreSQL; the app closes it

	// App is the id of the app at the platform. It is required if several apps use the same tables. Zero means that
	// no other app does.
	App client.ID

	// Keys seal tokens: the first seals, and all open. A loaded token that is sealed with a key other than the first is
	// sealed again with the first. A token is lost if its key is lost, so store copies of the keys apart from the
	// database.
	Keys []Key

	// KeySet, if set, holds the keys instead of Keys. It can be changed while the Store is in use.
	KeySet *KeySet

	// Plaintext allows tokens that are not sealed. They are loaded, and they are stored while there are no keys.
	//
	// DANGER: anyone who reads the database, or a backup of it, can then act in every store, because a token does not
	// expire. Use it for tests. With keys, use it only until Reseal has sealed the tokens that were stored without a
	// key.
	Plaintext bool

	// Prefix begins the names of the tables: at most 30 of a to z, 0 to 9 and _. Empty means "commerce_".
	Prefix string

	checked    tables.Ready
	resealFrom atomic.Int64 // no load seals again before this time, in nanoseconds since 1970
	puts       atomic.Int64
	sweeping   sync.Mutex
}

var (
	_ oauth.TokenStore = (*Store)(nil)
	_ oauth.StateStore = (*Store)(nil)
	_ oauth.Retirer    = (*Store)(nil)
)

// Format prints the name of the type, for every verb.
func (s *Store) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "sqlstore.Store") }

// Schema returns the statements that create the tables, for programs that do not call Migrate.
func (s *Store) Schema() string { return s.tables().Schema() }

// Migrate creates the tables, or changes them into those of this release. It may be called at each start, by several
// processes at a time. It requires no keys.
func (s *Store) Migrate(ctx context.Context) error { return s.tables().Migrate(ctx) }

func (s *Store) tables() tables.Tables {
	return tables.Tables{Set: set, DB: s.DB, Prefix: s.Prefix, App: int64(s.App), Ready: &s.checked}
}

const checkSQL = `SELECT sealed_by, count(*), min(store_id) FROM commerce_install WHERE app = $1 GROUP BY sealed_by`

// Check returns nil if the Store can be used: it is configured, its tables exist, and it has the key of each token.
// Call it when a process starts, to detect a wrong key before an installation needs it. It reads the table once and
// opens no token.
func (s *Store) Check(ctx context.Context) error {
	r, err := s.ready(ctx)
	if err != nil {
		return err
	}
	wrong, err := tables.Query(ctx, s.DB, s.sql(checkSQL), []any{s.App}, func(scan tables.Scan) (wrong, err error) {
		var by string
		var n int64
		var first client.ID
		if err := scan(&by, &n, (*int64)(&first)); err != nil {
			return nil, err
		}
		if _, err := r.key(by); err != nil {
			return fmt.Errorf("oauth/sqlstore: %d stores, the first of them %d: %w", n, first, err), nil
		}
		return nil, nil
	})
	if err != nil {
		return fmt.Errorf("oauth/sqlstore: check: %w", err)
	}
	return errors.Join(wrong...)
}

// ready returns the keys of a call, or the reason why the Store cannot be used. Each call uses it, also for states,
// because an installation must fail before its code is used, not when its token is to be stored.
func (s *Store) ready(ctx context.Context) (ring, error) {
	keys := s.Keys
	switch {
	case s.KeySet != nil && len(s.Keys) > 0:
		return ring{}, errors.New("oauth/sqlstore: both Keys and a KeySet are set: set only one of them")
	case s.KeySet != nil:
		keys = s.KeySet.Current()
	}
	if err := checkKeys(keys); err != nil {
		return ring{}, err
	}
	if len(keys) == 0 && !s.Plaintext {
		return ring{}, ErrNoKeys
	}
	if err := tables.Repeat(ctx, func() error { return s.tables().Check(ctx) }); err != nil {
		return ring{}, err
	}
	return ring{keys: keys, plaintext: s.Plaintext}, nil
}

// sql writes a statement for the tables of this Store.
func (s *Store) sql(statement string) string { return s.tables().SQL(statement) }

// changed reports whether a statement affected a row.
func (s *Store) changed(ctx context.Context, statement string, args ...any) (bool, error) {
	n, err := s.tables().Exec(ctx, s.DB, statement, args...)
	return n > 0, err
}
