package shop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Customer is who begins a cart. The zero value is somebody unknown.
type Customer struct {
	// ID is 0 for one who has not logged in.
	ID int64
	// Language is empty for the main one of the store.
	Language string
	// SoldBy is the seller staff user who started the sale, empty for none.
	SoldBy string
	UTM    []world.UTM
}

// Destination is where a cart goes. Empty texts are null.
type Destination struct {
	Country, City, Zipcode string
	// Cost is what shipping costs the customer.
	Cost decimal.Decimal
}

// Payment is how a cart is paid. Empty texts are null.
type Payment struct {
	Method            string
	CreditCardCompany string
	// Installments is 0 for a single payment.
	Installments int
}

// NewCart makes an empty cart. No app is asked about it.
func (s *Storefront) NewCart(by Customer) (View, error) {
	var out View
	err := s.world.Update(0, s.store, func(tx *world.Tx) error {
		if _, ok := tx.Customers.Get(by.ID); !ok && by.ID != 0 {
			return fmt.Errorf("shop: there is no customer %d", by.ID)
		}
		if by.Language == "" {
			by.Language = tx.Store().MainLanguage
		}
		c := cart{
			world.Cart{ID: tx.NewID(), Token: tx.NewHex(20), Currency: tx.Store().MainCurrency, Language: by.Language, CreatedAt: tx.Now()},
			world.Visit{CustomerID: by.ID, SoldBy: by.SoldBy, UTM: slices.Clone(by.UTM)},
		}
		c.CartID = c.ID
		if err := c.keep(tx); err != nil {
			return err
		}
		out = view(tx, c)
		return nil
	})
	return out, err
}

// Drop removes a cart without lines. The platform keeps all others.
func (s *Storefront) Drop(id int64) error {
	defer s.lock(id)()
	return s.world.Update(0, s.store, func(tx *world.Tx) error {
		c, err := load(tx, id)
		if err == nil && len(c.Lines) > 0 {
			err = fmt.Errorf("shop: cart %d: must have no lines", id)
		}
		if err != nil {
			return err
		}
		tx.Carts.Delete(id)
		tx.Visits.Delete(id)
		return nil
	})
}

// View returns a cart, or an abandoned checkout, as it is.
func (s *Storefront) View(id int64) (View, error) {
	var out View
	err := s.world.View(0, s.store, func(tx *world.Tx) error {
		b, err := find(tx, id)
		if err != nil {
			return err
		}
		out = view(tx, b.cart)
		return nil
	})
	return out, err
}

// change makes a change, asks the apps about it and returns the cart as it is then.
// The cart stays changed if ctx ends while an app is being asked.
func (s *Storefront) change(ctx context.Context, id int64, act func(tx *world.Tx, c *cart) error) (View, error) {
	defer s.lock(id)()
	changed := false
	err := s.world.Update(0, s.store, func(tx *world.Tx) error {
		before, err := load(tx, id)
		if err != nil {
			return err
		}
		c := before
		c.Lines, c.Coupons = slices.Clone(c.Lines), slices.Clone(c.Coupons)
		if err := act(tx, &c); err != nil {
			return err
		}
		c.prune()
		c.Lines = res.TablePrices(tx, c.Visit, c.Lines)
		if changed = !c.same(before); !changed {
			return nil
		}
		return c.keep(tx)
	})
	if err != nil {
		return View{}, err
	}
	if changed {
		if err := s.ask(ctx, id); err != nil {
			return View{}, err
		}
	}
	return s.View(id)
}

// Replay sends a cart as it is to the apps once more, for example after a change of their code.
func (s *Storefront) Replay(ctx context.Context, id int64) (View, error) {
	defer s.lock(id)()
	if _, err := s.View(id); err != nil {
		return View{}, err
	}
	if err := s.ask(ctx, id); err != nil {
		return View{}, err
	}
	return s.View(id)
}

// ApplyCoupon applies the coupon with the code, in any case of letters. A cart has one.
func (s *Storefront) ApplyCoupon(ctx context.Context, id int64, code string) (View, error) {
	return s.change(ctx, id, func(tx *world.Tx, c *cart) error {
		k, ok := tx.Coupons.Find("code", strings.ToUpper(code))
		switch {
		case !ok || !k.Valid:
			return fmt.Errorf("shop: coupon %q is not valid", code)
		case slices.Contains(c.Coupons, k.ID):
			return nil
		case len(c.Coupons) > 0:
			return fmt.Errorf("shop: coupon %q: cart %d already has a coupon", code, c.ID)
		}
		c.Coupons = append(c.Coupons, k.ID)
		return nil
	})
}

// RemoveCoupon takes the coupon with the code off.
func (s *Storefront) RemoveCoupon(ctx context.Context, id int64, code string) (View, error) {
	return s.change(ctx, id, func(tx *world.Tx, c *cart) error {
		before := len(c.Coupons)
		c.Coupons = slices.DeleteFunc(c.Coupons, func(id int64) bool {
			k, _ := tx.Coupons.Get(id)
			return strings.EqualFold(k.Code, code)
		})
		if len(c.Coupons) == before {
			return fmt.Errorf("shop: cart %d has no coupon %q", c.ID, code)
		}
		return nil
	})
}

// SetDestination says where the cart goes and what shipping costs.
func (s *Storefront) SetDestination(ctx context.Context, id int64, to Destination) (View, error) {
	return s.change(ctx, id, func(_ *world.Tx, c *cart) error {
		if to.Cost.IsNegative() || !to.Cost.Equal(to.Cost.Round(2)) {
			return fmt.Errorf("shop: cost of shipping %s: must be an amount with two decimals, 0 or more", to.Cost)
		}
		c.Country, c.City, c.Zipcode = to.Country, to.City, to.Zipcode
		if !c.ShippingCost.Equal(to.Cost) {
			c.ShippingCost = to.Cost
		}
		return nil
	})
}

// SetPayment says how the cart is paid.
func (s *Storefront) SetPayment(ctx context.Context, id int64, by Payment) (View, error) {
	return s.change(ctx, id, func(_ *world.Tx, c *cart) error {
		if by.Installments < 0 {
			return fmt.Errorf("shop: %d installments: must be 0 or more", by.Installments)
		}
		c.PaymentMethod, c.CreditCardCompany, c.Installments = by.Method, by.CreditCardCompany, by.Installments
		return nil
	})
}

// SetCustomer logs a customer in; 0 logs out.
func (s *Storefront) SetCustomer(ctx context.Context, id, customer int64) (View, error) {
	return s.change(ctx, id, func(tx *world.Tx, c *cart) error {
		if customer != 0 && !tx.Customers.Has(customer) {
			return fmt.Errorf("shop: there is no customer %d", customer)
		}
		c.CustomerID = customer
		return nil
	})
}
