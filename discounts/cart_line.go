package discounts

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// LineItem is a line of a cart: a variant and its quantity.
type LineItem struct {
	ID client.ID `json:"id"`
	// Price is the price of one piece.
	Price client.Money `json:"price"`
	// CompareAtPrice is the price that is displayed crossed out, zero if there is none.
	CompareAtPrice client.Money  `json:"compare_at_price"`
	ProductID      client.ID     `json:"product_id"` // the product
	Quantity       client.Int    `json:"quantity"`
	FreeShipping   bool          `json:"free_shipping"`  // the product has free shipping
	VariantID      client.ID     `json:"variant_id"`     // the variant
	VariantValues  []string      `json:"variant_values"` // such as red and M
	Categories     []CategoryRef `json:"categories"`     // of the product
	// Properties are added to a line by the customer or the shop.
	Properties client.Object `json:"properties"`
	// CatalogKitID and OrderKitID are empty unless the line is a component of a kit. CatalogKitID is the kit in the
	// catalog, and OrderKitID is the kit in this cart.
	CatalogKitID client.Code `json:"catalog_kit_id"`
	OrderKitID   client.Code `json:"order_kit_id"`
	// KitQuantity is the number of kits of which the line is a component, 0 if there are none. QuantityPerKit is
	// Quantity divided by it.
	KitQuantity    client.Int   `json:"kit_quantity"`
	QuantityPerKit client.Int   `json:"quantity_per_kit"`
	Extra          client.Extra `json:",embed"`
}

// In reports whether the product of the line is in the category, or in a direct subcategory.
func (l *LineItem) In(category client.ID) bool {
	for _, c := range l.Categories {
		if category > 0 && (c.ID == category || c.Parent == category) {
			return true
		}
	}
	return false
}

// CategoryRef is a category of a product. Parent is 0 for a top-level category. Subcategories are its subcategories,
// which do not necessarily contain the product.
type CategoryRef struct {
	ID            client.ID
	Parent        client.ID
	Subcategories []client.ID
	// Extra holds JSON members without a field.
	Extra client.Extra
}

// categoryRef is the wire form of CategoryRef.
type categoryRef struct {
	ID            client.ID    `json:"id"`
	Parent        client.ID    `json:"parent"`
	Subcategories []ref        `json:"subcategories"`
	Extra         client.Extra `json:",embed"`
}

// MarshalJSON writes {id, parent, subcategories}.
func (c CategoryRef) MarshalJSON() ([]byte, error) {
	w := categoryRef{c.ID, c.Parent, make([]ref, len(c.Subcategories)), c.Extra}
	for i, id := range c.Subcategories {
		w.Subcategories[i] = ref(id)
	}
	return wire.MarshalRecord(w)
}

// UnmarshalJSON reads {id, parent, subcategories}. The contract does not show the form of a subcategory, so both an
// id and an object with an id are accepted.
func (c *CategoryRef) UnmarshalJSON(data []byte) error {
	var w categoryRef
	if err := wire.UnmarshalExact(data, &w); err != nil {
		return err
	}
	*c = w.category()
	return nil
}

func (w categoryRef) category() CategoryRef {
	c := CategoryRef{ID: w.ID, Parent: w.Parent, Extra: w.Extra}
	for _, id := range w.Subcategories {
		c.Subcategories = append(c.Subcategories, client.ID(id))
	}
	return c
}

// ref is an id that may be inside its record.
type ref client.ID

func (r *ref) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '{' {
		return (*client.ID)(r).UnmarshalJSON(data)
	}
	var record struct {
		ID client.ID `json:"id"`
	}
	err := wire.UnmarshalExact(data, &record)
	*r = ref(record.ID)
	return err
}
