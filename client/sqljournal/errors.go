package sqljournal

import (
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

var (
	// ErrTaken says that the journal has another intent with the same store, path and key. The error is a *TakenError.
	ErrTaken = errors.New("the key is taken")

	// ErrHeld says that another process, or another goroutine of this one, works on the intent or has ended it. The
	// error is a *TakenError too if a record was made.
	ErrHeld = errors.New("another process works on the intent, or has ended it")

	// ErrNoTables says that the tables are not in the database. Call Migrate.
	ErrNoTables = tables.ErrNoTables

	// ErrNewerSchema says that a later release made the tables, and that this one must not use them.
	ErrNewerSchema = tables.ErrNewerSchema
)

// errLost ends the context of work on an intent.
var errLost = errors.New("the claim to the intent was not renewed in time")

// TakenError is the error of a key that the journal has already. It matches ErrTaken.
type TakenError struct {
	Intent client.Intent // what the journal has
	// Open reports that it has not ended. Once.Resume finds out what became of it, unless somebody works on it.
	Open bool
	// Record is the id of the record that it made; empty while it is open.
	Record string
}

// Error names the key and what has it.
func (e *TakenError) Error() string {
	outcome := "which made record " + e.Record
	if e.Open {
		outcome = "which is open"
	}
	in := e.Intent
	return fmt.Sprintf("%v: %.100q of %d%s has intent %s, %s", ErrTaken, in.Key, in.StoreID, in.Path, in.ID, outcome)
}

// Is reports whether target is ErrTaken.
func (*TakenError) Is(target error) bool { return target == ErrTaken }
