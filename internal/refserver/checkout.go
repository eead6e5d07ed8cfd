package refserver

import (
	"context"
	"errors"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/rules"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// errNoPlace is the contract's: an answer without locations leaves no place to ship from.
var errNoPlace = errors.New("business rules leave no location to ship from")

// QuoteCart asks for rates of a cart, or of an abandoned checkout, as the checkout does: business rules order the
// locations that it leaves from, and hide options. Nobody can choose what they have hidden.
func (s *Server) QuoteCart(ctx context.Context, store, cart int64, to carrier.Address) (carrier.Quote, error) {
	places, err := s.places(ctx, store, cart)
	if err != nil {
		return carrier.Quote{}, err
	}
	parcel, err := s.shipper.CartParcel(store, cart, to, places)
	if err != nil {
		return carrier.Quote{}, err
	}
	q, err := s.shipper.Quote(ctx, store, parcel)
	if err != nil {
		return q, err
	}
	all := len(q.Options)
	if q.Options, err = s.ruler.ShippingOptions(ctx, store, cart, q.Options); err != nil || len(q.Options) == all {
		return q, err
	}
	return q, s.shipper.Remember(store, parcel, q.Options)
}

// places returns the locations that a cart may leave from.
func (s *Server) places(ctx context.Context, store, cart int64) ([]string, error) {
	places, err := s.ruler.Places(ctx, store, cart)
	if err == nil && len(places) == 0 {
		err = errNoPlace
	}
	return places, err
}

// mayFinish asks the business rules about a purchase.
func (s *Server) mayFinish(ctx context.Context, store int64, c shop.Checkout) error {
	if _, err := s.places(ctx, store, c.ID); err != nil {
		return err
	}
	if err := s.offersPayment(ctx, store, c); err != nil {
		return err
	}
	reason, err := s.ruler.MayFinish(ctx, store, c.ID)
	if err == nil && reason != "" {
		err = errors.New(reason)
	}
	return err
}

// offersPayment refuses a provider all of whose checkout options are hidden.
func (s *Server) offersPayment(ctx context.Context, store int64, c shop.Checkout) error {
	provider := c.Purchase.Payment.Provider
	if provider == "" {
		return nil
	}
	left, err := s.ruler.PaymentOptions(ctx, store, c.ID)
	if err != nil {
		return err
	}
	has := slices.ContainsFunc(left, func(o rules.PaymentOption) bool { return o.Provider == provider })
	if !has && s.hasOptions(store, provider) {
		return errors.New("payment: business rules hide all options of provider " + provider)
	}
	return nil
}

func (s *Server) hasOptions(store int64, provider string) (has bool) {
	_ = s.world.View(0, store, func(tx *world.Tx) error {
		p, _ := tx.PaymentProviders.Get(provider)
		has = len(p.Options) > 0
		return nil
	})
	return has
}
