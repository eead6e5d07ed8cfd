package client

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// CustomFieldValue is a custom field with its value for one record.
type CustomFieldValue struct {
	ID            uuid.UUID   `json:"id"`
	Name          string      `json:"name"`           // of the field
	OwnerResource FieldOwner  `json:"owner_resource"` // the kind of record
	ValueType     ValueType   `json:"value_type"`     // the type of Value: text, number or date
	Source        FieldSource `json:"source"`         // who made the field
	Description   string      `json:"description"`    // of the field
	ReadOnly      bool        `json:"read_only"`      // merchants cannot set it in the admin panel
	Value         Code        `json:"value"`          // the record's value, as a text
	Extra         Extra       `json:",embed"`
}

// CustomFieldSetting is one item of the body of SetValues.
type CustomFieldSetting struct {
	// ID is the id of the field, which must exist.
	ID uuid.UUID `json:"id"`
	// Value is required; Null removes the field from the record.
	Value Opt[string] `json:"value,omitzero"`
}

func checkSettings(settings []CustomFieldSetting) error {
	if len(settings) == 0 {
		return engine.Invalid("values", len(settings), "at least one item; null removes a field")
	}
	seen := map[uuid.UUID]bool{}
	for i, s := range settings {
		if s.ID == uuid.Nil || seen[s.ID] {
			return engine.Invalid(fmt.Sprintf("[%d].id", i), s.ID, "the id of a field, given only once")
		}
		if s.Value.IsZero() {
			return engine.Invalid(fmt.Sprintf("[%d].value", i), "", "a value, or null")
		}
		seen[s.ID] = true
	}
	return nil
}

// CustomFieldOwners is a custom field with the records that have a value for it.
type CustomFieldOwners struct {
	CustomField `wire:"methods"`
	// Owners are records of the kind OwnerResource.
	Owners []CustomFieldOwner
}

// CustomFieldOwner is a record that has a value for a custom field.
type CustomFieldOwner struct {
	ID    ID    `json:"id"`
	Value Code  `json:"value"` // the record's value, as a text
	Extra Extra `json:",embed"`
}

// MarshalJSON writes the members of the field, and the owners as a member that is named after their kind.
func (o CustomFieldOwners) MarshalJSON() ([]byte, error) {
	owners, err := wire.Marshal(o.Owners)
	if err != nil {
		return nil, err
	}
	field := o.CustomField
	field.Extra = Extra{field.OwnerResource.member(): owners}
	for name, value := range o.Extra {
		field.Extra[name] = value
	}
	return wire.MarshalRecord(&field)
}

// UnmarshalJSON reads the form that MarshalJSON writes, also without the owner of the field.
func (o *CustomFieldOwners) UnmarshalJSON(data []byte) error {
	var v CustomFieldOwners
	if err := wire.Unmarshal(data, &v.CustomField); err != nil {
		return err
	}
	for _, owner := range []FieldOwner{FieldOwnerProduct, FieldOwnerVariant, FieldOwnerCustomer, FieldOwnerCategory, FieldOwnerOrder} {
		if _, err := v.Extra.Decode(owner.member(), &v.Owners); err != nil {
			return err
		}
		delete(v.Extra, owner.member())
	}
	*o = v
	return nil
}
