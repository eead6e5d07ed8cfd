package res

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/scalar"
	"github.com/commerceplatform/commerce-go/internal/refserver/table"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Texts of the contract about variants; noSuchImage is assumed.
const (
	variantsRepeated = "Variants cannot be repeated"
	invalidAgeGroup  = "The selected age group is invalid"
	invalidGender    = "The selected gender is invalid"
	noSuchImage      = "The selected image id is invalid."
)

// variantErrors are the refusals of whatever writes variants.
func variantErrors() []api.ErrCase {
	return append(unprocessable(
		invalidAgeGroup,
		invalidGender,
		"price: The price must be a number.",
		"price: The price must be at least 0.",
		"promotional_price: The promotional price must be at least 0.",
		"cost: The cost must be greater than 0.",
		"weight: The weight must be at least 0.",
		"image_id: "+noSuchImage,
		"sku: "+alreadyTaken,
	), stockErrors()...)
}

// variantIn is the body of a variant.
type variantIn struct {
	ID               scalar.Value                   `json:"id"`
	ImageID          scalar.Value                   `json:"image_id"`
	Price            scalar.Value                   `json:"price"`
	PromotionalPrice scalar.Value                   `json:"promotional_price"`
	Cost             scalar.Value                   `json:"cost"`
	Weight           scalar.Value                   `json:"weight"`
	Width            scalar.Value                   `json:"width"`
	Height           scalar.Value                   `json:"height"`
	Depth            scalar.Value                   `json:"depth"`
	SKU              api.Opt[loose]                 `json:"sku"`
	Barcode          api.Opt[loose]                 `json:"barcode"`
	MPN              api.Opt[loose]                 `json:"mpn"`
	AgeGroup         scalar.Value                   `json:"age_group"`
	Gender           scalar.Value                   `json:"gender"`
	Values           api.Opt[json.RawMessage]       `json:"values"`
	Stock            scalar.Value                   `json:"stock"`
	InventoryLevels  api.Opt[api.Elements[levelIn]] `json:"inventory_levels"`

	// Visible stands in examples of the contract, and in no answer: it changes nothing.
	Visible json.RawMessage `json:"visible"`

	// Members of an answer that may be sent back and change nothing.
	StockManagement json.RawMessage `json:"stock_management"`
	ProductID       json.RawMessage `json:"product_id"`
	Position        json.RawMessage `json:"position"`
	CreatedAt       json.RawMessage `json:"created_at"`
	UpdatedAt       json.RawMessage `json:"updated_at"`
}

// values are those of the body, none if it has none. What is no array of texts is
// refused.
func (b variantIn) values(st world.Store) ([]map[string]string, error) {
	if !b.Values.Set() {
		return nil, nil
	}
	var list []texts
	if err := json.Unmarshal(b.Values.Value, &list); err != nil {
		return nil, api.Invalid("values", "is invalid")
	}
	var out []map[string]string
	for _, t := range list {
		value := t.in(st)
		if blank(value) {
			return nil, api.Invalid("values", "is invalid")
		}
		out = append(out, value)
	}
	return out, nil
}

// apply returns the variant with what the body changes, apart from its values and
// stock.
func (b variantIn) apply(tx *world.Tx, v world.Variant, wrong problems) world.Variant {
	v.AgeGroup, v.Gender = b.AgeGroup.Or(v.AgeGroup), b.Gender.Or(v.Gender)
	if !slices.Contains([]string{"", "newborn", "infant", "toddler", "kids", "adult"}, v.AgeGroup) {
		wrong.add("age_group", invalidAgeGroup)
	}
	if !slices.Contains([]string{"", "female", "male", "unisex"}, v.Gender) {
		wrong.add("gender", invalidGender)
	}
	v.Price = amount(wrong, "price", b.Price, v.Price, 2)
	v.PromotionalPrice = amount(wrong, "promotional_price", b.PromotionalPrice, v.PromotionalPrice, 2)
	v.Weight = amount(wrong, "weight", b.Weight, v.Weight, 3)
	v.Width = amount(wrong, "width", b.Width, v.Width, 2)
	v.Height = amount(wrong, "height", b.Height, v.Height, 2)
	v.Depth = amount(wrong, "depth", b.Depth, v.Depth, 2)
	if v.Cost = amount(wrong, "cost", b.Cost, v.Cost, 2); b.Cost.Present && v.Cost.Valid && !v.Cost.Decimal.IsPositive() {
		wrong.add("cost", "The cost must be greater than 0.")
	}
	if b.ImageID.Present {
		v.ImageID, _ = b.ImageID.Int()
		if i, ok := tx.Images.Get(v.ImageID); !b.ImageID.Null() && (!ok || i.ProductID != v.ProductID) {
			wrong.add("image_id", noSuchImage)
		}
	}
	v.SKU, v.Barcode, v.MPN = looseOr(b.SKU, v.SKU), looseOr(b.Barcode, v.Barcode), looseOr(b.MPN, v.MPN)
	return v
}

// refuseVariants is the refusal for what is wrong with variants, nil if nothing is.
// The contract states the texts about age group and gender as descriptions.
func refuseVariants(wrong problems) error {
	for _, field := range []string{"age_group", "gender"} {
		if messages := wrong[field]; len(messages) > 0 {
			return api.Validation(wrong).With("description", messages[0])
		}
	}
	return wrong.err()
}

// amount reads a number that is not negative, with so many decimals; null stays null.
func amount(wrong problems, field string, s scalar.Value, now decimal.NullDecimal, places int32) decimal.NullDecimal {
	if !s.Present {
		return now
	}
	if s.Null() {
		return decimal.NullDecimal{}
	}
	words := strings.ReplaceAll(field, "_", " ")
	d, ok := s.Decimal()
	switch {
	case !ok:
		wrong.add(field, "The %s must be a number.", words)
	case d.IsNegative():
		wrong.add(field, "The %s must be at least 0.", words)
	default:
		return fixed(d, places)
	}
	return now
}

// variantDraft is a variant as a body wants it, not yet kept.
type variantDraft struct {
	variant world.Variant
	stock   stocking
}

// draft is the variant, whose values are settled, with what the body says about the
// rest of it. It is fit to be kept only if nothing was wrong.
func (b variantIn) draft(tx *world.Tx, in *api.In, v world.Variant, wrong problems) (variantDraft, error) {
	v = b.apply(tx, v, wrong)
	stock, err := b.levels(tx, in, wrong)
	return variantDraft{v, stock}, err
}

// keep stores the variant and its stock and tells whether anything changed.
func (d variantDraft) keep(tx *world.Tx) (bool, error) {
	v := d.variant
	before, _ := tx.Variants.Get(v.ID)
	moved, err := setLevels(tx, v.ID, d.stock)
	if err != nil {
		return false, err
	}
	if !moved && same(before, v) {
		return false, nil
	}
	v.UpdatedAt = tx.Now()
	return true, keepVariant(tx, v)
}

// changeVariant keeps a variant, whose values are settled, with what the body says
// about the rest of it. It tells whether anything changed.
func changeVariant(tx *world.Tx, in *api.In, v world.Variant, b variantIn) (bool, error) {
	wrong := problems{}
	d, err := b.draft(tx, in, v, wrong)
	if err != nil {
		return false, err
	}
	if err := refuseVariants(wrong); err != nil {
		return false, err
	}
	return d.keep(tx)
}

// keepVariant stores the variant; another one with its SKU is a refusal.
func keepVariant(tx *world.Tx, v world.Variant) error {
	err := tx.Variants.Put(v.ID, v)
	if _, taken := errors.AsType[*table.Conflict](err); taken {
		return api.Invalid("sku", alreadyTaken)
	}
	return err
}
