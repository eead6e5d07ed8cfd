package res

import (
	"encoding/json"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type lineJSON struct {
	ID                  int64      `json:"id"`
	ProductID           int64      `json:"product_id"`
	VariantID           string     `json:"variant_id"`
	Name                string     `json:"name"`
	NameWithoutVariants string     `json:"name_without_variants"`
	Price               string     `json:"price"`
	CompareAtPrice      *string    `json:"compare_at_price"`
	Cost                *string    `json:"cost"`
	HasPromotionalPrice bool       `json:"has_promotional_price"`
	Quantity            string     `json:"quantity"`
	FreeShipping        bool       `json:"free_shipping"`
	Weight              string     `json:"weight"`
	Width               string     `json:"width"`
	Height              string     `json:"height"`
	Depth               string     `json:"depth"`
	Image               any        `json:"image"`
	VariantValues       []string   `json:"variant_values"`
	Properties          any        `json:"properties"`
	SKU                 *string    `json:"sku"`
	Barcode             *string    `json:"barcode"`
	Issues              *issueJSON `json:"issues,omitempty"`
	*lineKitJSON
}

// issueJSON is what only the lines of orders have.
type issueJSON struct {
	UnclaimedStock int64 `json:"unclaimed_stock"`
}

// lineKitJSON is what version v1 does not have. It is null for what was not bought
// as part of a kit.
type lineKitJSON struct {
	CatalogKitID *int64       `json:"catalog_kit_id"`
	OrderKitID   *int64       `json:"order_kit_id"`
	Kit          *soldKitJSON `json:"kit"`
}

// lineOnWire writes quantity and variant_id as strings, as the platform does. A
// product without an image has one whose ids are 0.
func lineOnWire(tx *world.Tx, in *api.In, l world.Line) lineJSON {
	out := lineJSON{
		ID:                  l.ID,
		ProductID:           l.ProductID,
		VariantID:           strconv.FormatInt(l.VariantID, 10),
		Name:                l.Name,
		NameWithoutVariants: l.Name,
		Price:               money(l.Price),
		CompareAtPrice:      fixedOrNull(l.CompareAtPrice, 2),
		Cost:                fixedOrNull(l.Cost, 2),
		HasPromotionalPrice: l.Promotional,
		Quantity:            strconv.FormatInt(l.Quantity, 10),
		FreeShipping:        l.FreeShipping,
		Weight:              l.Weight.StringFixed(2),
		Width:               l.Width.StringFixed(2),
		Height:              l.Height.StringFixed(2),
		Depth:               l.Depth.StringFixed(2),
		Image:               lineImage(tx, l.ImageID),
		VariantValues:       orEmpty(l.VariantValues),
		Properties:          propertiesOnWire(l.Properties),
		SKU:                 api.TextOrNil(l.SKU),
		Barcode:             api.TextOrNil(l.Barcode),
	}
	if in.Version != api.V1 {
		kit := soldKitOnWire(tx, l.Kit)
		out.lineKitJSON = &kit
	}
	return out
}

// lineImageJSON is an image without what only the images of products have.
type lineImageJSON struct {
	ID        int64  `json:"id"`
	ProductID int64  `json:"product_id"`
	Src       string `json:"src"`
	Position  int    `json:"position"`
	Alt       any    `json:"alt"`
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
}

func lineImage(tx *world.Tx, id int64) lineImageJSON {
	i, ok := tx.Images.Get(id)
	if !ok {
		i = world.Image{CreatedAt: tx.Store().CreatedAt, UpdatedAt: tx.Store().CreatedAt}
	}
	return lineImageJSON{
		ID:        i.ID,
		ProductID: i.ProductID,
		Src:       i.Src,
		Position:  i.Position,
		Alt:       objectOrEmpty(i.Alt),
		CreatedAt: api.Stamp(i.CreatedAt),
		UpdatedAt: api.Stamp(i.UpdatedAt),
	}
}

// propertiesOnWire writes no properties as an array, the way the platform does.
func propertiesOnWire(p map[string]json.RawMessage) any {
	if len(p) == 0 {
		return []any{}
	}
	return p
}
