package res

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/table"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Texts of the contract about variants; body.NotSelectable("image id") is assumed.
const (
	variantsRepeated = "Variants cannot be repeated"
	invalidAgeGroup  = "The selected age group is invalid"
	invalidGender    = "The selected gender is invalid"
)

// variantErrors are the refusals of whatever writes variants.
func variantErrors() []api.ErrCase {
	return append(unprocessable(
		invalidAgeGroup,
		invalidGender,
		"price: "+body.NotNumber("price"),
		"price: "+body.TooSmall("price", 0),
		"promotional_price: "+body.TooSmall("promotional price", 0),
		"cost: The cost must be greater than 0.",
		"weight: "+body.TooSmall("weight", 0),
		"image_id: "+body.NotSelectable("image id"),
		"sku: "+body.AlreadyTaken,
	), stockErrors()...)
}

// variantIn is the body of a variant.
type variantIn struct {
	ID               body.Scalar                  `json:"id"`
	ImageID          body.Scalar                  `json:"image_id"`
	Price            body.Scalar                  `json:"price"`
	PromotionalPrice body.Scalar                  `json:"promotional_price"`
	Cost             body.Scalar                  `json:"cost"`
	Weight           body.Scalar                  `json:"weight"`
	Width            body.Scalar                  `json:"width"`
	Height           body.Scalar                  `json:"height"`
	Depth            body.Scalar                  `json:"depth"`
	SKU              body.Opt[body.Text]          `json:"sku"`
	Barcode          body.Opt[body.Text]          `json:"barcode"`
	MPN              body.Opt[body.Text]          `json:"mpn"`
	AgeGroup         body.Scalar                  `json:"age_group"`
	Gender           body.Scalar                  `json:"gender"`
	Values           body.Opt[json.RawMessage]    `json:"values"`
	Stock            body.Scalar                  `json:"stock"`
	InventoryLevels  body.Opt[body.List[levelIn]] `json:"inventory_levels"`

	// Visible stands in examples of the contract, and in no answer: it changes nothing.
	Visible json.RawMessage `json:"visible"`

	// Members of an answer that may be sent back and change nothing.
	StockManagement json.RawMessage `json:"stock_management"`
	ProductID       json.RawMessage `json:"product_id"`
	Position        json.RawMessage `json:"position"`
	CreatedAt       json.RawMessage `json:"created_at"`
	UpdatedAt       json.RawMessage `json:"updated_at"`
}

// values are those of the body, none if it has none. Anything but an array of texts is rejected.
func (b variantIn) values(st world.Store) ([]map[string]string, error) {
	if !b.Values.Set() {
		return nil, nil
	}
	var list []body.Texts
	if err := json.Unmarshal(b.Values.Value, &list); err != nil {
		return nil, api.Invalid("values", body.IsInvalid)
	}
	var out []map[string]string
	for _, t := range list {
		value := t.In(st)
		if blank(value) {
			return nil, api.Invalid("values", body.IsInvalid)
		}
		out = append(out, value)
	}
	return out, nil
}

// apply returns the variant with what the body changes, apart from its values and
// stock.
func (b variantIn) apply(tx *world.Tx, v world.Variant, wrong *body.Problems) world.Variant {
	v.AgeGroup, v.Gender = b.AgeGroup.Or(v.AgeGroup), b.Gender.Or(v.Gender)
	if !slices.Contains([]string{"", "newborn", "infant", "toddler", "kids", "adult"}, v.AgeGroup) {
		wrong.Add("age_group", invalidAgeGroup)
	}
	if !slices.Contains([]string{"", "female", "male", "unisex"}, v.Gender) {
		wrong.Add("gender", invalidGender)
	}
	v.Price = amount(wrong, "price", b.Price, v.Price, 2)
	v.PromotionalPrice = amount(wrong, "promotional_price", b.PromotionalPrice, v.PromotionalPrice, 2)
	v.Weight = amount(wrong, "weight", b.Weight, v.Weight, 3)
	v.Width = amount(wrong, "width", b.Width, v.Width, 2)
	v.Height = amount(wrong, "height", b.Height, v.Height, 2)
	v.Depth = amount(wrong, "depth", b.Depth, v.Depth, 2)
	if v.Cost = amount(wrong, "cost", b.Cost, v.Cost, 2); b.Cost.Present && v.Cost.Valid && !v.Cost.Decimal.IsPositive() {
		wrong.Add("cost", "The cost must be greater than 0.")
	}
	if b.ImageID.Present {
		v.ImageID, _ = b.ImageID.Int()
		i, ok := tx.Images.Get(v.ImageID)
		wrong.Select("image_id", b.ImageID.Null() || ok && i.ProductID == v.ProductID)
	}
	v.SKU, v.Barcode, v.MPN = body.TextOr(b.SKU, v.SKU), body.TextOr(b.Barcode, v.Barcode), body.TextOr(b.MPN, v.MPN)
	return v
}

// refuseVariants is the refusal for what is wrong with variants, nil if nothing is.
// The contract states the texts about age group and gender as descriptions.
func refuseVariants(wrong *body.Problems) error {
	for _, field := range []string{"age_group", "gender"} {
		if messages := wrong.Of(field); len(messages) > 0 {
			return api.Validation(wrong.ByField()).With("description", messages[0])
		}
	}
	return wrong.Err()
}

// amount reads a number that is not negative, with the given decimals; null stays null.
func amount(
	wrong *body.Problems, field string, s body.Scalar, now decimal.NullDecimal, places int32,
) decimal.NullDecimal {
	words := strings.ReplaceAll(field, "_", " ")
	return wrong.Amount(field, s, now, places, body.NotNumber(words), body.TooSmall(words, 0))
}

// variantDraft is the variant of a body, not yet kept.
type variantDraft struct {
	variant world.Variant
	stock   stocking
}

// draft is the variant, whose values are settled, with what the body says about the
// rest of it. It is fit to be kept only if nothing was wrong.
func (b variantIn) draft(tx *world.Tx, in *api.In, v world.Variant, wrong *body.Problems) (variantDraft, error) {
	v = b.apply(tx, v, wrong)
	stock, err := b.levels(tx, in, wrong)
	return variantDraft{v, stock}, err
}

// keep stores the variant and its stock and reports whether anything changed.
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

// changeVariant keeps a variant, whose values are settled, with the other members of the body. It reports whether
// anything changed.
func changeVariant(tx *world.Tx, in *api.In, v world.Variant, b variantIn) (bool, error) {
	wrong := &body.Problems{}
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
		return api.Invalid("sku", body.AlreadyTaken)
	}
	return err
}
