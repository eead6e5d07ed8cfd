package client

import (
	"encoding/json"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/printable"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Extra holds the members of a record that this version of the package has no
// field for, as raw JSON. They are kept when the record is read and written back
// by this package. encoding/json does not know the tag option behind it and
// shows them as one member named "Extra", from which it also reads them back.
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
