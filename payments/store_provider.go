package payments

import "github.com/commerceplatform/commerce-go/client"

// StoreProvider is any payment provider of a store, those of other apps and the platform's own among them.
type StoreProvider struct {
	// ID is that of Provider for a provider of an app, a UUID, and another text for those of the platform.
	ID      client.Code   `json:"id"`
	Name    string        `json:"name"`                     // as merchants see it
	LogoURL string        `json:"logo_url"`                 // empty if there is none
	Options []StoreOption `json:"checkout_payment_options"` // what customers choose from
	Extra   client.Extra  `json:",embed"`
}

// StoreOption is a checkout option of any provider of the store.
type StoreOption struct {
	// ID is the provider's own text, a UUID or not.
	ID          client.Code     `json:"id"`
	Name        string          `json:"name"`                           // as consumers see it
	MethodTypes []MethodType    `json:"supported_payment_method_types"` // such as pix
	Integration IntegrationType `json:"integration_type"`               // empty if the platform does not say
	// TranslationKey names the platform's own translation of the name. Only ProviderService.Options has it, and it may
	// be empty.
	TranslationKey string       `json:"translation_key,omitzero"`
	Extra          client.Extra `json:",embed"`
}
