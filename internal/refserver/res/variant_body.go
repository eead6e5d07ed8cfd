package res

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/table"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Texts of the contract about variants; skuTaken and noSuchImage are assumed.
const (
	variantsRepeated = "Variants cannot be repeated"
	invalidAgeGroup  = "The selected age group is invalid"
	invalidGender    = "The selected gender is invalid"
	skuTaken         = "has already been taken"
	noSuchImage      = "The selected image id is invalid."
)

// variantErrors are the refusals of whatever writes variants.
func variantErrors() []api.ErrCase {
	return append([]api.ErrCase{
		{Status: 422, Text: invalidAgeGroup},
		{Status: 422, Text: invalidGender},
		{Status: 422, Text: "price: The price must be a number."},
		{Status: 422, Text: "price: The price must be at least 0."},
		{Status: 422, Text: "promotional_price: The promotional price must be at least 0."},
		{Status: 422, Text: "cost: The cost must be greater than 0."},
		{Status: 422, Text: "weight: The weight must be at least 0."},
		{Status: 422, Text: "image_id: " + noSuchImage},
		{Status: 422, Text: "sku: " + skuTaken},
	}, stockErrors()...)
}

// variantIn is the body of a variant.
type variantIn struct {
	ID               scalar                     `json:"id"`
	ImageID          scalar                     `json:"image_id"`
	Price            scalar                     `json:"price"`
	PromotionalPrice scalar                     `json:"promotional_price"`
	Cost             scalar                     `json:"cost"`
	Weight           scalar                     `json:"weight"`
	Width            scalar                     `json:"width"`
	Height           scalar                     `json:"height"`
	Depth            scalar                     `json:"depth"`
	SKU              api.Opt[loose]             `json:"sku"`
	Barcode          api.Opt[loose]             `json:"barcode"`
	MPN              api.Opt[loose]             `json:"mpn"`
	AgeGroup         scalar                     `json:"age_group"`
	Gender           scalar                     `json:"gender"`
	Values           api.Opt[json.RawMessage]   `json:"values"`
	Stock            scalar                     `json:"stock"`
	InventoryLevels  api.Opt[[]json.RawMessage] `json:"inventory_levels"`

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
func (b variantIn) apply(tx *world.Tx, v world.Variant) (world.Variant, error) {
	v.AgeGroup, v.Gender = b.AgeGroup.or(v.AgeGroup), b.Gender.or(v.Gender)
	if !slices.Contains([]string{"", "newborn", "infant", "toddler", "kids", "adult"}, v.AgeGroup) {
		return v, stated("age_group", invalidAgeGroup)
	}
	if !slices.Contains([]string{"", "female", "male", "unisex"}, v.Gender) {
		return v, stated("gender", invalidGender)
	}
	wrong := problems{}
	v.Price = amount(wrong, "price", b.Price, v.Price, 2)
	v.PromotionalPrice = amount(wrong, "promotional_price", b.PromotionalPrice, v.PromotionalPrice, 2)
	v.Weight = amount(wrong, "weight", b.Weight, v.Weight, 3)
	v.Width = amount(wrong, "width", b.Width, v.Width, 2)
	v.Height = amount(wrong, "height", b.Height, v.Height, 2)
	v.Depth = amount(wrong, "depth", b.Depth, v.Depth, 2)
	if v.Cost = amount(wrong, "cost", b.Cost, v.Cost, 2); b.Cost.present && v.Cost.Valid && !v.Cost.Decimal.IsPositive() {
		wrong.add("cost", "The cost must be greater than 0.")
	}
	if b.ImageID.present {
		v.ImageID, _ = b.ImageID.int()
		if i, ok := tx.Images.Get(v.ImageID); !b.ImageID.null() && (!ok || i.ProductID != v.ProductID) {
			wrong.add("image_id", noSuchImage)
		}
	}
	v.SKU, v.Barcode, v.MPN = looseOr(b.SKU, v.SKU), looseOr(b.Barcode, v.Barcode), looseOr(b.MPN, v.MPN)
	return v, wrong.err()
}

// amount reads a number that is not negative, with so many decimals; null stays null.
func amount(wrong problems, field string, s scalar, now decimal.NullDecimal, places int32) decimal.NullDecimal {
	if !s.present {
		return now
	}
	if s.null() {
		return decimal.NullDecimal{}
	}
	words := strings.ReplaceAll(field, "_", " ")
	d, ok := s.decimal()
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

// putVariant keeps a variant, whose values are settled, with what the body says
// about the rest of it.
func putVariant(tx *world.Tx, in *api.In, v world.Variant, b variantIn) error {
	_, err := changeVariant(tx, in, v, b)
	return err
}

// changeVariant is putVariant and tells whether anything changed.
func changeVariant(tx *world.Tx, in *api.In, v world.Variant, b variantIn) (bool, error) {
	before, _ := tx.Variants.Get(v.ID)
	v, err := b.apply(tx, v)
	if err != nil {
		return false, err
	}
	levels, err := b.levels(tx, in)
	if err != nil {
		return false, err
	}
	moved, err := setLevels(tx, v.ID, levels)
	if err != nil {
		return false, err
	}
	if !moved && same(before, v) {
		return false, nil
	}
	v.UpdatedAt = tx.Now()
	return true, keepVariant(tx, v)
}

// keepVariant stores the variant; another one with its SKU is a refusal.
func keepVariant(tx *world.Tx, v world.Variant) error {
	err := tx.Variants.Put(v.ID, v)
	if _, taken := errors.AsType[*table.Conflict](err); taken {
		return api.Invalid("sku", skuTaken)
	}
	return err
}

// combinations are the values of variants seen so far. Two combinations are the
// same if they read the same in some language.
type combinations map[string]int64

// add notes the values of a variant. It reports false if they are there already.
func (c *combinations) add(v world.Variant) bool {
	if *c == nil {
		*c = combinations{}
	}
	keys := combinationKeys(v.Values)
	for _, k := range keys {
		if _, seen := (*c)[k]; seen {
			return false
		}
	}
	for _, k := range keys {
		(*c)[k] = v.ID
	}
	return true
}

// find returns the id of the variant with the values, 0 if there is none.
func (c combinations) find(values []map[string]string) int64 {
	for _, k := range combinationKeys(values) {
		if id := c[k]; id != 0 {
			return id
		}
	}
	return 0
}

// combinationKeys are the values as one text, once for each language that all of
// them have.
func combinationKeys(values []map[string]string) []string {
	if len(values) == 0 {
		return []string{""}
	}
	var keys []string
	for language := range values[0] {
		var b strings.Builder
		b.WriteString(language)
		complete := true
		for _, v := range values {
			text, ok := v[language]
			complete = complete && ok
			b.WriteString("\x00" + text)
		}
		if complete {
			keys = append(keys, b.String())
		}
	}
	if keys == nil { // no language has all of them
		keys = []string{fmt.Sprint(values)}
	}
	return keys
}
