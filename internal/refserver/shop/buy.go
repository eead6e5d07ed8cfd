package shop

import (
	"context"
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// ErrRefused is why a purchase was refused; the error says more. Nothing has changed then.
var ErrRefused = errors.New("shop: the purchase was refused")

// Purchase is how a customer finishes the checkout of a cart. The zero value is one of a
// customer who has logged in, for a store that ships nothing by carriers.
type Purchase struct {
	Contact Contact
	// Shipping is where the order goes, and Billing where its bill goes. Empty ones are
	// what the checkout has, then the address that the rates were quoted for, then what the
	// cart and the customer have; Billing is then that of the shipping.
	Shipping, Billing world.Address
	// Rate is what the customer chose of the last quote.
	Rate Choice
	// Payment is the app that is to take the payment; the zero value is none.
	Payment Charge
	// Note is the customer's.
	Note string
}

// Contact is who buys. Empty fields are taken from SetContact, from the checkout or from the customer who has logged
// in. An email is required.
type Contact = world.Contact

// Charge is the way that the customer pays an app.
type Charge struct {
	// Provider is the UUID of a payment provider, empty for none.
	Provider string
	// MethodType is for example credit_card, MethodID for example visa.
	MethodType, MethodID string
}

// Bought is the order that a cart has become.
type Bought struct {
	Order, Number int64
	// Customer is the one that the order belongs to.
	Customer int64
	// SoldBy is the seller staff user who started the sale.
	SoldBy   string
	Currency string
	// Of what is taken off, Promotions and Coupon are the parts. Total includes Shipping.
	Subtotal, Promotions, Coupon, Shipping, Total decimal.Decimal
	// Payment is the call to the app that takes the payment, nil if none was made.
	Payment *payment.Call
}

// Checkout is a purchase that is about to be made, for the rules that may refuse it.
type Checkout struct {
	ID       int64
	Cart     View
	Purchase Purchase
	// Rates are what the customer chose, one for each origin.
	Rates []world.Rate
}

// Buy makes a cart, or an abandoned checkout of the id, an order: with the discounts that
// apps have applied so far, the coupons, the rate and the stock. It is ErrRefused if
// something is wrong with that, and ErrNoCart if there is no such cart any more. Then the
// app takes the payment, unless the order costs nothing. An error after that says that the
// app could not be asked: the order is there, and is returned too.
func (s *Storefront) Buy(ctx context.Context, id int64, p Purchase) (Bought, error) {
	o, err := s.order(ctx, id, p)
	if err != nil {
		return Bought{}, err
	}
	out := Bought{
		Order: o.ID, Number: o.Number, Customer: o.CustomerID, SoldBy: o.SoldBy, Currency: o.Currency, Subtotal: o.Subtotal,
		Promotions: o.Discount.Sub(o.DiscountCoupon), Coupon: o.DiscountCoupon, Shipping: o.ShippingCostCustomer,
		Total: o.Total,
	}
	if p.Payment.Provider == "" || !o.Total.IsPositive() {
		return out, nil
	}
	a := p.Payment.attempt()
	a.Order, a.Amount = o.ID, o.Total
	call, err := s.options.Payments.Process(ctx, s.store, a)
	if err != nil {
		return out, fmt.Errorf("shop: order %d was made, but its payment could not be begun: %w", o.ID, err)
	}
	out.Payment = &call
	return out, nil
}

func (c Charge) attempt() payment.Attempt {
	return payment.Attempt{Provider: c.Provider, MethodType: c.MethodType, MethodID: c.MethodID}
}

// order makes the order, while nothing else can change the cart.
func (s *Storefront) order(ctx context.Context, id int64, p Purchase) (world.Order, error) {
	defer s.lock(id)()
	var o world.Order
	if err := ctx.Err(); err != nil {
		return o, err
	}
	if err := s.finish(ctx, id, p); err != nil {
		return o, refused(ctx, id, err)
	}
	err := s.world.Update(0, s.store, func(tx *world.Tx) error {
		b, err := find(tx, id)
		if err != nil {
			return err
		}
		var origins map[int64]string
		if o, origins, err = b.sell(tx, p); err != nil {
			return err
		}
		if o, err = res.PlaceOrder(tx, o, origins); err != nil {
			return err
		}
		return b.close(tx, o)
	})
	if err != nil {
		return o, refused(ctx, id, err)
	}
	return o, nil
}

// finish asks everybody who may refuse a purchase, but for the store itself.
func (s *Storefront) finish(ctx context.Context, id int64, p Purchase) error {
	at := Checkout{ID: id, Purchase: p}
	err := s.world.View(0, s.store, func(tx *world.Tx) error {
		b, err := find(tx, id)
		if err != nil {
			return err
		}
		at.Cart = view(tx, b.cart)
		c, err := b.choose(tx, p.Rate)
		at.Rates = c.rates
		return err
	})
	if err != nil {
		return err
	}
	if p.Payment != (Charge{}) {
		if s.options.Payments == nil {
			return errors.New("payment: nobody takes payments here")
		}
		if err := s.options.Payments.Offers(s.store, p.Payment.attempt(), at.Cart.Currency); err != nil {
			return err
		}
	}
	if s.options.Finish == nil {
		return nil
	}
	return s.options.Finish(ctx, at)
}

// refused is the error of a purchase that was not made.
func refused(ctx context.Context, id int64, err error) error {
	if errors.Is(err, ErrNoCart) || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%w: cart %d: %w", ErrRefused, id, err)
}
