package res

import (
	"encoding/json"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/scalar"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Refusals of the products of an order or a draft, in assumed words.
const (
	productsRequired = "The products field is required."
	noSuchVariant    = "The selected variant id is invalid."
	wrongQuantity    = "The quantity must be an integer from 1 to 1000000000."
	wrongPrice       = "The price must be a number that is at least 0."
)

func lineFaults() []api.ErrCase {
	return unprocessable("products: "+productsRequired, "products: is invalid", "variant_id: "+noSuchVariant, "quantity: "+wrongQuantity)
}

// lineIn is one product of a new draft.
type lineIn struct {
	VariantID  scalar.Value `json:"variant_id"`
	Quantity   scalar.Value `json:"quantity"`
	Properties extraIn      `json:"properties"`
}

// pricedLineIn is one product of a new order.
type pricedLineIn struct {
	lineIn
	Price scalar.Value `json:"price"`
}

// readLines reads products that cost what their variants do.
func readLines(tx *world.Tx, in *api.In, raws []json.RawMessage, language string, wrong problems) ([]world.Line, error) {
	list, err := elements[lineIn](in, "products", raws)
	if err != nil {
		return nil, err
	}
	return linesOf(tx, each(list, func(b lineIn) pricedLineIn { return pricedLineIn{lineIn: b} }), language, wrong), nil
}

// readPricedLines reads products of which each may have a price.
func readPricedLines(tx *world.Tx, in *api.In, raws []json.RawMessage, language string, wrong problems) ([]world.Line, error) {
	list, err := elements[pricedLineIn](in, "products", raws)
	if err != nil {
		return nil, err
	}
	return linesOf(tx, list, language, wrong), nil
}

func linesOf(tx *world.Tx, list []pricedLineIn, language string, wrong problems) []world.Line {
	if len(list) == 0 {
		wrong.add("products", productsRequired)
	}
	var out []world.Line
	for _, b := range list {
		id, _ := b.VariantID.Int()
		v, ok := tx.Variants.Get(id)
		if !ok {
			wrong.add("variant_id", noSuchVariant)
			continue
		}
		quantity, ok := b.Quantity.Int()
		if !ok || quantity < 1 || quantity > 1e9 {
			wrong.add("quantity", wrongQuantity)
		}
		lines, ok := soldLines(tx, v, quantity, language)
		if !ok {
			wrong.add("variant_id", noSuchVariant)
		}
		if b.Price.Text != "" {
			price, ok := b.Price.Decimal()
			if !ok || price.IsNegative() {
				wrong.add("price", wrongPrice)
			}
			lines = repriced(tx, lines, price.Round(2))
		}
		for _, l := range lines {
			l.Properties = b.Properties.members
			out = append(out, l)
		}
	}
	return out
}

// newLine is a line of the variant as it is now, at its price.
func newLine(tx *world.Tx, v world.Variant, language string) world.Line {
	p, _ := tx.Products.Get(v.ProductID)
	text := func(by map[string]string) string {
		if s := by[language]; s != "" {
			return s
		}
		return mainText(tx.Store(), by)
	}
	l := world.Line{
		ID:           tx.NewID(),
		ProductID:    p.ID,
		VariantID:    v.ID,
		Name:         text(p.Name),
		Price:        v.Price.Decimal,
		Cost:         v.Cost,
		Promotional:  v.PromotionalPrice.Valid,
		Weight:       v.Weight.Decimal,
		Width:        v.Width.Decimal,
		Height:       v.Height.Decimal,
		Depth:        v.Depth.Decimal,
		FreeShipping: p.FreeShipping,
		ImageID:      v.ImageID,
		SKU:          v.SKU,
		Barcode:      v.Barcode,
	}
	if k, ok := tx.Kits.Get(p.ID); ok {
		l.Price = kitPrice(tx, k).Decimal
	}
	if images := imagesOf(tx, p.ID); l.ImageID == 0 && len(images) > 0 {
		l.ImageID = images[0].ID
	}
	if v.PromotionalPrice.Valid {
		l.CompareAtPrice = decimal.NewNullDecimal(v.Price.Decimal)
	}
	for _, value := range v.Values {
		l.VariantValues = append(l.VariantValues, text(value))
	}
	return l
}
