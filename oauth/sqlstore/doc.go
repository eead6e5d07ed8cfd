// Package sqlstore stores the installs of an app in its own database, SQLite or PostgreSQL, through database/sql. A
// Store is an oauth.TokenStore and an oauth.StateStore, which replicas of the app share:
//
//	keys, err := sqlstore.ParseKeys(os.Getenv("TOKEN_KEYS")) // of "openssl rand -base64 32"
//	if err != nil {
//		return err
//	}
//	store := &sqlstore.Store{DB: db, Keys: keys}
//	if err := errors.Join(store.Migrate(ctx), store.Check(ctx)); err != nil {
//		return err
//	}
//	install := &oauth.Handler{App: app, Tokens: store, States: store, Verify: alive, PublicURL: url}
//	mux.Handle("/oauth/callback", install)
//
// Import a driver, such as modernc.org/sqlite or github.com/jackc/pgx/v5/stdlib. For SQLite, set busy_timeout and
// journal_mode(wal) in the address of the database.
//
// Stores iterates over the stores that have installed the app, and Known reports whether a store has. Schema returns
// the tables for those who create them by hand.
//
// # What you may rely on
//
// Tokens are sealed with AES-256-GCM, each for its store and its record: a record that is copied to another store does
// not open. The database, its files and its backups hold no token and no key. Without keys, each call that uses the
// tables returns ErrNoKeys, unless Store.Plaintext is set.
//
// Load returns oauth.ErrNotInstalled only if there is no record. A token that cannot be opened is an error that names
// the store, the reason and what to do. While such a record is there, an oauth.Handler neither replaces nor deletes it,
// so that a wrong key loses nothing.
//
// Each change is one statement, committed when the call returns. Of calls of Swap from one generation one wins, and
// one call of Take gets a state, also among processes and with serializable transactions. No error and no printed
// value contains a token or a key.
//
// # Changing a key
//
// Keys are changed without a restart and without a moment at which a token cannot be read: see KeySet. A token that is
// sealed with an older key is sealed with the newest when it is loaded, and Reseal does so for all.
//
// # What is left to you
//
// Copies of the keys, apart from the database: tokens without their key are lost, and each merchant has to install the
// app again. A limit on the rate of requests to the redirect URL, since each visit stores a state; expired states are
// deleted by later calls of Put, a bounded number at a time. Who writes to the database can delete installs, and
// put back an older record of the same store, but cannot make a token.
package sqlstore
