package res

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
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
		"code: "+body.CannotBeBlank,
		"code: "+notAlphanumeric,
		"code: "+body.AlreadyTaken,
		"type: "+body.CannotBeBlank,
		"type: "+notInTheList,
		"value: "+body.CannotBeBlank,
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
	body.Scalar
	number bool
}

// UnmarshalJSON never fails.
func (a *amountIn) UnmarshalJSON(b []byte) error {
	a.number = !bytes.HasPrefix(b, []byte(`"`))
	return a.Scalar.UnmarshalJSON(b)
}

// couponIn is the body of a coupon.
type couponIn struct {
	Code                  body.Opt[body.Text]        `json:"code"`
	Type                  body.Opt[string]           `json:"type"`
	Value                 amountIn                   `json:"value"`
	Valid                 body.Opt[bool]             `json:"valid"`
	StartDate             body.Opt[string]           `json:"start_date"`
	EndDate               body.Opt[string]           `json:"end_date"`
	MaxUses               body.Scalar                `json:"max_uses"`
	MinPrice              body.Scalar                `json:"min_price"`
	IncludesShipping      body.Opt[bool]             `json:"includes_shipping"`
	FirstConsumerPurchase body.Opt[bool]             `json:"first_consumer_purchase"`
	Categories            body.Opt[[]body.Reference] `json:"categories"`
	Products              body.Opt[[]body.Reference] `json:"products"`
	CombinesWithOthers    body.Opt[bool]             `json:"combines_with_other_discounts"`
	OnlyCheapestShipping  body.Opt[bool]             `json:"only_cheapest_shipping"`

	// Members of an answer that may be sent back and change nothing.
	Used      json.RawMessage `json:"used"`
	DeletedAt json.RawMessage `json:"deleted_at"`
	body.ReadOnly
}

var alphanumeric = regexp.MustCompile(`^[0-9A-Za-z]+$`)

// apply returns the coupon with what the body changes.
func (b couponIn) apply(tx *world.Tx, c world.Coupon) (world.Coupon, error) {
	wrong := &body.Problems{}
	c.Code, c.Type = string(b.Code.Or(body.Text(c.Code))), b.Type.Or(c.Type)
	switch other, taken := tx.Coupons.Find("code", strings.ToUpper(c.Code)); {
	case c.Code == "":
		wrong.Add("code", body.CannotBeBlank)
	case !alphanumeric.MatchString(c.Code):
		wrong.Add("code", notAlphanumeric)
	case taken && other.ID != c.ID:
		wrong.Add("code", body.AlreadyTaken)
	}
	switch c.Type {
	case couponPercentage, couponAbsolute, couponForShipping:
	case "":
		wrong.Add("type", body.CannotBeBlank)
	default:
		wrong.Add("type", notInTheList)
	}
	c.Value = wrong.Amount("value", b.Value.Scalar, c.Value, 2, notNumeric, atLeastZero)
	if !c.Value.Valid && (c.Type == couponPercentage || c.Type == couponAbsolute) && len(wrong.Of("value")) == 0 {
		wrong.Add("value", body.CannotBeBlank)
	}
	c.MinPrice = wrong.Amount("min_price", b.MinPrice, c.MinPrice, 2, notNumeric, atLeastZero)
	c.MaxUses = couponUses(wrong, "max_uses", b.MaxUses, c.MaxUses)
	c.StartDate, c.EndDate = couponDay(wrong, "start_date", b.StartDate, c.StartDate), couponDay(wrong, "end_date",
		b.EndDate, c.EndDate)
	c.Categories = couponFor(wrong, "categories", b.Categories, c.Categories, tx.Categories.Has)
	c.Products = couponFor(wrong, "products", b.Products, c.Products, tx.Products.Has)
	limited := slices.ContainsFunc(c.Categories, tx.Categories.Has)
	switch other := slices.ContainsFunc(c.Products, tx.Products.Has); {
	case limited && other:
		wrong.Add("categories", categoriesOrElse)
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
	return c, wrong.Fields()
}

// couponUses reads a positive integer; 0 means null.
func couponUses(wrong *body.Problems, field string, s body.Scalar, now int64) int64 {
	if !s.Present {
		return now
	}
	if s.Null() {
		return 0
	}
	n, ok := s.Int()
	switch {
	case !ok:
		wrong.Add(field, notNumeric)
	case n <= 0:
		wrong.Add(field, greaterThanZero)
	}
	return n
}

// couponDay reads a date; a time of day is cut off. An empty text means null.
func couponDay(wrong *body.Problems, field string, o body.Opt[string], now string) string {
	if !o.Present || o.Value == "" {
		return o.Or(now)
	}
	t, err := api.ParseTime(o.Value)
	if err != nil {
		wrong.Add(field, notADay)
	}
	return t.Format("2006-01-02")
}

// couponFor reads the ids of records that exist; none means null. A coupon whose records were all deleted is not for
// everything, even when the null that an answer has for them is sent back.
func couponFor(wrong *body.Problems, field string, o body.Opt[[]body.Reference], now []int64,
	has func(int64) bool) []int64 {
	if !o.Present || o.Null && !slices.ContainsFunc(now, has) {
		return now
	}
	var out []int64
	for _, r := range o.Value {
		if !has(int64(r)) {
			wrong.Add(field, doesNotExist)
			return now
		}
		out = append(out, int64(r))
	}
	return out
}
