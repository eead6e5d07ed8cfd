package res

import (
	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// mostPieces bounds the quantity of a line. The bound is assumed.
const mostPieces = 1_000_000_000

func lineFaults() []api.ErrCase {
	return unprocessable("products: "+body.Required("products"), "products: "+body.IsInvalid,
		"variant_id: "+body.NotSelectable("variant id"), "quantity: "+body.NotWithin("quantity", 1, mostPieces))
}

// lineIn is one product of a new draft.
type lineIn struct {
	VariantID  body.Scalar `json:"variant_id"`
	Quantity   body.Scalar `json:"quantity"`
	Properties body.Extra  `json:"properties"`
}

// pricedLineIn is one product of a new order.
type pricedLineIn struct {
	lineIn
	Price body.Scalar `json:"price"`
}

// readLines reads products that cost what their variants do.
func readLines(
	tx *world.Tx, in *api.In, raws body.List[lineIn], language string, wrong *body.Problems,
) ([]world.Line, error) {
	list, err := raws.Read(in, "products")
	if err != nil {
		return nil, err
	}
	return linesOf(tx, each(list, func(b lineIn) pricedLineIn { return pricedLineIn{lineIn: b} }), language, wrong), nil
}

// readPricedLines reads products of which each may have a price.
func readPricedLines(
	tx *world.Tx, in *api.In, raws body.List[pricedLineIn], language string, wrong *body.Problems,
) ([]world.Line, error) {
	list, err := raws.Read(in, "products")
	if err != nil {
		return nil, err
	}
	return linesOf(tx, list, language, wrong), nil
}

func linesOf(tx *world.Tx, list []pricedLineIn, language string, wrong *body.Problems) []world.Line {
	wrong.Require("products", len(list) > 0)
	var out []world.Line
	for _, b := range list {
		id, _ := b.VariantID.Int()
		v, ok := tx.Variants.Get(id)
		if !wrong.Select("variant_id", ok) {
			continue
		}
		quantity := wrong.Within("quantity", b.Quantity, 1, mostPieces)
		lines, ok := soldLines(tx, v, quantity, language)
		wrong.Select("variant_id", ok)
		if b.Price.Text != "" {
			lines = repriced(tx, lines, wrong.Cost("price", b.Price))
		}
		for _, l := range lines {
			l.Properties = b.Properties.Members
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
		return tx.Store().MainText(by)
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
