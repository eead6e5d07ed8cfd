package world

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Metafield is a value that apps keep with an entity, under a namespace and a key.
type Metafield struct {
	ID        int64
	Namespace string
	Key       string
	// Description is empty for null.
	Description string
	Value       string
	// Owner is Product, Product_Variant, Category, Page, Order or Customer.
	Owner     string
	OwnerID   int64
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Indexes find the metafields of a type of owner and those of one entity.
func (m Metafield) Indexes() []table.Entry {
	return []table.Entry{table.Multi("type", m.Owner), table.Multi("owner", OwnedBy(m.Owner, m.OwnerID))}
}
