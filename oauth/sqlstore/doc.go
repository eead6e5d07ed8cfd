// Package sqlstore stores the installations of an app, with their sealed tokens, in the database of the app: SQLite or
// PostgreSQL, through database/sql. A [Store] is an oauth.TokenStore and an oauth.StateStore, which replicas of the app
// share:
//
//	keys, err := sqlstore.ParseKeys(os.Getenv("TOKEN_KEYS")) // of "openssl rand -base64 32"
//	if err != nil {
//		return err
//	}
//	store := &sqlstore.Store{DB: db, Keys: keys}
//	if err := errors.Join(store.Migrate(ctx), store.Check(ctx)); err != nil {
//		return err
//	}
//	// alive calls the API with the new token: see oauth.Handler.Verify
//	install := &oauth.Handler{App: app, Tokens: store, States: store, Verify: alive, PublicURL: url}
//	mux.Handle("/oauth/callback", install)
//
// Import a driver, such as modernc.org/sqlite or github.com/jackc/pgx/v5/stdlib. For SQLite, set busy_timeout and
// journal_mode(wal) in the address of the database.
//
// [Store.Stores] iterates over the stores that have installed the app, and [Store.Known] reports whether a store has
// installed it. [Store.Schema] returns the statements that create the tables, for programs that do not call Migrate.
//
// # Guarantees
//
// Tokens are sealed (encrypted) with AES-256-GCM. Each is bound to its store and record, so a record that is copied to
// another store cannot be opened. The database, its files and its backups hold no readable token and no key. Without
// keys, each call that uses the tables returns ErrNoKeys, unless Store.Plaintext is set.
//
// A Store is an oauth.Retirer: a token that was retired stays sealed until it is revived, replaced or erased. Stores,
// Installed and Known omit it. Reseal seals it again, and Check requires its key.
//
// Load returns oauth.ErrNotInstalled only if there is no record, or a retired one. If a token cannot be opened, the
// error names the store, the reason and the remedy, and matches oauth.ErrUnreadable. An oauth.Handler does not delete
// such a record. A new installation replaces it and reports the error, because the platform has ended the old token. A
// row that cannot be read costs only its store: Stores, Check and Reseal continue with the others.
//
// Each change is one statement, which is committed when the call returns. Of concurrent changes of one installation
// (Swap), one succeeds. Of concurrent callbacks with one state (Take), one gets it. Both are also true among processes
// and with serializable transactions. No error and no printed value contains a token or a key.
//
// # Changing a key
//
// Keys are changed without a restart, and each token stays readable during the change; see [KeySet]. Loading a token
// that is sealed with an older key seals it again with the newest key. [Store.Reseal] does so for all tokens.
//
// # What is left to you
//
// Your program must provide:
//
//   - copies of the keys, apart from the database: without its key a token is lost, and the merchant must install the
//     app again
//   - a limit on the rate of requests to the redirect URL, because each visit stores a state
//
// Later calls of Put delete expired states, a bounded number at a time. Anyone who can write to the database can delete
// installations, and restore an older record of the same store, but cannot make a token.
//
// # See also
//
// Package oauth has the Handler that uses a Store. Package client/appdb creates the tables together with those of
// other packages, and docs/database.md of package client describes restores.
package sqlstore
