package client

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Coupon gives a discount to those who enter its code.
type Coupon struct {
	ID ID `json:"id"`
	// Code is unique in the store and alphanumeric.
	Code string     `json:"code"`
	Type CouponType `json:"type"`
	// Valid is false for a coupon that is switched off.
	Valid bool `json:"valid"`
	// StartDate and EndDate bound the use of the coupon; zero is no bound.
	StartDate Date `json:"start_date"`
	EndDate   Date `json:"end_date"`
	// DeletedAt is zero while the coupon exists.
	DeletedAt Date `json:"deleted_at"`
	// MaxUses is nil if there is no limit.
	MaxUses *Int `json:"max_uses"`
	// Used counts the uses. It is nil in the answer to Create.
	Used *Int `json:"used"`
	// Value is a percentage or an amount, by Type; zero for CouponShipping.
	Value            Money `json:"value"`
	IncludesShipping bool  `json:"includes_shipping"` // it also takes something off the delivery
	// FirstConsumerPurchase: the coupon is for a consumer's first purchase only, by
	// email and personal id.
	FirstConsumerPurchase bool `json:"first_consumer_purchase"`
	// MinPrice is the minimum value of the cart; nil if there is none.
	MinPrice *Money `json:"min_price"`
	// Categories and Products, of which only one is filled, are what the coupon is
	// limited to. They are abbreviated; a category at the top has parent 0 here.
	Categories                 []Category `json:"categories"`
	Products                   []Product  `json:"products"`
	CombinesWithOtherDiscounts bool       `json:"combines_with_other_discounts"` // it may act beside other discounts
	// OnlyCheapestShipping has an effect for CouponShipping only.
	OnlyCheapestShipping bool  `json:"only_cheapest_shipping"`
	CreatedAt            Time  `json:"created_at,omitzero"`
	UpdatedAt            Time  `json:"updated_at,omitzero"`
	Extra                Extra `json:",embed"`
}

// CouponType is the kind of discount of a coupon.
type CouponType string

// The values of CouponType.
const (
	CouponPercentage CouponType = "percentage" // Value is in percent
	CouponAbsolute   CouponType = "absolute"   // Value is an amount in the store's currency
	// CouponShipping removes the cost of shipping.
	CouponShipping CouponType = "shipping"
)

// Known reports whether the contract names the value.
func (t CouponType) Known() bool {
	return enum.Known(t, CouponPercentage, CouponAbsolute, CouponShipping)
}

// CouponInput is the body of Create and Update. Update changes what is present
// and keeps the rest.
type CouponInput struct {
	// Code is alphanumeric and unique in the store. Create requires Code and Type.
	Code string     `json:"code,omitzero"`
	Type CouponType `json:"type,omitzero"`
	// Value is required with CouponPercentage and CouponAbsolute; Null removes that of
	// a CouponShipping.
	Value Opt[Money] `json:"value,omitzero"`
	Valid Opt[bool]  `json:"valid,omitzero"` // false switches it off
	// StartDate, EndDate, MaxUses and MinPrice: Null removes the bound.
	StartDate Opt[Date]  `json:"start_date,omitzero"`
	EndDate   Opt[Date]  `json:"end_date,omitzero"`
	MaxUses   Opt[Int]   `json:"max_uses,omitzero"`
	MinPrice  Opt[Money] `json:"min_price,omitzero"`
	// Categories or Products, not both, limit the coupon. They are ids; set to an
	// empty list they remove the limit.
	Categories                 Opt[[]ID] `json:"categories,omitzero"`
	Products                   Opt[[]ID] `json:"products,omitzero"`
	IncludesShipping           Opt[bool] `json:"includes_shipping,omitzero"`             // whether it also takes something off the delivery
	FirstConsumerPurchase      Opt[bool] `json:"first_consumer_purchase,omitzero"`       // only for a consumer's first purchase
	CombinesWithOtherDiscounts Opt[bool] `json:"combines_with_other_discounts,omitzero"` // true if left out
	OnlyCheapestShipping       Opt[bool] `json:"only_cheapest_shipping,omitzero"`        // only with CouponShipping: the cheapest option alone is free
}

// MarshalJSON writes the minimum price as a number, which is what the contract
// calls it.
func (in CouponInput) MarshalJSON() ([]byte, error) {
	type rest CouponInput
	return wire.Marshal(struct {
		rest
		MinPrice Opt[bareMoney] `json:"min_price,omitzero"`
	}{rest(in), Opt[bareMoney]{bareMoney(in.MinPrice.value), in.MinPrice.state}})
}

// Differences names the members of in that c has other values for, as they are called on the wire ("min_price"); nil if
// it has all of them. Members that are absent in in are not compared.
func (in CouponInput) Differences(c *Coupon) []string {
	if in.Value.IsNull() && c.Value.Equal(Money{}) {
		in.Value = Opt[Money]{} // a coupon without a value is read as 0.00
	}
	return wire.Differences(in, c)
}

func (in CouponInput) check(creating bool) error {
	if (creating || in.Code != "") && !alphanumeric(in.Code) {
		return engine.Invalid("code", in.Code, "letters and digits only")
	}
	if (creating || in.Type != "") && !in.Type.Known() {
		return engine.Invalid("type", in.Type, "percentage, absolute or shipping")
	}
	return cmp.Or(in.checkValue(creating), in.checkBounds(), in.checkLimit())
}

func (in CouponInput) checkValue(creating bool) error {
	value, ok := in.Value.Get()
	switch {
	case !ok && (creating || in.Value.IsNull()) && (in.Type == CouponPercentage || in.Type == CouponAbsolute):
		return engine.Invalid("value", "", "a value: it is mandatory for percentage and absolute")
	case value.Cmp(Money{}) < 0:
		return engine.Invalid("value", value, "0 or more")
	}
	return nil
}

func (in CouponInput) checkBounds() error {
	if n, ok := in.MaxUses.Get(); ok && n < 0 {
		return engine.Invalid("max_uses", n, "0 or more, or null")
	}
	if p := in.MinPrice.Or(Money{}); p.Cmp(Money{}) < 0 {
		return engine.Invalid("min_price", p, "0 or more, or null")
	}
	start, end := in.StartDate.Or(Date{}), in.EndDate.Or(Date{})
	if !start.IsZero() && !end.IsZero() && end.Before(start) {
		return engine.Invalid("end_date", end, "a day that is not before start_date "+start.String())
	}
	return nil
}

func (in CouponInput) checkLimit() error {
	categories, products := in.Categories.Or(nil), in.Products.Or(nil)
	if len(categories) > 0 && len(products) > 0 {
		return engine.Invalid("categories", categories, "no products beside them: a coupon is limited to one or the other")
	}
	for name, ids := range map[string][]ID{"categories": categories, "products": products} {
		for i, id := range ids {
			if id <= 0 {
				return engine.Invalid(fmt.Sprintf("%s[%d]", name, i), id, "an id")
			}
		}
	}
	return nil
}

// CouponService reads coupons with the scope read_coupons and writes them with
// write_coupons. All versions have it.
type CouponService engine.Service

// List selects coupons.
//
//api:endpoint GET /coupons
func (s *CouponService) List(f CouponFilter) List[Coupon] {
	return listOf[Coupon](s, f.query(), engine.ListSpec{Path: "/coupons"})
}

// Get returns a coupon.
//
//api:endpoint GET /coupons/{id}
func (s *CouponService) Get(ctx context.Context, id ID) (*Coupon, error) {
	return engine.Get[Coupon](ctx, s, "/coupons/{id}", nil, id)
}

// Create adds a coupon and returns it. Code and type are required, and a value unless the type
// is CouponShipping.
//
//api:endpoint POST /coupons
func (s *CouponService) Create(ctx context.Context, in CouponInput) (*Coupon, error) {
	if err := in.check(true); err != nil {
		return nil, err
	}
	return engine.Send[Coupon](ctx, s, http.MethodPost, "/coupons", in)
}

// CreateOrGet returns the coupon with the code, whatever its other members, or
// else creates it; see ProductService.CreateOrGet. The contract does not say whether
// codes that differ in case are the same: where the platform refuses one for the
// other, that other coupon is returned. Where made is false, in.Differences(c) names the
// members in which the coupon is another one.
func (s *CouponService) CreateOrGet(ctx context.Context, in CouponInput) (c *Coupon, made bool, err error) {
	if err := in.check(true); err != nil {
		return nil, false, err
	}
	search := func(same func(code, other string) bool) func(context.Context) (*Coupon, error) {
		return first(s.List(CouponFilter{Query: in.Code}), func(c *Coupon) bool { return same(c.Code, in.Code) && c.DeletedAt.IsZero() })
	}
	return creation[Coupon]{
		find:   search(func(code, other string) bool { return code == other }),
		taken:  search(strings.EqualFold),
		create: func(ctx context.Context) (*Coupon, error) { return s.Create(ctx, in) },
	}.run(ctx)
}

// Update changes the members that are present in in.
//
//api:endpoint PUT /coupons/{id}
func (s *CouponService) Update(ctx context.Context, id ID, in CouponInput) (*Coupon, error) {
	if err := in.check(false); err != nil {
		return nil, err
	}
	return engine.Send[Coupon](ctx, s, http.MethodPut, "/coupons/{id}", in, id)
}

// Delete removes a coupon, whose code may then be used for another one.
//
//api:endpoint DELETE /coupons/{id}
func (s *CouponService) Delete(ctx context.Context, id ID) error {
	return engine.Delete(ctx, s, "/coupons/{id}", id)
}

// alphanumeric reports whether s is one or more ASCII letters and digits.
func alphanumeric(s string) bool {
	for _, r := range s {
		if (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return s != ""
}
