package clienttest

import (
	"context"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Shop is the storefront of the store, where customers change their carts. After each change the server sends the cart
// to the apps that have promotions in the store, at the address of their discount callback. It checks and applies their
// answers. Put a handler at that address with Server.Partner. Shop is safe for concurrent use.
type Shop struct {
	server *Server
	front  any
}

// storefront returns the value of a field front, whose type hides its tables as the type platform does.
func storefront(front any) *shop.Storefront { return front.(*shop.Storefront) }

// ShopOptions change how carts are sent. The zero value is the contract.
type ShopOptions struct {
	// LateRemoves makes an answer after more than 800 ms remove all discounts. The contract says so in one place, and
	// in another that the cart remains unchanged. The default is unchanged.
	LateRemoves bool
	// Delay is added to the duration of each answer, as by a slow network. With the server's own clock, nothing really
	// waits.
	Delay time.Duration
	// Seed determines the order in which the commands of an answer are executed. The platform does not guarantee an
	// order.
	Seed uint64
	// Signed sends the announced signature: the hexadecimal HMAC-SHA256 of the body, keyed with the app's secret, in
	// the header x-platform-hmac-sha256. The platform does not sign yet, and the form is assumed.
	Signed bool
	// Source is the IP address from which handlers in this process receive carts. Empty means 192.0.2.1.
	Source string
	// LooseForms uses the rarer of two documented forms: installments as text, missing properties as [], no promotions
	// as {}.
	LooseForms bool
	// Stragglers is the number of carts that the server still sends to an app after it was uninstalled. The app must
	// answer them with status 310.
	Stragglers int
}

// Shop returns the storefront of the store. The first call and each call with options open one, whose Runs begin empty.
// Other calls return the one that was opened last. Carts belong to the store, whichever storefront began them.
func (s *Server) Shop(options ...ShopOptions) *Shop {
	s.mu.Lock()
	defer s.mu.Unlock()
	var o ShopOptions
	switch {
	case len(options) > 0:
		o = options[0]
	case s.shop != nil:
		return s.shop
	}
	to := shop.Options{Delay: o.Delay, Seed: o.Seed, Signed: o.Signed, Source: o.Source, LooseForms: o.LooseForms, Stragglers: o.Stragglers}
	if o.LateRemoves {
		to.Late = shop.LateRemoves
	}
	s.shop = &Shop{s, reference(s).Storefront(s.store, to)}
	return s.shop
}

// Spend lets d pass for a handler that the server has called in this process. With the server's own clock, the time is
// added to the call, which is late if the sum is too large, and nothing sleeps. With Options.RealTime it sleeps. It
// returns the error of ctx, the request's context, if that ended first.
func Spend(ctx context.Context, d time.Duration) error { return delivery.Spend(ctx, d) }

// Visitor is a person who begins a cart. The zero value is an unknown person.
type Visitor struct {
	// CustomerID is 0 if the visitor has not logged in.
	CustomerID client.ID
	// Language is empty for the main language of the store.
	Language string
	// SoldBy is the seller staff user who started the sale; empty if none did.
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

// Destination is the destination of a cart. Empty texts are sent as null.
type Destination struct {
	Country, City, Zipcode string // Country is an ISO 3166-1 code, such as AR
	// Cost is the shipping price for the customer.
	Cost client.Money
}

// Payment is how a cart is paid. Empty texts are sent as null.
type Payment struct {
	Method            string // such as credit_card
	CreditCardCompany string // such as visa
	// Installments is 0 for a single payment.
	Installments int
}

// Basket is a cart that a customer is filling. Its methods return the cart after the apps have answered. If a change
// has no effect, no app is asked. A method fails if the change is not possible or ctx ends, not because of an app's
// answer. Answers are in the Runs.
type Basket struct {
	// ID is the id of the cart, as in the API.
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

// Cart returns the present cart. No app is asked.
func (b *Basket) Cart() (Cart, error) { return seen(storefront(b.front).View(int64(b.ID))) }

// Add adds a quantity of a variant to the cart: to the line that has it, or to a new one. The variant of a kit becomes
// a line for each component. Add ignores the stock.
func (b *Basket) Add(ctx context.Context, variant client.ID, quantity int) (Cart, error) {
	return seen(storefront(b.front).Add(ctx, int64(b.ID), int64(variant), int64(quantity)))
}

// Remove removes a line from the cart. Removing a component removes the whole kit.
func (b *Basket) Remove(ctx context.Context, line client.ID) (Cart, error) {
	return seen(storefront(b.front).Remove(ctx, int64(b.ID), int64(line)))
}

// SetQuantity changes the quantity of a line; for a component, the number of kits.
func (b *Basket) SetQuantity(ctx context.Context, line client.ID, quantity int) (Cart, error) {
	return seen(storefront(b.front).SetQuantity(ctx, int64(b.ID), int64(line), int64(quantity)))
}

// ApplyCoupon applies the coupon with the code. A cart has at most one.
func (b *Basket) ApplyCoupon(ctx context.Context, code string) (Cart, error) {
	return seen(storefront(b.front).ApplyCoupon(ctx, int64(b.ID), code))
}

// RemoveCoupon removes the coupon with the code.
func (b *Basket) RemoveCoupon(ctx context.Context, code string) (Cart, error) {
	return seen(storefront(b.front).RemoveCoupon(ctx, int64(b.ID), code))
}

// SetDestination sets the destination and the shipping price of the cart.
func (b *Basket) SetDestination(ctx context.Context, to Destination) (Cart, error) {
	return seen(storefront(b.front).SetDestination(ctx, int64(b.ID),
		shop.Destination{Country: to.Country, City: to.City, Zipcode: to.Zipcode, Cost: to.Cost.Decimal()}))
}

// SetPayment sets how the cart is paid.
func (b *Basket) SetPayment(ctx context.Context, by Payment) (Cart, error) {
	return seen(storefront(b.front).SetPayment(ctx, int64(b.ID), shop.Payment(by)))
}

// SetCustomer logs a customer in; 0 logs out.
func (b *Basket) SetCustomer(ctx context.Context, id client.ID) (Cart, error) {
	return seen(storefront(b.front).SetCustomer(ctx, int64(b.ID), int64(id)))
}
