package client

import (
	"fmt"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Limits of custom fields of products that are checked before a request is sent.
const (
	MaxProductFieldName        = 60  // characters
	MaxProductFieldDescription = 150 // characters
	MaxProductFieldValue       = 250 // characters of each of Values
)

// CustomField is a field that an app or the merchant adds to all records of one kind. Products, variants, customers,
// categories and orders have separate sets of fields.
type CustomField struct {
	ID            uuid.UUID  `json:"id"`
	Name          string     `json:"name"`           // required; at most 60 characters for products
	Description   string     `json:"description"`    // for merchants; at most 150 characters for products
	ValueType     ValueType  `json:"value_type"`     // the type of its values; cannot be changed
	OwnerResource FieldOwner `json:"owner_resource"` // the kind of record that it is for
	// ReadOnly means that merchants can read the value in the admin panel but not change it.
	ReadOnly bool `json:"read_only"`
	// Values are the allowed values of a ValueTypeTextList.
	Values []FieldValue `json:"values"`
	// Source is who created the field. Only Get returns Source, CreatedAt and UpdatedAt.
	Source    FieldSource `json:"source,omitzero"`
	CreatedAt Time        `json:"created_at,omitzero"`
	UpdatedAt Time        `json:"updated_at,omitzero"`
	Extra     Extra       `json:",embed"`
}

// FieldValue is an allowed value of a custom field. Responses to Create and AddValues report whether it was accepted.
// Responses to reads have only the value.
type FieldValue struct {
	Value string `json:"value"` // at most 250 characters for products
	// Created is false for a value that was rejected, and nil if the response does not report it. It can be true for a
	// value that existed before.
	Created *bool `json:"created,omitzero"`
	// Error is the reason for the rejection; empty if there was none.
	Error string `json:"error,omitzero"`
	Extra Extra  `json:",embed" wire:"methods"`
}

// MarshalJSON writes the value as a string, or as an object if other members are set.
func (v FieldValue) MarshalJSON() ([]byte, error) {
	if v.Created == nil && v.Error == "" && len(v.Extra) == 0 {
		return wire.Marshal(v.Value)
	}
	type long FieldValue
	return wire.MarshalRecord((*long)(&v))
}

// UnmarshalJSON reads a text, or {value, created, error}. Numbers, true and false are read as texts.
func (v *FieldValue) UnmarshalJSON(data []byte) error {
	type long FieldValue
	var read long
	var err error
	if wire.Kind(data) == '{' {
		err = wire.Unmarshal(data, &read)
	} else {
		read.Value, err = wire.Text(data)
	}
	if err != nil {
		return fmt.Errorf("value of a custom field: %w", err)
	}
	*v = FieldValue(read)
	return nil
}

// Refused returns the values that the platform rejected, with the reasons. The call that set them succeeds anyway.
func (f *CustomField) Refused() []FieldValue {
	var refused []FieldValue
	for _, v := range f.Values {
		if v.Error != "" {
			refused = append(refused, v)
		}
	}
	return refused
}

// ValueType is the type of the values of a custom field.
type ValueType string

// The values of ValueType.
const (
	ValueTypeTextList ValueType = "text_list" // one of CustomField.Values
	ValueTypeText     ValueType = "text"      // any text
	ValueTypeNumeric  ValueType = "numeric"   // a number
	ValueTypeDate     ValueType = "date"      // a date
)

// Known reports whether the contract names the value.
func (t ValueType) Known() bool {
	return wire.Known(t, ValueTypeTextList, ValueTypeText, ValueTypeNumeric, ValueTypeDate)
}

// FieldSource is who created a custom field.
type FieldSource string

// The values of FieldSource.
const (
	FieldSourceAdmin FieldSource = "admin" // the merchant created it in the admin panel
	FieldSourceApp   FieldSource = "app"   // an app created it
)

// Known reports whether the contract names the value.
func (s FieldSource) Known() bool { return wire.Known(s, FieldSourceAdmin, FieldSourceApp) }

// FieldOwner is the kind of record that custom fields belong to.
type FieldOwner string

// The values of FieldOwner.
const (
	FieldOwnerProduct  FieldOwner = "product"         // of products
	FieldOwnerVariant  FieldOwner = "product_variant" // of variants
	FieldOwnerCustomer FieldOwner = "customer"        // of customers
	FieldOwnerCategory FieldOwner = "category"        // of categories
	FieldOwnerOrder    FieldOwner = "order"           // of orders
)

// Known reports whether the contract names the value.
func (o FieldOwner) Known() bool {
	return wire.Known(o,
		FieldOwnerProduct, FieldOwnerVariant, FieldOwnerCustomer, FieldOwnerCategory, FieldOwnerOrder,
	)
}

// path returns the path of the records of the kind.
func (o FieldOwner) path() string {
	switch o {
	case FieldOwnerVariant:
		return "/products/variants"
	case FieldOwnerCategory:
		return "/categories"
	}
	return "/" + string(o) + "s"
}

// member returns the name of the list of owners in the response to Owners.
func (o FieldOwner) member() string {
	switch o {
	case FieldOwnerVariant:
		return "product-variants"
	case FieldOwnerCategory:
		return "categories"
	}
	return string(o) + "s"
}

// CustomFieldInput is the body of Create.
type CustomFieldInput struct {
	// Name is required; 60 characters at most for products.
	Name string `json:"name"`
	// Description has 150 characters at most for products.
	Description string    `json:"description,omitzero"`
	ValueType   ValueType `json:"value_type"` // required
	// ReadOnly means that merchants cannot change the value in the admin panel.
	ReadOnly bool `json:"read_only"`
	// Values are the allowed values of a ValueTypeTextList, each of at most 250 characters for products. The other
	// types require none.
	Values []string `json:"values"`
}

func (in CustomFieldInput) check(owner FieldOwner) error {
	switch {
	case in.Name == "":
		return engine.Invalid("name", in.Name, "a name")
	case !in.ValueType.Known():
		return engine.Invalid("value_type", in.ValueType, "text_list, text, numeric or date")
	case in.ValueType == ValueTypeTextList && len(in.Values) == 0:
		return engine.Invalid("values", len(in.Values), "the values that a text_list allows")
	case owner != FieldOwnerProduct:
		return nil
	case utf8.RuneCountInString(in.Name) > MaxProductFieldName:
		return engine.Invalid("name", in.Name, fmt.Sprintf("at most %d characters long", MaxProductFieldName))
	case utf8.RuneCountInString(in.Description) > MaxProductFieldDescription:
		return engine.Invalid("description", in.Description, fmt.Sprintf("at most %d characters long", MaxProductFieldDescription))
	}
	return checkFieldValues(owner, in.Values)
}

func checkFieldValues(owner FieldOwner, values []string) error {
	for i, value := range values {
		if owner == FieldOwnerProduct && utf8.RuneCountInString(value) > MaxProductFieldValue {
			return engine.Invalid(fmt.Sprintf("values[%d]", i), value, fmt.Sprintf("at most %d characters long", MaxProductFieldValue))
		}
	}
	return nil
}
