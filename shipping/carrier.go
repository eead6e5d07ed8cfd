package shipping

import (
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Type is what becomes of a parcel: it is brought to the buyer, or waits at a point.
type Type string

// The types of the contract.
const (
	TypeToDoor   Type = "ship"   // brought to the buyer
	TypeToPickup Type = "pickup" // the buyer fetches it
)

// Known reports whether the contract names the type.
func (t Type) Known() bool { return enum.Known(t, TypeToDoor, TypeToPickup) }

// Types are what a carrier offers: TypeToDoor, TypeToPickup, or both. They are written as a string
// separated by commas ("ship,pickup"), and read from that or from a list.
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

// MarshalJSON writes a string separated by commas.
func (all Types) MarshalJSON() ([]byte, error) {
	words := make([]string, len(all))
	for i, t := range all {
		words[i] = string(t)
	}
	return wire.Marshal(strings.Join(words, ","))
}

// UnmarshalJSON reads a string separated by commas, with or without spaces, a list, or null.
func (all *Types) UnmarshalJSON(data []byte) error {
	var words []string
	var text string
	if len(data) > 0 && data[0] == '[' {
		if err := wire.Unmarshal(data, &words); err != nil {
			return err
		}
	} else if err := wire.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("types: want a text separated by commas: %w", err)
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
	// Name is shown to merchants and buyers.
	Name string `json:"name"`
	// CallbackURL is the https address that is asked for rates, where a Handler is.
	CallbackURL string `json:"callback_url"`
	// CallbackLabelsURL is the https address below which labels are asked for, where a
	// LabelHandler is; empty if the carrier makes none. Older answers do not have it.
	CallbackLabelsURL string `json:"callback_labels_url,omitzero"`
	Types             Types  `json:"types"` // what it offers, one or both
	// Active: rates are asked for.
	Active    bool         `json:"active"`
	CreatedAt client.Time  `json:"created_at"`
	UpdatedAt client.Time  `json:"updated_at"`
	Extra     client.Extra `json:",embed"`
}

// CarrierInput is the body of CarrierService.Create and Update. What is absent is left as it
// is by Update.
type CarrierInput struct {
	// Name is shown to merchants and buyers. Create requires it.
	Name string `json:"name,omitzero"`
	// CallbackURL is an https address. Create requires it.
	CallbackURL string `json:"callback_url,omitzero"`
	// Types are one or two. Create requires them.
	Types Types `json:"types,omitzero"`
	// Active is true by default.
	Active client.Opt[bool] `json:"active,omitzero"`
	// CallbackLabelsURL is an https address; null takes it away [inferred].
	CallbackLabelsURL client.Opt[string] `json:"callback_labels_url,omitzero"`
}

func (in CarrierInput) check(creating bool) error {
	switch {
	case (creating || in.Name != "") && !isLine(in.Name):
		return engine.Invalid("name", in.Name, "a text in one line")
	case (creating || in.CallbackURL != "") && !callback.IsHTTPS(in.CallbackURL):
		return engine.Invalid("callback_url", callback.Host(in.CallbackURL), "an https URL")
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
	if labels, ok := in.CallbackLabelsURL.Get(); ok && !callback.IsHTTPS(labels) {
		return engine.Invalid("callback_labels_url", callback.Host(labels), "an https URL, or null")
	}
	return nil
}
