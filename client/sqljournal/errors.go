package sqljournal

import (
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

var (
	// ErrTaken reports that the journal has another intent with the same store, path and key. The error is a
	// *TakenError.
	ErrTaken = errors.New("the key is taken")

	// ErrHeld reports that another process, or another goroutine of this process, works on the intent or has ended it.
	// If a record was created, the error is also a *TakenError.
	ErrHeld = errors.New("another process works on the intent, or has ended it")

	// ErrNoTables reports that the tables are not in the database. Call Migrate.
	ErrNoTables = tables.ErrNoTables

	// ErrNewerSchema reports that a later release created the tables. This release must not use them.
	ErrNewerSchema = tables.ErrNewerSchema
)

// TakenError is the error of a key that is already in the journal. It matches ErrTaken.
type TakenError struct {
	Intent client.Intent // the intent in the journal
	// Open reports that the intent has not ended. Once.Resume looks up its outcome, unless another process works on it.
	Open bool
	// Record is the id of the record that the intent created, empty while it is open.
	Record string
}

// Error returns a text with the key, the intent and its outcome.
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
