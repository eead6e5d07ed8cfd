package clienttest

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Errors of Basket.Buy. Nothing has changed with either.
var (
	// ErrPurchaseRefused is about a coupon, a rate, the stock, the customer or the payment, and says which.
	ErrPurchaseRefused = shop.ErrRefused
	// ErrNoCart is about a cart that does not exist, or became an order, which it names.
	ErrNoCart = shop.ErrNoCart
)

// Purchase is how a customer finishes the checkout. What is empty is taken from the cart (Basket.SetContact,
// Basket.SetDestination), from the customer who has logged in, or from the abandoned checkout, if it is one.
type Purchase struct {
	Contact Contact // who buys
	// Shipping is where the order goes, which must be where the rates were quoted for, and by default is. Billing is
	// where its bill goes, by default the same.
	Shipping, Billing ShippingAddress
	// Rate is one that the last Basket.Quote has returned. A cart needs none of which nothing is shipped, or for which
	// no rate was returned: that costs what SetDestination said.
	Rate RateChoice
	// ProviderID is the payment provider whose app takes the payment, by MethodType, for example credit_card, and
	// MethodID, for example visa or empty. Without one the order is pending.
	ProviderID           uuid.UUID
	MethodType, MethodID string
	Note                 string // the customer's
}

// Contact is who buys. An email is required to leave the first step of the checkout.
type Contact struct {
	Name, Email, Phone, Identification string // Identification is that of a person, such as a CPF or a DNI
}

// RateChoice names a rate of the last quote by any of its members: what is empty is any. It must name one for each
// origin. ShippingOption.Choice makes one.
type RateChoice struct {
	OptionID              client.ID // that of the carrier's option, 0 for a fallback option
	Code, Name, Reference string    // as in ShippingOption
}

// Choice names the option, for Purchase.Rate.
func (o ShippingOption) Choice() RateChoice {
	return RateChoice{o.OptionID, o.Code, o.Name, o.Reference}
}

// Bought is the order that a cart has become.
type Bought struct {
	OrderID    client.ID // the new order
	Number     int       // counts the orders of the store from 100
	CustomerID client.ID // who the order belongs to: the one who has logged in, or the one with the email
	// SoldBy is that of the Visitor. The order has it in extra, as sold_by, which is assumed.
	SoldBy   string
	Currency string // ISO 4217 code of all amounts
	// Subtotal is what the lines cost. Promotions is what apps take off, Coupon what coupons do. Total includes
	// Shipping.
	Subtotal, Promotions, Coupon, Shipping, Total client.Money
	// Payment is the call to the payment app, nil if none was made.
	Payment *PaymentCall
}

// Checkout returns the basket of an abandoned checkout, by its id. Cart, Quote, Buy, PaymentOptions, MayFinish and
// Places work until it became an order or was deleted, 90 days after it was abandoned. Methods that change the cart
// work for 6 hours, if it came from Basket.Abandon, and fail with ErrNoCart then.
func (s *Shop) Checkout(id client.ID) *Basket { return &Basket{id, s.server, s.front} }

// SetContact is the first step of the checkout: it says who buys. Empty texts are unknown. No app is asked about it,
// but business rules of the domain cart receive it.
func (b *Basket) SetContact(ctx context.Context, c Contact) (Cart, error) {
	return seen(storefront(b.front).SetContact(ctx, int64(b.ID), shop.Contact(c)))
}

// Abandon leaves the checkout at its second step, where a cart becomes an abandoned checkout that api.Checkouts lists.
// It returns the checkout's id, which is that of the cart. Shop.Checkout continues it.
//
// The step before requires something in the cart and an email address: that of SetContact, or of the customer who has
// logged in. The checkout has the discounts, the coupons and the address that the cart has, and no shipping option. For
// 6 hours the cart can still be changed, and its checkout changes with it; to abandon it again is not another checkout.
// No webhook is sent, because the platform has none about checkouts. It fails with ErrNoCart if there is no such cart.
func (b *Basket) Abandon(ctx context.Context) (client.ID, error) {
	if err := storefront(b.front).Abandon(ctx, int64(b.ID)); err != nil {
		return 0, fmt.Errorf("clienttest: %w", err)
	}
	return b.ID, nil
}

// Buy finishes the checkout: the cart becomes an order, all at once or not at all. The order has the discounts that
// apps have applied so far, which are not asked again. Its coupons are checked and count as used, its pieces leave the
// stock, and apps receive the webhooks of an order that was created. A cart can be bought once, and so can an abandoned
// checkout. Errors are ErrPurchaseRefused, ErrNoCart, or that of ctx.
//
// If a provider is named, and the order costs something, its app is called then as by ProcessPayment, and the call is
// in Bought.Payment whatever its outcome. The order becomes paid when the app reports a transaction. If the app could
// not be called, Buy returns the order together with an error.
func (b *Basket) Buy(ctx context.Context, p Purchase) (Bought, error) {
	in := shop.Purchase{
		Contact: shop.Contact(p.Contact), Shipping: p.Shipping.address(), Billing: p.Billing.address(), Note: p.Note,
		Rate: shop.Choice{Option: int64(p.Rate.OptionID), Code: p.Rate.Code, Name: p.Rate.Name, Reference: p.Rate.Reference},
	}
	if p.ProviderID != uuid.Nil {
		in.Payment = shop.Charge{Provider: p.ProviderID.String(), MethodType: p.MethodType, MethodID: p.MethodID}
	}
	got, err := storefront(b.front).Buy(ctx, int64(b.ID), in)
	if err != nil {
		err = fmt.Errorf("clienttest: %w", err)
	}
	out := Bought{
		OrderID: client.ID(got.Order), Number: int(got.Number), CustomerID: client.ID(got.Customer), SoldBy: got.SoldBy,
		Currency: got.Currency, Subtotal: amount(got.Subtotal), Promotions: amount(got.Promotions), Coupon: amount(got.Coupon),
		Shipping: amount(got.Shipping), Total: amount(got.Total),
	}
	if got.Payment != nil {
		call := paymentCall(*got.Payment)
		out.Payment = &call
	}
	return out, err
}

func (a ShippingAddress) address() world.Address {
	return world.Address{
		Name: a.Name, Address: a.Address, Number: a.Number, Floor: a.Floor, Locality: a.Locality, City: a.City,
		Province: a.Province, Country: a.Country, Zipcode: a.PostalCode, Phone: a.Phone,
	}
}
