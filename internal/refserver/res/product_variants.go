package res

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func variantOps() []api.Op {
	read, write := []string{"read_products"}, []string{"write_products"}
	updated := []string{"product/updated"}
	missing := []api.ErrCase{{Status: 404, Text: noSuchProduct}}
	missingBoth := append(slices.Clone(missing), api.ErrCase{Status: 404, Text: "null"})
	single := slices.Concat(unprocessable(
		"values: "+body.CannotBeBlank,
		"values: "+body.IsInvalid,
		countsDiffer,
		variantsRepeated,
	), variantErrors())
	return []api.Op{
		{ID: "variants.list", Method: "GET", Path: "/products/{product_id}/variants", Scopes: read,
			Query: api.Recurring(), Errors: missing, Handler: api.Collection(findVariants, showVariant)},
		{ID: "variants.get", Method: "GET", Path: "/products/{product_id}/variants/{id}", Scopes: read,
			Errors: missingBoth, Handler: getVariant},
		{ID: "variants.create", Method: "POST", Path: "/products/{product_id}/variants", Scopes: write, Success: 201,
			Emits: updated, Handler: createVariant, Errors: slices.Concat(missing, single,
				[]api.ErrCase{{Status: 422, Text: "Product is not allowed to have more than 1000 variants"}})},
		{ID: "variants.update", Method: "PUT", Path: "/products/{product_id}/variants/{id}", Scopes: write,
			Emits: updated, Errors: slices.Concat(missingBoth, single), Handler: updateVariant},
		{ID: "variants.replace", Method: "PUT", Path: "/products/{product_id}/variants", Scopes: write,
			Emits: updated, Handler: replaceVariants, Errors: slices.Concat(missing, []api.ErrCase{
				{Status: 400, Text: body.InvalidFormat},
				{Status: 400, Text: noVariant},
				{Status: 400, Text: valuesEmpty},
				{Status: 400, Text: valuesFormat},
				{Status: 422, Text: valuesRepeated},
				{Status: 422, Text: countsDiffer},
				{Status: 422, Text: "Product is not allowed to have more than 1000 variants"},
			}, variantErrors())},
		{ID: "variants.patch", Method: "PATCH", Path: "/products/{product_id}/variants", Scopes: write,
			Emits: updated, Handler: patchVariants, Errors: slices.Concat(missing, []api.ErrCase{
				{Status: 400, Text: body.InvalidFormat},
				{Status: 422, Text: variantsRepeated},
				{Status: 422, Text: "values: " + body.IsInvalid},
				{Status: 422, Text: countsDiffer},
			}, variantErrors())},
		{ID: "variants.delete", Method: "DELETE", Path: "/products/{product_id}/variants/{id}", Scopes: write, NoBody: true,
			Emits: updated, Errors: missingBoth, Provenance: api.Supplement, Handler: deleteVariant},
		{ID: "variants.stock", Method: "POST", Path: "/products/{product_id}/variants/stock", Scopes: write,
			Emits: updated, Provenance: api.Supplement, Handler: changeStock,
			Errors: slices.Concat(missingBoth, unprocessable(
				validActions,
				"value: "+body.NotInteger("value"),
				"stock: "+tooMuchStock,
				"location_id: "+body.NotSelectable("location id"),
			))},
	}
}

type variantJSON struct {
	ID               int64               `json:"id"`
	ImageID          *int64              `json:"image_id"`
	ProductID        int64               `json:"product_id"`
	Position         int                 `json:"position,omitzero"` // in answers to batches only
	Price            *string             `json:"price"`
	PromotionalPrice *string             `json:"promotional_price"`
	StockManagement  bool                `json:"stock_management"`
	Stock            *int64              `json:"stock"`
	Weight           *string             `json:"weight"`
	Width            *string             `json:"width"`
	Height           *string             `json:"height"`
	Depth            *string             `json:"depth"`
	SKU              *string             `json:"sku"`
	Values           []map[string]string `json:"values"`
	Barcode          *string             `json:"barcode"`
	MPN              *string             `json:"mpn"`
	AgeGroup         *string             `json:"age_group"`
	Gender           *string             `json:"gender"`
	Cost             *string             `json:"cost"`
	InventoryLevels  []levelJSON         `json:"inventory_levels"`
	CreatedAt        string              `json:"created_at"`
	UpdatedAt        string              `json:"updated_at"`
}

func showVariant(tx *world.Tx, _ *api.In, v world.Variant) any { return variantOnWire(tx, v) }

// variantOnWire reads price and stock of a kit from its components.
func variantOnWire(tx *world.Tx, v world.Variant) variantJSON {
	out := variantJSON{
		ID:               v.ID,
		ImageID:          idOrNull(v.ImageID),
		ProductID:        v.ProductID,
		Price:            fixedOrNull(v.Price, 2),
		PromotionalPrice: fixedOrNull(v.PromotionalPrice, 2),
		Weight:           fixedOrNull(v.Weight, 3),
		Width:            fixedOrNull(v.Width, 2),
		Height:           fixedOrNull(v.Height, 2),
		Depth:            fixedOrNull(v.Depth, 2),
		SKU:              api.TextOrNil(v.SKU),
		Values:           orEmpty(v.Values),
		Barcode:          api.TextOrNil(v.Barcode),
		MPN:              api.TextOrNil(v.MPN),
		AgeGroup:         api.TextOrNil(v.AgeGroup),
		Gender:           api.TextOrNil(v.Gender),
		Cost:             fixedOrNull(v.Cost, 2),
		InventoryLevels:  levelsOnWire(tx, v.ID),
		CreatedAt:        api.Stamp(v.CreatedAt),
		UpdatedAt:        api.Stamp(v.UpdatedAt),
	}
	stock, finite := stockOf(tx, v.ID)
	if k, ok := tx.Kits.Get(v.ProductID); ok {
		out.Price = fixedOrNull(kitPrice(tx, k), 2)
		stock, finite = kitStock(tx, k)
	}
	if finite {
		out.StockManagement, out.Stock = true, &stock
	}
	return out
}

func findVariants(tx *world.Tx, in *api.In) ([]world.Variant, error) {
	p, err := product(tx, in.ID("product_id"))
	if err != nil {
		return nil, err
	}
	list := variantsOf(tx, p.ID)
	if in.Has("since_id") {
		sortBy(list, "ascending", func(a, b world.Variant) int { return cmp.Compare(a.ID, b.ID) })
	}
	return slices.DeleteFunc(list, func(v world.Variant) bool { return !in.Selects(v.ID, v.CreatedAt, v.UpdatedAt) }), nil
}

func getVariant(tx *world.Tx, in *api.In) (any, error) {
	_, v, err := variant(tx, in)
	if err != nil {
		return nil, err
	}
	return variantOnWire(tx, v), nil
}

// variant is the one of the path, with its product.
func variant(tx *world.Tx, in *api.In) (world.Product, world.Variant, error) {
	p, err := product(tx, in.ID("product_id"))
	if err != nil {
		return p, world.Variant{}, err
	}
	v, ok := tx.Variants.Get(in.ID("id"))
	if !ok || v.ProductID != p.ID {
		return p, v, api.NotFound("")
	}
	return p, v, nil
}

func createVariant(tx *world.Tx, in *api.In) (any, error) {
	p, err := product(tx, in.ID("product_id"))
	if err != nil {
		return nil, err
	}
	var b variantIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	v := world.Variant{ID: tx.NewID(), ProductID: p.ID, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	if v.Values, err = b.values(tx.Store()); err != nil {
		return nil, err
	}
	if len(v.Values) == 0 {
		return nil, api.Invalid("values", body.CannotBeBlank)
	}
	own := ownVariants(variantsOf(tx, p.ID))
	if err := fits(p, v, own); err != nil {
		return nil, err
	}
	if most := tx.Limits().Variants; len(own) >= most {
		return nil, tooMany(most, "variants")
	}
	// The first variant of its own takes the place of the one a product has without any.
	if len(own) == 0 {
		removeVariants(tx, p.ID)
	}
	v.Position = len(own) + 1
	if _, err := changeVariant(tx, in, v, b); err != nil {
		return nil, err
	}
	if _, err := touch(tx, p); err != nil {
		return nil, err
	}
	v, _ = tx.Variants.Get(v.ID)
	return variantOnWire(tx, v), nil
}

// ownVariants leaves out the one that a product has without any of its own.
func ownVariants(all []world.Variant) []world.Variant {
	return slices.DeleteFunc(all, func(v world.Variant) bool { return len(v.Values) == 0 })
}

// fits checks the values of a variant against the product and the other variants.
func fits(p world.Product, v world.Variant, others []world.Variant) error {
	if len(v.Values) != len(p.Attributes) {
		return api.Unprocessable(countsDiffer)
	}
	if hasCombination(slices.DeleteFunc(slices.Clone(others), func(o world.Variant) bool { return o.ID == v.ID }), v.Values) {
		return stated("values", variantsRepeated)
	}
	return nil
}

func updateVariant(tx *world.Tx, in *api.In) (any, error) {
	p, v, err := variant(tx, in)
	if err != nil {
		return nil, err
	}
	var b variantIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	if b.Values.Present {
		values, err := b.values(tx.Store())
		switch {
		case err != nil:
			return nil, err
		case len(values) == 0 && len(v.Values) > 0:
			return nil, api.Invalid("values", body.CannotBeBlank)
		case len(values) > 0:
			v.Values = values
			if err := fits(p, v, variantsOf(tx, p.ID)); err != nil {
				return nil, err
			}
		}
	}
	changed, err := changeVariant(tx, in, v, b)
	if err != nil {
		return nil, err
	}
	if changed {
		if _, err := touch(tx, p); err != nil {
			return nil, err
		}
	}
	v, _ = tx.Variants.Get(v.ID)
	return variantOnWire(tx, v), nil
}

func deleteVariant(tx *world.Tx, in *api.In) (any, error) {
	p, v, err := variant(tx, in)
	if err != nil {
		return nil, err
	}
	removeVariant(tx, v)
	if err := closeRanks(tx, p); err != nil {
		return nil, err
	}
	if _, err := touch(tx, p); err != nil {
		return nil, err
	}
	return api.Empty{}, nil
}

// closeRanks numbers the variants of a product from 1 again. A product that lost
// its last one has a single variant without values, as one without any has.
func closeRanks(tx *world.Tx, p world.Product) error {
	rest := variantsOf(tx, p.ID)
	if len(rest) == 0 {
		return addVirtual(tx, p)
	}
	for i, v := range rest {
		v.Position = i + 1
		if err := tx.Variants.Put(v.ID, v); err != nil {
			return err
		}
	}
	return nil
}

// addVirtual gives a product without variants of its own the one it has then.
func addVirtual(tx *world.Tx, p world.Product) error {
	v := world.Variant{ID: tx.NewID(), ProductID: p.ID, Position: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	return tx.Variants.Put(v.ID, v)
}

func removeVariants(tx *world.Tx, product int64) {
	for _, v := range variantsOf(tx, product) {
		removeVariant(tx, v)
	}
}

// removeVariant takes a variant's stock away with it.
func removeVariant(tx *world.Tx, v world.Variant) {
	for id := range tx.InventoryLevels.Where("variant", strconv.FormatInt(v.ID, 10)) {
		tx.InventoryLevels.Delete(id)
	}
	dropExceptions(tx, "variant", v.ID)
	tx.Variants.Delete(v.ID)
}
