package res

import (
	"fmt"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// whyUnusable says why a coupon may not be used for a sale now; empty if it may.
func whyUnusable(tx *world.Tx, s world.Sale, c world.Coupon) string {
	today := tx.Now().UTC().Format("2006-01-02")
	switch {
	case !c.DeletedAt.IsZero():
		return "was deleted"
	case !c.Valid:
		return "is not valid"
	case c.StartDate > today:
		return "begins on " + c.StartDate
	case c.EndDate != "" && c.EndDate < today:
		return "ended on " + c.EndDate
	case c.MaxUses != 0 && c.Used >= c.MaxUses:
		return fmt.Sprintf("may be used %d times and has been", c.MaxUses)
	case c.MinPrice.Valid && s.Subtotal.LessThan(c.MinPrice.Decimal):
		least := money(c.MinPrice.Decimal)
		return fmt.Sprintf("requires a subtotal of %s or more, and this one is %s", least, money(s.Subtotal))
	case c.FirstConsumerPurchase && bought(tx, s.ContactEmail):
		return "is for a first purchase, and " + s.ContactEmail + " has bought before"
	}
	return ""
}

// useCoupons counts the coupons of a sale that is being bought. Where one may not be
// used, or is for none of the products, none is.
func useCoupons(tx *world.Tx, s world.Sale) error {
	for _, id := range s.Coupons {
		c, ok := tx.Coupons.Get(id)
		why := whyUnusable(tx, s, c)
		switch {
		case !ok:
			why = "does not exist"
		case why == "" && !slices.ContainsFunc(s.Lines, func(l world.Line) bool { return applies(tx, c, l) }):
			why = "is for none of the products"
		}
		if why != "" {
			return fmt.Errorf("coupon %q %s", c.Code, why)
		}
		c.Used++
		c.UpdatedAt = tx.Now()
		if err := tx.Coupons.Put(c.ID, c); err != nil {
			return err
		}
	}
	return nil
}
