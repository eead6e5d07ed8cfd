package world

import (
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// CustomField is a field that the entities of one type may have a value for.
type CustomField struct {
	// ID is a UUID.
	ID string
	// App created it; 0 is a merchant, in the admin panel.
	App int64
	// Owner is product, product_variant, customer, category or order.
	Owner string
	Name  string
	// Description is empty for null.
	Description string
	// ValueType is text_list, text, numeric or date.
	ValueType string
	// ReadOnly fields are not given to entities by merchants.
	ReadOnly bool
	// Values are the allowed values of a text_list.
	Values    []string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Indexes find the fields of a type of owner.
func (f CustomField) Indexes() []table.Entry {
	return []table.Entry{table.Multi("owner", f.Owner)}
}

// CustomFieldValue is the value that one entity has for a field.
type CustomFieldValue struct {
	Field string
	// Owner is the type of the entity, OwnerID its id.
	Owner   string
	OwnerID int64
	Value   string
}

// Key is the key of the value: an entity has one for a field.
func (v CustomFieldValue) Key() string {
	return v.Field + "/" + strconv.FormatInt(v.OwnerID, 10)
}

// OwnedBy is the value of the index "owner" of what belongs to an entity.
func OwnedBy(owner string, id int64) string {
	return owner + "/" + strconv.FormatInt(id, 10)
}

// Indexes find the values of an entity and those of a field.
func (v CustomFieldValue) Indexes() []table.Entry {
	return []table.Entry{
		table.Multi("owner", OwnedBy(v.Owner, v.OwnerID)),
		table.Multi("field", v.Field),
	}
}
