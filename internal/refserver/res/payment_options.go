package res

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// paymentOptionOps list the ways to pay that the checkout shows: to a payment app those
// of its own providers, to others those of the store. No shape is shown for either.
func paymentOptionOps() []api.Op {
	return []api.Op{
		{ID: "payment_providers.options", Method: "GET", Path: "/payment_providers/options",
			Scopes: []string{"read_payments"}, Feature: paymentApps, Provenance: api.Assumed,
			Paging: api.Paging{Whole: true, EmptyOK: true}, Handler: api.Collection(findOwnOptions, showPaymentOption)},
		{ID: "payment_options.list", Method: "GET", Path: "/payment-options", Versions: []string{api.V202503, api.Unstable},
			Scopes: []string{"read_payment_options"}, Provenance: api.Assumed,
			Paging: api.Paging{Whole: true, EmptyOK: true}, Handler: api.Collection(findActiveOptions, showPaymentOption)},
	}
}

// paymentOption is a checkout option of a provider.
type paymentOption struct {
	provider string
	option   world.CheckoutOption
}

type paymentOptionJSON struct {
	checkoutOptionJSON
	ProviderID string `json:"payment_provider_id"`
}

func showPaymentOption(_ *world.Tx, _ *api.In, o paymentOption) any {
	return paymentOptionJSON{checkoutOptionOnWire(o.option), o.provider}
}

// findOwnOptions lists those of the app, enabled or not.
func findOwnOptions(tx *world.Tx, in *api.In) ([]paymentOption, error) {
	own, err := findPaymentProviders(tx, in)
	return optionsOf(own), err
}

// findActiveOptions lists those that a customer can choose: of providers that are
// enabled, and whose app is in the store.
func findActiveOptions(tx *world.Tx, _ *api.In) ([]paymentOption, error) {
	var active []world.PaymentProvider
	for _, p := range tx.PaymentProviders.All() {
		if p.Enabled && tx.Installed(p.AppID) {
			active = append(active, p)
		}
	}
	slices.SortStableFunc(active, func(a, b world.PaymentProvider) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return optionsOf(active), nil
}

func optionsOf(providers []world.PaymentProvider) []paymentOption {
	var out []paymentOption
	for _, p := range providers {
		for _, o := range p.Options {
			out = append(out, paymentOption{p.ID, o})
		}
	}
	return out
}
