package shipping

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Option is a service of a carrier, which the merchant can switch on and off. A rate is shown
// only if its code is that of an active option, letter by letter.
type Option struct {
	ID client.ID `json:"id"`
	// Code ties rates to the option. It is unique in the carrier.
	Code string `json:"code"`
	Name string `json:"name"` // as the buyer sees it
	// AdditionalDays are added to the delivery estimate by the platform, as the merchant has
	// it. Rates must not contain them.
	AdditionalDays client.Int `json:"additional_days"`
	// AdditionalCost is added to the consumer's price by the platform, as the merchant has
	// it. Rates must not contain it.
	AdditionalCost client.MoneyNumber `json:"additional_cost"`
	// AllowFreeShipping: the merchant may offer the option for nothing.
	AllowFreeShipping bool         `json:"allow_free_shipping"`
	Active            bool         `json:"active"` // false hides its rates
	CreatedAt         client.Time  `json:"created_at"`
	UpdatedAt         client.Time  `json:"updated_at"`
	Extra             client.Extra `json:",embed"`
}

// OptionInput is the body of CarrierService.CreateOption and UpdateOption. What is absent is
// left as it is by UpdateOption.
type OptionInput struct {
	// Code is unique in the carrier. CreateOption requires it.
	Code string `json:"code,omitzero"`
	// Name is required by CreateOption.
	Name string `json:"name,omitzero"`
	// AdditionalDays is 0 by default.
	AdditionalDays client.Opt[int] `json:"additional_days,omitzero"`
	// AdditionalCost is 0 by default, in the currency of the store.
	AdditionalCost client.Opt[client.MoneyNumber] `json:"additional_cost,omitzero"`
	// AllowFreeShipping is false when an option is created: CreateOption sends that by itself
	// and refuses true, which is the merchant's to say later.
	AllowFreeShipping client.Opt[bool] `json:"allow_free_shipping,omitzero"`
	// Active is true by default.
	Active client.Opt[bool] `json:"active,omitzero"`
}

// Differences names the members of in that o has other values for, as they are called on the wire ("additional_cost");
// nil if it has all of them. Members that are absent in in are not compared.
func (in OptionInput) Differences(o *Option) []string { return wire.Differences(in, o) }

func (in OptionInput) check(creating bool) error {
	days, _ := in.AdditionalDays.Get()
	cost, _ := in.AdditionalCost.Get()
	free, _ := in.AllowFreeShipping.Get()
	switch {
	case (creating || in.Code != "") && !isLine(in.Code):
		return engine.Invalid("code", in.Code, "a text in one line")
	case (creating || in.Name != "") && !isLine(in.Name):
		return engine.Invalid("name", in.Name, "a text in one line")
	case in.AdditionalDays.IsNull() || days < 0:
		return engine.Invalid("additional_days", days, "0 or more")
	case in.AdditionalCost.IsNull() || cost.Cmp(client.Cents(0)) < 0:
		return engine.Invalid("additional_cost", cost, "0 or more")
	case in.AllowFreeShipping.IsNull():
		return engine.Invalid("allow_free_shipping", nil, "true or false")
	case creating && free:
		return engine.Invalid("allow_free_shipping", true, "false, or nothing, in a new option")
	case in.Active.IsNull():
		return engine.Invalid("active", nil, "true or false")
	}
	return nil
}

// StoreCarrier is any carrier of the store, those of other apps and the platform's own
// among them.
type StoreCarrier struct {
	// ID is a text, unlike that of Carrier.
	ID      client.Code   `json:"id"`
	Name    string        `json:"name"`    // as buyers see it
	Options []StoreOption `json:"options"` // its services
	Extra   client.Extra  `json:",embed"`
}

// StoreOption is an option of any carrier of the store.
type StoreOption struct {
	// ID is a text, unlike that of Option.
	ID                client.Code  `json:"id"`
	Name              string       `json:"name"`                // as buyers see it
	Code              string       `json:"code"`                // unique in its carrier
	AllowFreeShipping bool         `json:"allow_free_shipping"` // the merchant lets it be free
	Extra             client.Extra `json:",embed"`
}
