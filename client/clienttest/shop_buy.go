package clienttest

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Errors of Basket.Buy. With either, nothing has changed.
var (
	// ErrPurchaseRefused means that a coupon, a rate, the stock, the customer or the payment prevents the purchase. The
	// error says which.
	ErrPurchaseRefused = shop.ErrRefused
	// ErrNoCart means that a cart does not exist or became an order, which the error names.
	ErrNoCart = shop.ErrNoCart
)

// Purchase is the end of a customer's checkout. Empty fields are taken from the cart (Basket.SetContact,
// Basket.SetDestination), from the customer who has logged in, or from the abandoned checkout.
type Purchase struct {
	Contact Contact // who buys
	// Shipping is the destination of the order. It must be, and by default is, the address for which the rates were
	// quoted. Billing is the billing address, by default the same.
	Shipping, Billing ShippingAddress
	// Rate is a rate of the last Basket.Quote. A cart requires no rate if nothing is shipped, or if no rate was
	// returned. Shipping then costs the price of SetDestination.
	Rate RateChoice
	// ProviderID is the payment provider whose app takes the payment. MethodType is for example credit_card; MethodID
	// is for example visa, or empty. Without a provider the order is pending.
	ProviderID           uuid.UUID
	MethodType, MethodID string
	Note                 string // by the customer
}

// Contact is the buyer. An email is required to leave the first step of the checkout.
type Contact struct {
	Name, Email, Phone, Identification string // Identification identifies a person, such as a CPF or a DNI
}

// RateChoice selects a rate of the last quote by any of its members; an empty member matches any value. It must select
// one for each origin. ShippingOption.Choice makes one.
type RateChoice struct {
	OptionID              client.ID // id of the carrier's option, 0 for a fallback option
	Code, Name, Reference string    // as in ShippingOption
}

// Choice returns the RateChoice of the option, for Purchase.Rate.
func (o ShippingOption) Choice() RateChoice {
	return RateChoice{o.OptionID, o.Code, o.Name, o.Reference}
}

// Bought is the order that a cart has become.
type Bought struct {
	OrderID    client.ID // the new order
	Number     int       // counts the orders of the store from 100
	CustomerID client.ID // the customer who has logged in, or has the email
	// SoldBy is the SoldBy of the Visitor. The order has it in extra, as sold_by, which is assumed.
	SoldBy   string
	Currency string // ISO 4217 code of all amounts
	// Subtotal is the price of the lines. Promotions is the discount by apps, Coupon the discount by coupons. Total
	// includes Shipping.
	Subtotal, Promotions, Coupon, Shipping, Total client.Money
	// Payment is the call to the payment app; nil if none was made.
	Payment *PaymentCall
}

// Checkout returns the basket of an abandoned checkout, by its id. Cart, Quote, Buy, PaymentOptions, MayFinish and
// Places work until it becomes an order or is deleted, 90 days after it was abandoned. If it came from Basket.Abandon,
// methods that change the cart work for 6 hours. Afterwards they fail with ErrNoCart.
func (s *Shop) Checkout(id client.ID) *Basket { return &Basket{id, s.server, s.front} }

// SetContact is the first step of the checkout and sets the buyer. Empty texts are unknown. No app is asked about it,
// but business rules of the domain cart receive it.
func (b *Basket) SetContact(ctx context.Context, c Contact) (Cart, error) {
	return seen(storefront(b.front).SetContact(ctx, int64(b.ID), shop.Contact(c)))
}

// Abandon leaves the checkout at its second step, where a cart becomes an abandoned checkout that
// v202503.Checkouts lists. It returns the checkout's id, which is that of the cart. Shop.Checkout continues it.
//
// The first step requires a line in the cart and an email address: that of SetContact, or of the customer who has
// logged in. The checkout has the discounts, the coupons and the address of the cart, and no shipping option. For 6
// hours the cart can still be changed, and its checkout changes with it. Abandoning it again does not create another
// checkout. No webhook is sent, because the platform has none about checkouts. Abandon fails with ErrNoCart if there is
// no such cart.
func (b *Basket) Abandon(ctx context.Context) (client.ID, error) {
	if err := storefront(b.front).Abandon(ctx, int64(b.ID)); err != nil {
		return 0, fmt.Errorf("clienttest: %w", err)
	}
	return b.ID, nil
}

// Buy finishes the checkout: the cart becomes an order, completely or not at all. The order has the discounts that apps
// have applied so far; the apps are not asked again. Its coupons are checked and count as used, its items are taken
// from the stock, and apps receive the webhooks of a new order. A cart and an abandoned checkout can be bought only
// once. Errors are ErrPurchaseRefused, ErrNoCart, or that of ctx.
//
// If a provider is named and the order costs something, the server then calls its app as ProcessPayment does.
// Bought.Payment holds the call, whatever its outcome. The order becomes paid when the app reports a transaction. If
// the app could not be called, Buy returns the order together with an error.
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
