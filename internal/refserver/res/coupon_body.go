package res

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/scalar"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Texts about coupons. The contract has the rules and no words, so all of them are
// assumed.
const (
	notAlphanumeric   = "must be alphanumeric"
	notInTheList      = "is not included in the list"
	notNumeric        = "is not a number"
	atLeastZero       = "must be greater than or equal to 0"
	greaterThanZero   = "must be greater than 0"
	notADay           = "is not a valid date"
	categoriesOrElse  = "cannot be combined with products"
	doesNotExist      = "does not exist"
	couponPercentage  = "percentage"
	couponAbsolute    = "absolute"
	couponForShipping = "shipping"
)

func couponErrors() []api.ErrCase {
	return unprocessable(
		"code: "+cannotBeBlank,
		"code: "+notAlphanumeric,
		"code: "+alreadyTaken,
		"type: "+cannotBeBlank,
		"type: "+notInTheList,
		"value: "+cannotBeBlank,
		"value: "+notNumeric,
		"value: "+atLeastZero,
		"min_price: "+notNumeric,
		"min_price: "+atLeastZero,
		"max_uses: "+notNumeric,
		"max_uses: "+greaterThanZero,
		"start_date: "+notADay,
		"end_date: "+notADay,
		"categories: "+categoriesOrElse,
		"categories: "+doesNotExist,
		"products: "+doesNotExist,
	)
}

// amountIn is a number that knows how it was written.
type amountIn struct {
	scalar.Value
	number bool
}

// UnmarshalJSON never fails.
func (a *amountIn) UnmarshalJSON(b []byte) error {
	a.number = !bytes.HasPrefix(b, []byte(`"`))
	return a.Value.UnmarshalJSON(b)
}

// couponIn is the body of a coupon.
type couponIn struct {
	Code                  api.Opt[loose]       `json:"code"`
	Type                  api.Opt[string]      `json:"type"`
	Value                 amountIn             `json:"value"`
	Valid                 api.Opt[bool]        `json:"valid"`
	StartDate             api.Opt[string]      `json:"start_date"`
	EndDate               api.Opt[string]      `json:"end_date"`
	MaxUses               scalar.Value         `json:"max_uses"`
	MinPrice              scalar.Value         `json:"min_price"`
	IncludesShipping      api.Opt[bool]        `json:"includes_shipping"`
	FirstConsumerPurchase api.Opt[bool]        `json:"first_consumer_purchase"`
	Categories            api.Opt[[]reference] `json:"categories"`
	Products              api.Opt[[]reference] `json:"products"`
	CombinesWithOthers    api.Opt[bool]        `json:"combines_with_other_discounts"`
	OnlyCheapestShipping  api.Opt[bool]        `json:"only_cheapest_shipping"`

	// Members of an answer that may be sent back and change nothing.
	Used      json.RawMessage `json:"used"`
	DeletedAt json.RawMessage `json:"deleted_at"`
	readOnly
}

var alphanumeric = regexp.MustCompile(`^[0-9A-Za-z]+$`)

// apply returns the coupon with what the body changes.
func (b couponIn) apply(tx *world.Tx, c world.Coupon) (world.Coupon, error) {
	wrong := faults{}
	c.Code, c.Type = string(b.Code.Or(loose(c.Code))), b.Type.Or(c.Type)
	switch other, taken := tx.Coupons.Find("code", strings.ToUpper(c.Code)); {
	case c.Code == "":
		wrong.add("code", cannotBeBlank)
	case !alphanumeric.MatchString(c.Code):
		wrong.add("code", notAlphanumeric)
	case taken && other.ID != c.ID:
		wrong.add("code", alreadyTaken)
	}
	switch c.Type {
	case couponPercentage, couponAbsolute, couponForShipping:
	case "":
		wrong.add("type", cannotBeBlank)
	default:
		wrong.add("type", notInTheList)
	}
	c.Value = wrong.amount("value", b.Value.Value, c.Value)
	if !c.Value.Valid && (c.Type == couponPercentage || c.Type == couponAbsolute) && len(wrong["value"]) == 0 {
		wrong.add("value", cannotBeBlank)
	}
	c.MinPrice = wrong.amount("min_price", b.MinPrice, c.MinPrice)
	c.MaxUses = wrong.count("max_uses", b.MaxUses, c.MaxUses)
	c.StartDate, c.EndDate = wrong.day("start_date", b.StartDate, c.StartDate), wrong.day("end_date", b.EndDate, c.EndDate)
	c.Categories = wrong.references("categories", b.Categories, c.Categories, tx.Categories.Has)
	c.Products = wrong.references("products", b.Products, c.Products, tx.Products.Has)
	limited := slices.ContainsFunc(c.Categories, tx.Categories.Has)
	switch other := slices.ContainsFunc(c.Products, tx.Products.Has); {
	case limited && other:
		wrong.add("categories", categoriesOrElse)
	case other:
		c.Categories = nil
	case limited:
		c.Products = nil
	}
	c.Valid = b.Valid.SetOr(c.Valid)
	c.IncludesShipping = b.IncludesShipping.SetOr(c.IncludesShipping)
	c.FirstConsumerPurchase = b.FirstConsumerPurchase.SetOr(c.FirstConsumerPurchase)
	c.CombinesWithOthers = b.CombinesWithOthers.SetOr(c.CombinesWithOthers)
	// Effective only for type shipping, ignored otherwise.
	c.OnlyCheapestShipping = c.Type == couponForShipping && b.OnlyCheapestShipping.SetOr(c.OnlyCheapestShipping)
	return c, wrong.err()
}

// faults collects what is wrong with the fields of a body whose answer has no code,
// because one of the fields is called so.
type faults map[string][]string

func (f faults) add(field, text string) { f[field] = append(f[field], text) }

// err is nil if nothing is wrong.
func (f faults) err() error {
	var out *api.Error
	for field, texts := range f {
		if out == nil {
			out = api.Invalid(field, texts...)
		}
		out = out.With(field, texts)
	}
	if out == nil {
		return nil
	}
	return out
}

// amount reads a decimal that is not negative, or null.
func (f faults) amount(field string, s scalar.Value, now decimal.NullDecimal) decimal.NullDecimal {
	if !s.Present {
		return now
	}
	if s.Null() {
		return decimal.NullDecimal{}
	}
	d, ok := s.Decimal()
	switch {
	case !ok:
		f.add(field, notNumeric)
	case d.IsNegative():
		f.add(field, atLeastZero)
	default:
		return fixed(d, 2)
	}
	return now
}

// count reads a positive integer; 0 stands for null.
func (f faults) count(field string, s scalar.Value, now int64) int64 {
	if !s.Present {
		return now
	}
	if s.Null() {
		return 0
	}
	n, ok := s.Int()
	switch {
	case !ok:
		f.add(field, notNumeric)
	case n <= 0:
		f.add(field, greaterThanZero)
	}
	return n
}

// day reads a date; a time of day is cut off. An empty text stands for null.
func (f faults) day(field string, o api.Opt[string], now string) string {
	if !o.Present || o.Value == "" {
		return o.Or(now)
	}
	t, err := api.ParseTime(o.Value)
	if err != nil {
		f.add(field, notADay)
	}
	return t.Format("2006-01-02")
}

// references reads the ids of records that exist; none stands for null. Those that
// were deleted since keep the coupon from being for everything, also when the null that
// an answer has for them is sent back.
func (f faults) references(field string, o api.Opt[[]reference], now []int64, has func(int64) bool) []int64 {
	if !o.Present || o.Null && !slices.ContainsFunc(now, has) {
		return now
	}
	var out []int64
	for _, r := range o.Value {
		if !has(int64(r)) {
			f.add(field, doesNotExist)
			return now
		}
		out = append(out, int64(r))
	}
	return out
}
