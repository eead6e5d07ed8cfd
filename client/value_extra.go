package client

import (
	"encoding/json"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/printable"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Extra holds the members of a record that this version of the package has no
// field for, as raw JSON. They are stored when the record is read, and written next to its
// fields, at every level: by this package, and by encoding/json and all that uses it, such as
// the jsonb columns of pgx. A name that the record has a field for is an error in Extra.
//
// For that, records have the methods MarshalJSON and UnmarshalJSON. A struct of the app that
// embeds a record has them too, so encoding/json, and Client.Do, read and write only the record.
// Give the record a name instead, or give the struct methods of its own:
//
//	type Stored struct {
//		Order    client.Order `json:"order"`
//		SyncedAt time.Time    `json:"synced_at"`
//	}
type Extra map[string]json.RawMessage

// Decode reads the member name into v. It returns false if the record has no
// such member beside its fields.
func (e Extra) Decode(name string, v any) (bool, error) {
	raw, ok := e[name]
	if !ok {
		return false, nil
	}
	if err := wire.Unmarshal(raw, v); err != nil {
		return true, fmt.Errorf("member %s: %w", printable.Quote(name), err)
	}
	return true, nil
}
