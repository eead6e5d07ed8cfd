package sqlstore

import (
	"errors"

	"github.com/commerceplatform/commerce-go/internal/tables"
)

// Errors that calls of a Store return, possibly wrapped. None of them means that a store has not installed the app;
// that error is oauth.ErrNotInstalled.
var (
	// ErrNoTables means that the database does not have the tables. Call Migrate, or create them from Schema.
	ErrNoTables = tables.ErrNoTables

	// ErrNewerSchema means that a later release changed the tables in a way that this one cannot use.
	ErrNewerSchema = tables.ErrNewerSchema

	// ErrNoKeys means that neither Keys nor KeySet has a key and that Plaintext is not set.
	ErrNoKeys = errors.New("oauth/sqlstore: no keys: set Keys or KeySet (ParseKeys reads them), or, for tests, Plaintext")

	// ErrUnknownKey means that a token is sealed with a key that the Store does not have. The error names the store and
	// the id of the key.
	ErrUnknownKey = errors.New("token is sealed with an unknown key")

	// ErrNotSealed means that a token was stored without a key and that Plaintext is not set. The error names the
	// store.
	ErrNotSealed = errors.New("token is not sealed")

	// ErrDamaged means that a record does not open although its key is known: it was changed, or copied from another
	// store. The error names the store.
	ErrDamaged = errors.New("record is damaged")
)
