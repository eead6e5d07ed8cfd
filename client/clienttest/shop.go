package clienttest

import (
	"context"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Shop is the storefront of the store, where customers change their carts. After each
// change the apps that have promotions in the store are sent the cart, at the address
// of their discount callback, and what they answer is judged and applied. Put a handler
// at that address with Server.Partner. It is safe for concurrent use.
type Shop struct {
	server *Server
	front  any
}

// storefront is what stands in the fields called front, which show as little as that of the type platform.
func storefront(front any) *shop.Storefront { return front.(*shop.Storefront) }

// ShopOptions change how carts are sent. The zero value is the contract.
type ShopOptions struct {
	// LateRemoves makes an answer that comes after 800 ms remove all discounts. The
	// contract says so in one place and in another that the cart stays unchanged, which
	// is what happens otherwise.
	LateRemoves bool
	// Delay is added to what each answer takes, as a slow network would. On the
	// server's own clock nobody waits for it.
	Delay time.Duration
	// Seed decides on the order in which the commands of an answer are executed, which
	// is not guaranteed.
	Seed uint64
	// Signed sends the announced signature: the hexadecimal HMAC-SHA256 of the body,
	// keyed with the app's secret, in the header x-platform-hmac-sha256. The platform
	// does not sign yet, and the form is assumed.
	Signed bool
	// Source is the IP address that handlers in this process see carts come from;
	// empty is 192.0.2.1.
	Source string
	// LooseForms writes what the documentation shows in two forms in the rarer one:
	// installments as text, properties without any as [], no promotions as {}.
	LooseForms bool
	// Stragglers is how many carts an app is still sent after it was uninstalled, which
	// it must answer with status 310.
	Stragglers int
}

// Shop opens the storefront. Carts belong to the store; Runs are those of this Shop.
func (s *Server) Shop(options ...ShopOptions) *Shop {
	var o ShopOptions
	if len(options) > 0 {
		o = options[0]
	}
	to := shop.Options{Delay: o.Delay, Seed: o.Seed, Signed: o.Signed, Source: o.Source, LooseForms: o.LooseForms, Stragglers: o.Stragglers}
	if o.LateRemoves {
		to.Late = shop.LateRemoves
	}
	return &Shop{s, reference(s).Storefront(s.store, to)}
}

// Spend lets d pass for a handler that the server has called in this process. On the
// server's own clock the time is charged to the call, which then is late if it was too
// much, and nobody sleeps; with Options.RealTime it is slept. It returns the error of
// ctx, the request's context, if that ended first.
func Spend(ctx context.Context, d time.Duration) error { return delivery.Spend(ctx, d) }

// Visitor is who begins a cart. The zero value is somebody unknown.
type Visitor struct {
	// CustomerID is 0 for one who has not logged in.
	CustomerID client.ID
	// Language is empty for the main one of the store.
	Language string
	// SoldBy is the seller staff user who started the sale, empty for none.
	SoldBy string
	// UTM are the campaigns that the visitor came from.
	UTM []UTM
}

// UTM is a campaign. Empty texts are sent as null.
type UTM struct {
	Source, Medium, Campaign, Term, Content string // the five parts of a campaign's name
	// Timestamp is in seconds.
	Timestamp int64
}

// Destination is where a cart goes. Empty texts are sent as null.
type Destination struct {
	Country, City, Zipcode string // Country is an ISO 3166-1 code, such as AR
	// Cost is what shipping costs the customer.
	Cost client.Money
}

// Payment is how a cart is paid. Empty texts are sent as null.
type Payment struct {
	Method            string // such as credit_card
	CreditCardCompany string // such as visa
	// Installments is 0 for a single payment.
	Installments int
}

// Basket is a cart that a customer is filling. Its methods return the cart after the
// apps have been asked about the change; a change that changes nothing asks nobody.
// They fail if the change is not possible or ctx ends, not because of what an app
// answers: that is in the Runs.
type Basket struct {
	// ID is that of the cart, as in the API.
	ID     client.ID
	server *Server
	front  any
}

// NewCart begins an empty cart. No app is asked about it.
func (s *Shop) NewCart(by Visitor) (*Basket, error) {
	who := shop.Customer{ID: int64(by.CustomerID), Language: by.Language, SoldBy: by.SoldBy}
	for _, u := range by.UTM {
		who.UTM = append(who.UTM, world.UTM(u))
	}
	v, err := storefront(s.front).NewCart(who)
	if err != nil {
		return nil, err
	}
	return &Basket{client.ID(v.ID), s.server, s.front}, nil
}

// Cart returns the cart as it is. No app is asked.
func (b *Basket) Cart() (Cart, error) { return seen(storefront(b.front).View(int64(b.ID))) }

// Add puts so many pieces of a variant into the cart: on the line that has it, or on a
// new one. The variant of a kit becomes a line for each component. The stock does not
// matter.
func (b *Basket) Add(ctx context.Context, variant client.ID, quantity int) (Cart, error) {
	return seen(storefront(b.front).Add(ctx, int64(b.ID), int64(variant), int64(quantity)))
}

// Remove takes a line out of the cart, and with a component the whole kit.
func (b *Basket) Remove(ctx context.Context, line client.ID) (Cart, error) {
	return seen(storefront(b.front).Remove(ctx, int64(b.ID), int64(line)))
}

// SetQuantity changes how many pieces a line has; for a component, how many kits.
func (b *Basket) SetQuantity(ctx context.Context, line client.ID, quantity int) (Cart, error) {
	return seen(storefront(b.front).SetQuantity(ctx, int64(b.ID), int64(line), int64(quantity)))
}

// ApplyCoupon applies the coupon with the code. A cart has one at most.
func (b *Basket) ApplyCoupon(ctx context.Context, code string) (Cart, error) {
	return seen(storefront(b.front).ApplyCoupon(ctx, int64(b.ID), code))
}

// RemoveCoupon takes the coupon with the code off.
func (b *Basket) RemoveCoupon(ctx context.Context, code string) (Cart, error) {
	return seen(storefront(b.front).RemoveCoupon(ctx, int64(b.ID), code))
}

// SetDestination says where the cart goes and what shipping costs.
func (b *Basket) SetDestination(ctx context.Context, to Destination) (Cart, error) {
	return seen(storefront(b.front).SetDestination(ctx, int64(b.ID),
		shop.Destination{Country: to.Country, City: to.City, Zipcode: to.Zipcode, Cost: to.Cost.Decimal()}))
}

// SetPayment says how the cart is paid.
func (b *Basket) SetPayment(ctx context.Context, by Payment) (Cart, error) {
	return seen(storefront(b.front).SetPayment(ctx, int64(b.ID), shop.Payment(by)))
}

// SetCustomer logs a customer in; 0 logs out.
func (b *Basket) SetCustomer(ctx context.Context, id client.ID) (Cart, error) {
	return seen(storefront(b.front).SetCustomer(ctx, int64(b.ID), int64(id)))
}
