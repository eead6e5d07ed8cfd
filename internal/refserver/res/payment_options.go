package res

import (
	"maps"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// paymentOptionOps list the ways to pay by provider, to any app: the ways of all providers in the store, and the ways
// that customers can choose. The first has a translation_key, which is assumed to be null where an app has made the
// option.
func paymentOptionOps() []api.Op {
	return []api.Op{
		{ID: "payment_providers.options", Method: "GET", Path: "/payment_providers/options",
			Scopes: []string{"read_payments"}, Provenance: api.Supplement,
			Paging: api.Paging{Whole: true, EmptyOK: true}, Handler: api.Collection(findPaymentOptions, showPaymentOptions)},
		{ID: "payment_options.list", Method: "GET", Path: "/payment-options",
			Scopes: []string{"read_payment_options"}, Provenance: api.Supplement,
			Paging: api.Paging{Whole: true, EmptyOK: true}, Handler: api.Collection(findActiveOptions, showActiveOptions)},
	}
}

// optionsJSON are the options of a provider.
type optionsJSON[T any] struct {
	ID      string  `json:"id"`
	Name    string  `json:"name"`
	LogoURL *string `json:"logo_url"`
	Options []T     `json:"checkout_payment_options"`
}

type activeOptionJSON struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Types       []string `json:"supported_payment_method_types"`
	Integration string   `json:"integration_type"`
}

type providedOptionJSON struct {
	activeOptionJSON
	TranslationKey *string `json:"translation_key"`
}

func showPaymentOptions(_ *world.Tx, _ *api.In, p world.PaymentProvider) any {
	return optionsOnWire(p, func(o world.CheckoutOption) providedOptionJSON {
		return providedOptionJSON{activeOptionJSON: activeOptionOnWire(o)}
	})
}

func showActiveOptions(_ *world.Tx, _ *api.In, p world.PaymentProvider) any {
	return optionsOnWire(p, activeOptionOnWire)
}

func optionsOnWire[T any](p world.PaymentProvider, option func(world.CheckoutOption) T) optionsJSON[T] {
	out := optionsJSON[T]{ID: p.ID, Name: p.Name, Options: each(p.Options, option)}
	for _, dimension := range slices.Sorted(maps.Keys(p.LogoURLs)) { // the largest one is the last
		out.LogoURL = api.TextOrNil(p.LogoURLs[dimension])
	}
	return out
}

func activeOptionOnWire(o world.CheckoutOption) activeOptionJSON {
	return activeOptionJSON{o.ID, o.Name, orEmpty(o.Types), o.Integration}
}

// findPaymentOptions lists the providers of every app in the store, enabled or not, the oldest first.
func findPaymentOptions(tx *world.Tx, _ *api.In) ([]world.PaymentProvider, error) {
	return tx.ProvidersInStore(), nil
}

// findActiveOptions lists the options that a customer can choose.
func findActiveOptions(tx *world.Tx, _ *api.In) ([]world.PaymentProvider, error) {
	return slices.DeleteFunc(tx.ProvidersInStore(), func(p world.PaymentProvider) bool { return !p.Enabled }), nil
}
