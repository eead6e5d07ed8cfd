package carriers

import (
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/address"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Type is a way of delivery: to the customer's door, or to a pickup point.
type Type string

// The types of the contract.
const (
	TypeToDoor   Type = "ship"   // delivered to the customer
	TypeToPickup Type = "pickup" // collected by the customer
)

// Known reports whether the contract names the type.
func (t Type) Known() bool { return wire.Known(t, TypeToDoor, TypeToPickup) }

// Types are the ways of delivery that a carrier offers: TypeToDoor, TypeToPickup, or both. The JSON form is a
// comma-separated string ("ship,pickup"). A list is also accepted.
type Types []Type

// Has reports whether t is among the types.
func (all Types) Has(t Type) bool {
	for _, one := range all {
		if one == t {
			return true
		}
	}
	return false
}

// MarshalJSON writes a comma-separated string.
func (all Types) MarshalJSON() ([]byte, error) {
	words := make([]string, len(all))
	for i, t := range all {
		words[i] = string(t)
	}
	return wire.Marshal(strings.Join(words, ","))
}

// UnmarshalJSON reads a comma-separated string, with or without spaces, a list, or null.
func (all *Types) UnmarshalJSON(data []byte) error {
	var words []string
	var text string
	if len(data) > 0 && data[0] == '[' {
		if err := wire.Unmarshal(data, &words); err != nil {
			return err
		}
	} else if err := wire.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("types: must be a comma-separated string: %w", err)
	} else {
		words = strings.Split(text, ",")
	}
	*all = nil
	for _, word := range words {
		if word = strings.TrimSpace(word); word != "" {
			*all = append(*all, Type(word))
		}
	}
	return nil
}

// Carrier is a shipping carrier of the app in a store.
type Carrier struct {
	ID client.ID `json:"id"`
	// Name is displayed to merchants and customers.
	Name string `json:"name"`
	// CallbackURL is the HTTPS URL of a Handler, from which the platform requests rates.
	CallbackURL string `json:"callback_url"`
	// CallbackLabelsURL is the HTTPS URL prefix of a LabelHandler, from which the platform requests labels. It is
	// empty if the carrier makes no labels. Older responses do not have it.
	CallbackLabelsURL string `json:"callback_labels_url,omitzero"`
	Types             Types  `json:"types"` // one or both
	// Active reports whether the platform requests rates.
	Active    bool         `json:"active"`
	CreatedAt client.Time  `json:"created_at"`
	UpdatedAt client.Time  `json:"updated_at"`
	Extra     client.Extra `json:",embed"`
}

// CarrierInput is the body of CarrierService.Create and Update. Update does not change members that are absent.
type CarrierInput struct {
	// Name is displayed to merchants and customers. Create requires it.
	Name string `json:"name,omitzero"`
	// CallbackURL is an HTTPS URL. Create requires it.
	CallbackURL string `json:"callback_url,omitzero"`
	// Types has one or two values. Create requires it.
	Types Types `json:"types,omitzero"`
	// Active is true by default.
	Active client.Opt[bool] `json:"active,omitzero"`
	// CallbackLabelsURL is an HTTPS URL. Null removes it [inferred].
	CallbackLabelsURL client.Opt[string] `json:"callback_labels_url,omitzero"`
}

func (in CarrierInput) check(creating bool) error {
	switch {
	case (creating || in.Name != "") && !wire.IsLine(in.Name):
		return engine.Invalid("name", in.Name, "a text in one line")
	case (creating || in.CallbackURL != "") && !address.IsHTTPS(in.CallbackURL):
		return engine.Invalid("callback_url", address.Host(in.CallbackURL), "an https URL")
	case (creating || in.Types != nil) && len(in.Types) == 0:
		return engine.Invalid("types", in.Types, "ship, pickup, or both")
	case in.Active.IsNull():
		return engine.Invalid("active", nil, "true or false")
	}
	for i, t := range in.Types {
		if !t.Known() || Types(in.Types[:i]).Has(t) {
			return engine.Invalid("types", in.Types, "ship, pickup, or both, each once")
		}
	}
	if labels, ok := in.CallbackLabelsURL.Get(); ok && !address.IsHTTPS(labels) {
		return engine.Invalid("callback_labels_url", address.Host(labels), "an https URL, or null")
	}
	return nil
}
