package res

import (
	"cmp"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func couponOps() []api.Op {
	read, write := []string{"read_coupons"}, []string{"write_coupons"}
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	return []api.Op{
		{ID: "coupons.list", Method: "GET", Path: "/coupons", Scopes: read,
			Query: api.Recurring("q", "min_start_date", "min_end_date", "max_start_date", "max_end_date", "valid", "status",
				"limitation_type", "term_type", "discount_type", "includes_shipping", "sort_by"),
			Handler: listCoupons},
		{ID: "coupons.get", Method: "GET", Path: "/coupons/{id}", Scopes: read,
			Errors: missing, Handler: api.Record(coupon, showCoupon)},
		{ID: "coupons.create", Method: "POST", Path: "/coupons", Scopes: write, Success: 201,
			Errors: couponErrors(), Handler: createCoupon},
		{ID: "coupons.update", Method: "PUT", Path: "/coupons/{id}", Scopes: write,
			Errors: slices.Concat(missing, couponErrors()), Handler: updateCoupon},
		{ID: "coupons.delete", Method: "DELETE", Path: "/coupons/{id}", Scopes: write, NoBody: true, Errors: missing, Handler: deleteCoupon},
	}
}

type couponJSON struct {
	ID                    int64              `json:"id"`
	Code                  string             `json:"code"`
	Type                  string             `json:"type"`
	Valid                 bool               `json:"valid"`
	StartDate             *string            `json:"start_date"`
	EndDate               *string            `json:"end_date"`
	DeletedAt             *string            `json:"deleted_at"`
	MaxUses               *int64             `json:"max_uses"`
	Used                  *int64             `json:"used"`
	Value                 any                `json:"value"`
	IncludesShipping      bool               `json:"includes_shipping"`
	FirstConsumerPurchase bool               `json:"first_consumer_purchase"`
	MinPrice              *float             `json:"min_price"`
	Categories            []categoryOfCoupon `json:"categories"`
	Products              []any              `json:"products"`
	CombinesWithOthers    bool               `json:"combines_with_other_discounts"`
	OnlyCheapestShipping  bool               `json:"only_cheapest_shipping"`
}

// categoryOfCoupon is a category as coupons have it: parent is 0 at the top.
type categoryOfCoupon struct {
	ID     int64             `json:"id"`
	Name   map[string]string `json:"name"`
	Parent int64             `json:"parent"`
}

func listCoupons(tx *world.Tx, in *api.In) (any, error) {
	if isSearch(in) {
		found := tx.CouponsWith(in.Text("q"))
		return searched(found, &tx.Coupons, func(c world.Coupon) any { return showCoupon(tx, in, c) }), nil
	}
	return api.Collection(findCoupons, showCoupon)(tx, in)
}

func showCoupon(tx *world.Tx, in *api.In, c world.Coupon) any { return couponOnWire(tx, in, c) }

func couponOnWire(tx *world.Tx, in *api.In, c world.Coupon) couponJSON {
	out := couponJSON{
		ID:                    c.ID,
		Code:                  c.Code,
		Type:                  c.Type,
		Valid:                 c.Valid,
		StartDate:             api.TextOrNil(c.StartDate),
		EndDate:               api.TextOrNil(c.EndDate),
		MaxUses:               idOrNull(c.MaxUses),
		Used:                  &c.Used,
		Value:                 fixedOrNull(c.Value, 2),
		IncludesShipping:      c.IncludesShipping,
		FirstConsumerPurchase: c.FirstConsumerPurchase,
		MinPrice:              floatOrNull(c.MinPrice),
		CombinesWithOthers:    c.CombinesWithOthers,
		OnlyCheapestShipping:  c.OnlyCheapestShipping,
	}
	if !c.DeletedAt.IsZero() {
		out.DeletedAt = api.TextOrNil(c.DeletedAt.UTC().Format("2006-01-02")) // a date, as the bounds are
	}
	for _, id := range c.Categories {
		if k, ok := tx.Categories.Get(id); ok {
			out.Categories = append(out.Categories, categoryOfCoupon{ID: k.ID, Name: k.Name, Parent: k.Parent})
		}
	}
	for _, id := range c.Products {
		if p, ok := tx.Products.Get(id); ok {
			out.Products = append(out.Products, showProduct(tx, p))
		}
	}
	return out
}

func findCoupons(tx *world.Tx, in *api.In) ([]world.Coupon, error) {
	var out []world.Coupon
	for _, c := range candidates(tx, in, &tx.Coupons, (*world.Tx).CouponsWith) {
		if in.Selects(c.ID, c.CreatedAt, c.UpdatedAt) && c.DeletedAt.IsZero() && matchesCoupon(in, c) {
			out = append(out, c)
		}
	}
	by := in.Text("sort_by")
	cut := max(strings.LastIndex(by, "-"), 0)
	direction := strings.TrimPrefix(by[cut:], "-")
	switch by[:cut] {
	case "created-at":
		sortBy(out, direction, func(a, b world.Coupon) int { return a.CreatedAt.Compare(b.CreatedAt) })
	case "alpha":
		sortBy(out, direction, func(a, b world.Coupon) int { return cmp.Compare(strings.ToLower(a.Code), strings.ToLower(b.Code)) })
	case "uses":
		sortBy(out, direction, func(a, b world.Coupon) int { return cmp.Compare(a.Used, b.Used) })
	}
	return out, nil
}

func matchesCoupon(in *api.In, c world.Coupon) bool {
	if !withinDays(in, "start_date", c.StartDate) || !withinDays(in, "end_date", c.EndDate) {
		return false
	}
	if valid, ok := in.Bool("valid"); ok && c.Valid != valid {
		return false
	}
	if includes, ok := in.Bool("includes_shipping"); ok && c.IncludesShipping != includes {
		return false
	}
	return matchesTerms(in, c) && (!in.Has("discount_type") || in.Text("discount_type") == c.Type)
}

// matchesTerms applies status, limitation_type and term_type, whose meaning is
// assumed: activated is valid, a limitation is one the coupon has, and a term is
// limited by an end date.
func matchesTerms(in *api.In, c world.Coupon) bool {
	switch in.Text("status") {
	case "activated":
		if !c.Valid {
			return false
		}
	case "deactivated":
		if c.Valid {
			return false
		}
	}
	switch in.Text("limitation_type") {
	case "quantity":
		if c.MaxUses == 0 {
			return false
		}
	case "cart_value":
		if !c.MinPrice.Valid {
			return false
		}
	case "categories":
		if len(c.Categories) == 0 {
			return false
		}
	}
	switch in.Text("term_type") {
	case "limited":
		return c.EndDate != ""
	case "unlimited":
		return c.EndDate == ""
	}
	return true
}

// withinDays applies min_name and max_name to a day; no day is within no window.
func withinDays(in *api.In, name, day string) bool {
	least, hasLeast := in.Time("min_" + name)
	most, hasMost := in.Time("max_" + name)
	if !hasLeast && !hasMost {
		return true
	}
	t, err := api.ParseTime(day)
	return err == nil && (!hasLeast || !t.Before(least)) && (!hasMost || !t.After(most))
}

func coupon(tx *world.Tx, in *api.In) (world.Coupon, error) {
	c, ok := tx.Coupons.Get(in.ID("id"))
	if !ok || !c.DeletedAt.IsZero() {
		return c, api.NotFound("")
	}
	return c, nil
}

// createCoupon answers that the coupon was used null times; from then on it is 0.
func createCoupon(tx *world.Tx, in *api.In) (any, error) {
	var b couponIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	c := world.Coupon{ID: tx.NewID(), Valid: true, CombinesWithOthers: true, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	c, err := b.apply(tx, c)
	if err != nil {
		return nil, err
	}
	if err := tx.Coupons.Put(c.ID, c); err != nil {
		return nil, err
	}
	out := couponOnWire(tx, in, c)
	out.Used = nil
	return out, nil
}

// updateCoupon answers a value that was sent as a number as a number.
func updateCoupon(tx *world.Tx, in *api.In) (any, error) {
	before, err := coupon(tx, in)
	if err != nil {
		return nil, err
	}
	var b couponIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	c, err := b.apply(tx, before)
	if err != nil {
		return nil, err
	}
	if !same(before, c) {
		c.UpdatedAt = tx.Now()
		if err := tx.Coupons.Put(c.ID, c); err != nil {
			return nil, err
		}
	}
	out := couponOnWire(tx, in, c)
	if b.Value.number && c.Value.Valid {
		out.Value = float(c.Value.Decimal)
	}
	return out, nil
}

// deleteCoupon frees the code. The orders that used the coupon still name it.
func deleteCoupon(tx *world.Tx, in *api.In) (any, error) {
	c, err := coupon(tx, in)
	if err != nil {
		return nil, err
	}
	c.DeletedAt, c.UpdatedAt = tx.Now(), tx.Now()
	return api.Empty{}, tx.Coupons.Put(c.ID, c)
}
