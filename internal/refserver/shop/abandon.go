package shop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// SetContact is the first step of the checkout: it says who buys. Apps are not asked, because what they are sent of a
// cart does not have it. Empty texts are unknown.
func (s *Storefront) SetContact(ctx context.Context, id int64, c Contact) (View, error) {
	defer s.lock(id)()
	if err := ctx.Err(); err != nil {
		return View{}, err
	}
	c.Name, c.Email = strings.TrimSpace(c.Name), strings.TrimSpace(c.Email)
	if c.Email != "" && !res.IsEmail(c.Email) {
		return View{}, fmt.Errorf("shop: contact: email %q: must be an email address", c.Email)
	}
	var out View
	err := s.world.Update(0, s.store, func(tx *world.Tx) error {
		k, err := load(tx, id)
		if err != nil {
			return err
		}
		k.Contact, out = c, view(tx, k)
		return k.keep(tx)
	})
	if err != nil {
		return View{}, err
	}
	return out, nil
}

// Abandon leaves a cart at the second step of the checkout: it becomes an abandoned checkout of the same id as well.
// The cart can be changed for a few hours more, and its checkout then follows it. Left again, it is the same checkout,
// which was abandoned when it was left first. The first step requires articles and an email address; nobody is
// notified, because there is no event about checkouts.
func (s *Storefront) Abandon(ctx context.Context, id int64) error {
	defer s.lock(id)()
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.world.Update(0, s.store, func(tx *world.Tx) error {
		c, err := load(tx, id)
		if err != nil {
			return err
		}
		k, again := tx.Checkouts.Get(id)
		if !again {
			k = world.Checkout{ID: id, BegunAt: c.CreatedAt, AbandonedURL: res.CheckoutURL(tx, id, c.Token)}
			k.CreatedAt, k.Storefront = tx.Now(), "store"
			k.Shipping, k.ShippingPickupType = "not-provided", world.Ship
		}
		if len(c.Lines) == 0 {
			err = errors.New("it is empty: the checkout has no second step")
		} else {
			k, err = c.leave(tx, k)
		}
		if err != nil {
			return fmt.Errorf("shop: cart %d: %w", id, err)
		}
		_, err = res.KeepCheckout(tx, k)
		return err
	})
}

// follow changes the abandoned checkout of a cart that has changed, if there is one.
func (c cart) follow(tx *world.Tx) error {
	k, ok := tx.Checkouts.Get(c.Cart.ID)
	if !ok {
		return nil
	}
	k, _ = c.leave(tx, k) // it stays even if nobody could buy it as it is
	_, err := res.KeepCheckout(tx, k)
	return err
}

// leave is a checkout with what its cart has. The error says what a purchase would lack.
func (c cart) leave(tx *world.Tx, k world.Checkout) (world.Checkout, error) {
	b := basket{cart: c, isCart: true, checkout: k}
	o := world.Order{Sale: b.left()}
	o.Token, o.Currency, o.Language = c.Token, c.Currency, c.Language
	o.Coupons, o.Lines = slices.Clone(c.Coupons), nil
	for _, l := range c.Lines {
		o.Lines = append(o.Lines, own(l))
	}
	b.discount(tx, &o.Sale)
	if len(o.Promotions) > 0 && o.PromotionsID == 0 {
		o.PromotionsID = tx.NewID()
	}
	b.ship(&o.Sale, chosen{})
	b.pay(tx, &o.Sale, Charge{})
	o, err := b.contact(tx, o, Purchase{})
	err = errors.Join(err, b.address(tx, &o, Purchase{}, chosen{}))
	k.Sale = o.Sale
	return k, err
}
