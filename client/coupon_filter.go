package client

import "github.com/commerceplatform/commerce-go/internal/enum"

// CouponFilter selects coupons. The zero filter selects all.
type CouponFilter struct {
	Paging
	Window
	// Query is text in the code.
	Query string
	// The four days bound the start and the end of the coupon's use, inclusive; zero
	// is no bound.
	MinStartDate, MaxStartDate Date
	MinEndDate, MaxEndDate     Date             // bounds of the last day; the zero Date is none
	Valid                      Opt[bool]        // only those that are switched on, or off
	Status                     CouponStatus     // only those with that status
	Limitation                 CouponLimitation // only those that are limited in that way
	Term                       CouponTerm       // only those that end, or do not
	// Discount is the kind of discount.
	Discount         CouponType
	IncludesShipping Opt[bool] // only those that act on the delivery, or do not
	// Sort is empty for the platform's own order.
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

// CouponStatus says whether a coupon is switched on.
type CouponStatus string

// The values of CouponStatus.
const (
	CouponActivated   CouponStatus = "activated"   // switched on
	CouponDeactivated CouponStatus = "deactivated" // switched off
)

// Known reports whether the contract names the value.
func (s CouponStatus) Known() bool { return enum.Known(s, CouponActivated, CouponDeactivated) }

// CouponLimitation says what limits the use of a coupon.
type CouponLimitation string

// The values of CouponLimitation.
const (
	CouponLimitationQuantity   CouponLimitation = "quantity"   // a number of uses
	CouponLimitationCartValue  CouponLimitation = "cart_value" // a minimum value of the cart
	CouponLimitationCategories CouponLimitation = "categories" // to products of some categories
)

// Known reports whether the contract names the value.
func (l CouponLimitation) Known() bool {
	return enum.Known(l,
		CouponLimitationQuantity, CouponLimitationCartValue, CouponLimitationCategories,
	)
}

// CouponTerm says whether a coupon has days of start and end.
type CouponTerm string

// The values of CouponTerm.
const (
	CouponTermUnlimited CouponTerm = "unlimited" // without a last day
	CouponTermLimited   CouponTerm = "limited"   // with a last day
)

// Known reports whether the contract names the value.
func (t CouponTerm) Known() bool { return enum.Known(t, CouponTermUnlimited, CouponTermLimited) }

// CouponSort is an order of coupons.
type CouponSort string

// The orders of coupons.
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
	return enum.Known(s,
		CouponSortCreatedAscending, CouponSortCreatedDescending, CouponSortAlphaAscending, CouponSortAlphaDescending,
		CouponSortUsesAscending, CouponSortUsesDescending,
	)
}
