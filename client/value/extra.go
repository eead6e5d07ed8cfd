package value

import (
	"encoding/json"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Extra holds the members of a record that have no field in this version of the package, as raw JSON. They are stored
// when the record is read and written next to its fields, at every level. This package does so, and encoding/json and
// packages that use it, such as pgx for jsonb columns. A name in Extra that is also the name of a field is an error.
//
// For this purpose, records have the methods MarshalJSON and UnmarshalJSON. A struct of the app that embeds a record
// inherits these methods, so encoding/json and Client.Do read and write only the record. Use a named field for the
// record instead, or give the struct its own methods:
//
//	type Stored struct {
//		Order    client.Order `json:"order"`
//		SyncedAt time.Time    `json:"synced_at"`
//	}
type Extra map[string]json.RawMessage

// String returns the members as a JSON object, in the order of their names.
func (e Extra) String() string {
	raw, err := json.Marshal(map[string]json.RawMessage(e))
	if err != nil { // a value that the app has set is not JSON
		return err.Error()
	}
	return string(raw)
}

// Decode decodes the member name into v. It returns false if Extra has no such member.
func (e Extra) Decode(name string, v any) (bool, error) {
	raw, ok := e[name]
	if !ok {
		return false, nil
	}
	if err := wire.Unmarshal(raw, v); err != nil {
		return true, fmt.Errorf("member %s: %w", wire.Quote(name), err)
	}
	return true, nil
}
