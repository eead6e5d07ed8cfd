package client

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Coupon gives a discount to customers who enter its code.
type Coupon struct {
	ID ID `json:"id"`
	// Code is unique in the store and alphanumeric.
	Code string     `json:"code"`
	Type CouponType `json:"type"`
	// Valid is false for a coupon that is disabled.
	Valid bool `json:"valid"`
	// StartDate and EndDate are the first and the last day of the coupon; zero is no bound.
	StartDate Date `json:"start_date"`
	EndDate   Date `json:"end_date"`
	// DeletedAt is zero while the coupon exists.
	DeletedAt Date `json:"deleted_at"`
	// MaxUses is nil if there is no limit.
	MaxUses *Int `json:"max_uses"`
	// Used is the number of uses. It is nil in the response to Create.
	Used *Int `json:"used"`
	// Value is a percentage or an amount, depending on Type; zero for CouponShipping.
	Value            Money `json:"value"`
	IncludesShipping bool  `json:"includes_shipping"` // the discount also applies to the delivery
	// FirstConsumerPurchase limits the coupon to the first purchase of a customer, identified by email and personal id.
	FirstConsumerPurchase bool `json:"first_consumer_purchase"`
	// MinPrice is the minimum value of the cart; nil if there is none.
	MinPrice *Money `json:"min_price"`
	// Categories and Products limit the coupon. At most one of them is filled. Their records are abbreviated, and a
	// top-level category has parent 0 here.
	Categories                 []Category `json:"categories"`
	Products                   []Product  `json:"products"`
	CombinesWithOtherDiscounts bool       `json:"combines_with_other_discounts"` // it can be combined with other discounts
	// OnlyCheapestShipping has an effect only for CouponShipping.
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
	return wire.Known(t, CouponPercentage, CouponAbsolute, CouponShipping)
}

// CouponInput is the body of Create and Update. Update changes the members that are present, and leaves the others
// unchanged.
type CouponInput struct {
	// Code is alphanumeric and unique in the store. Create requires Code and Type.
	Code string     `json:"code,omitzero"`
	Type CouponType `json:"type,omitzero"`
	// Value is required for CouponPercentage and CouponAbsolute. Null removes the value of a CouponShipping.
	Value Opt[Money] `json:"value,omitzero"`
	Valid Opt[bool]  `json:"valid,omitzero"` // false disables it
	// StartDate, EndDate, MaxUses and MinPrice limit the coupon. Null removes the limit.
	StartDate Opt[Date]  `json:"start_date,omitzero"`
	EndDate   Opt[Date]  `json:"end_date,omitzero"`
	MaxUses   Opt[Int]   `json:"max_uses,omitzero"`
	MinPrice  Opt[Money] `json:"min_price,omitzero"`
	// Categories and Products are ids that limit the coupon. At most one of them may be filled. An empty list removes
	// the limit.
	Categories                 Opt[[]ID] `json:"categories,omitzero"`
	Products                   Opt[[]ID] `json:"products,omitzero"`
	IncludesShipping           Opt[bool] `json:"includes_shipping,omitzero"`             // whether the discount also applies to the delivery
	FirstConsumerPurchase      Opt[bool] `json:"first_consumer_purchase,omitzero"`       // only for a customer's first purchase
	CombinesWithOtherDiscounts Opt[bool] `json:"combines_with_other_discounts,omitzero"` // true if unset
	OnlyCheapestShipping       Opt[bool] `json:"only_cheapest_shipping,omitzero"`        // only with CouponShipping: only the cheapest option is free
}

// MarshalJSON writes the minimum price as a number, as the contract requires.
func (in CouponInput) MarshalJSON() ([]byte, error) {
	type rest CouponInput
	return wire.Marshal(struct {
		rest
		MinPrice Opt[bareMoney] `json:"min_price,omitzero"`
	}{rest(in), bare(in.MinPrice)})
}

// Differences returns the wire names of the members of in, such as "min_price", that have other values in c. It returns
// nil if there are none. Members that are absent in in are not compared.
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
		return engine.Invalid("value", "", "set, because percentage and absolute require a value")
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
		return engine.Invalid("categories", categories, "empty if products is set, because a coupon is limited to categories or to products")
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

// Create adds a coupon and returns it. Code and type are required, and also a value unless the type is CouponShipping.
//
//api:endpoint POST /coupons
func (s *CouponService) Create(ctx context.Context, in CouponInput) (*Coupon, error) {
	if err := in.check(true); err != nil {
		return nil, err
	}
	return engine.Send[Coupon](ctx, s, http.MethodPost, "/coupons", in)
}

// CreateOrGet returns the coupon with the code, whatever its other members, or creates it; see
// ProductService.CreateOrGet. The contract does not say whether codes that differ only in case are equal. If the
// platform rejects such a code, the existing coupon is returned. If made is false, in.Differences(c) returns the
// members in which the coupon differs.
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

// Update changes the members that are present in the input.
//
//api:endpoint PUT /coupons/{id}
func (s *CouponService) Update(ctx context.Context, id ID, in CouponInput) (*Coupon, error) {
	if err := in.check(false); err != nil {
		return nil, err
	}
	return engine.Send[Coupon](ctx, s, http.MethodPut, "/coupons/{id}", in, id)
}

// Delete removes a coupon. Its code can then be used again.
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
