package providers

import "github.com/commerceplatform/commerce-go/client"

// StoreProvider is any payment provider of a store. This includes providers of other apps and the platform's own.
type StoreProvider struct {
	// ID is equal to Provider.ID, a UUID, for a provider of an app. Other strings are ids of the platform's own.
	ID      client.Code   `json:"id"`
	Name    string        `json:"name"`                     // displayed to merchants
	LogoURL string        `json:"logo_url"`                 // empty if unset
	Options []StoreOption `json:"checkout_payment_options"` // the options at the checkout
	Extra   client.Extra  `json:",embed"`
}

// StoreOption is a checkout option of any provider of the store.
type StoreOption struct {
	// ID is chosen by the provider. It is not necessarily a UUID.
	ID          client.Code     `json:"id"`
	Name        string          `json:"name"`                           // displayed to customers
	MethodTypes []MethodType    `json:"supported_payment_method_types"` // such as pix
	Integration IntegrationType `json:"integration_type"`               // empty if unset
	// TranslationKey is the key of the platform's own translation of the name. Only ProviderService.Options returns
	// it, and it may be empty.
	TranslationKey string       `json:"translation_key,omitzero"`
	Extra          client.Extra `json:",embed"`
}
