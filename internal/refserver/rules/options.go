package rules

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// PaymentOption is a way to pay that a customer can choose.
type PaymentOption struct {
	Provider, ProviderName string
	ID, Name               string
	Types                  []string
	Integration            string
}

func (o PaymentOption) key() optionKey { return optionKey{id: o.Provider, option: o.ID} }

// PaymentOptions returns the ways to pay for a cart. They are those of enabled providers, the oldest provider first,
// without the ways that rules hide.
func (p *Platform) PaymentOptions(ctx context.Context, store, cart int64) ([]PaymentOption, error) {
	var all []PaymentOption
	err := p.world.View(0, store, func(tx *world.Tx) error {
		for _, provider := range tx.ProvidersInStore() {
			for _, o := range provider.Options {
				if provider.Enabled {
					all = append(all, PaymentOption{provider.ID, provider.Name, o.ID, o.Name, slices.Clone(o.Types), o.Integration})
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	return without(ctx, p, store, cart, world.PaymentRules, all, PaymentOption.key)
}

// ShippingOptions returns the options of a quote for a cart, without the options that rules hide.
func (p *Platform) ShippingOptions(
	ctx context.Context, store, cart int64, all []carrier.Option,
) ([]carrier.Option, error) {
	return without(ctx, p, store, cart, world.ShippingRules, all, func(o carrier.Option) optionKey {
		return optionKey{strconv.FormatInt(o.Carrier, 10), strconv.FormatInt(o.ID, 10), o.Code}
	})
}

// without asks about options and returns the visible ones.
func without[T any](
	ctx context.Context, p *Platform, store, cart int64, domain world.RuleDomain, all []T, key func(T) optionKey,
) ([]T, error) {
	var offered []optionKey
	for _, o := range all {
		offered = append(offered, key(o))
	}
	if len(all) == 0 {
		return nil, nil
	}
	said, err := p.ask(ctx, store, cart, domain, matching(offered))
	if err != nil {
		return nil, err
	}
	keep := p.Settings().Keep
	var left []T
	for i, o := range all {
		if contingency := offered[i].id == "0"; contingency || !hides(said, offered[i], keep) {
			left = append(left, o)
		}
	}
	return left, nil
}

// MayFinish asks whether the purchase of a cart may end. The reason says which app blocks it; it is empty if none does.
func (p *Platform) MayFinish(ctx context.Context, store, cart int64) (reason string, err error) {
	said, err := p.ask(ctx, store, cart, world.CartRules, func(*verdict) error { return nil })
	if err != nil {
		return "", err
	}
	for _, v := range said {
		if v.Outcome == Applied {
			return fmt.Sprintf("blocked by app %d", v.App), nil
		}
	}
	return "", nil
}
