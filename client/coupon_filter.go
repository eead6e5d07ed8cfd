package client

import "github.com/commerceplatform/commerce-go/internal/wire"

// CouponFilter selects coupons. The zero filter selects all.
type CouponFilter struct {
	Paging
	Window
	// Query is text to find in the code.
	Query string
	// MinStartDate, MaxStartDate, MinEndDate and MaxEndDate bound the start and the end of the coupon's validity,
	// inclusive; zero is no bound.
	MinStartDate, MaxStartDate Date
	MinEndDate, MaxEndDate     Date             // bounds of the last day
	Valid                      Opt[bool]        // selects coupons that are enabled, or disabled
	Status                     CouponStatus     // selects coupons with this status
	Limitation                 CouponLimitation // selects coupons with this limitation
	Term                       CouponTerm       // selects coupons with or without a last day
	// Discount is the kind of discount.
	Discount         CouponType
	IncludesShipping Opt[bool] // selects coupons that apply to the delivery, or do not
	// Sort is empty for the platform's default order.
	Sort CouponSort
}

func (f CouponFilter) query() *query {
	return newQuery().paging(f.Paging).window(f.Window).text("q", f.Query).
		text("min_start_date", f.MinStartDate.String()).text("max_start_date", f.MaxStartDate.String()).
		text("min_end_date", f.MinEndDate.String()).text("max_end_date", f.MaxEndDate.String()).
		flag("valid", f.Valid).text("status", string(f.Status)).
		text("limitation_type", string(f.Limitation)).text("term_type", string(f.Term)).
		text("discount_type", string(f.Discount)).flag("includes_shipping", f.IncludesShipping).
		text("sort_by", string(f.Sort))
}

// CouponStatus is whether a coupon is enabled.
type CouponStatus string

// The values of CouponStatus.
const (
	CouponActivated   CouponStatus = "activated"   // enabled
	CouponDeactivated CouponStatus = "deactivated" // disabled
)

// Known reports whether the contract names the value.
func (s CouponStatus) Known() bool { return wire.Known(s, CouponActivated, CouponDeactivated) }

// CouponLimitation is a limit of the use of a coupon.
type CouponLimitation string

// The values of CouponLimitation.
const (
	CouponLimitationQuantity   CouponLimitation = "quantity"   // a number of uses
	CouponLimitationCartValue  CouponLimitation = "cart_value" // a minimum value of the cart
	CouponLimitationCategories CouponLimitation = "categories" // products of some categories
)

// Known reports whether the contract names the value.
func (l CouponLimitation) Known() bool {
	return wire.Known(l,
		CouponLimitationQuantity, CouponLimitationCartValue, CouponLimitationCategories,
	)
}

// CouponTerm is whether a coupon has a last day.
type CouponTerm string

// The values of CouponTerm.
const (
	CouponTermUnlimited CouponTerm = "unlimited" // without a last day
	CouponTermLimited   CouponTerm = "limited"   // with a last day
)

// Known reports whether the contract names the value.
func (t CouponTerm) Known() bool { return wire.Known(t, CouponTermUnlimited, CouponTermLimited) }

// CouponSort is an order of a list of coupons.
type CouponSort string

// The values of CouponSort.
const (
	CouponSortCreatedAscending  CouponSort = "created-at-ascending"  // the oldest first
	CouponSortCreatedDescending CouponSort = "created-at-descending" // the newest first
	CouponSortAlphaAscending    CouponSort = "alpha-ascending"       // by code, from A
	CouponSortAlphaDescending   CouponSort = "alpha-descending"      // by code, from Z
	CouponSortUsesAscending     CouponSort = "uses-ascending"        // the least used first
	CouponSortUsesDescending    CouponSort = "uses-descending"       // the most used first
)

// Known reports whether the contract names the value.
func (s CouponSort) Known() bool {
	return wire.Known(s,
		CouponSortCreatedAscending, CouponSortCreatedDescending, CouponSortAlphaAscending, CouponSortAlphaDescending,
		CouponSortUsesAscending, CouponSortUsesDescending,
	)
}
