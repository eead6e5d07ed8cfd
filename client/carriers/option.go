package carriers

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Option is a service of a carrier, which the merchant can enable and disable. A rate is displayed only if its code
// is exactly the code of an active option.
type Option struct {
	ID client.ID `json:"id"`
	// Code links rates to the option. It is unique within the carrier.
	Code string `json:"code"`
	Name string `json:"name"` // displayed to the customer
	// AdditionalDays are set by the merchant. The platform adds them to the delivery estimate. Rates must not include
	// them.
	AdditionalDays client.Int `json:"additional_days"`
	// AdditionalCost is set by the merchant. The platform adds it to the customer's price. Rates must not include it.
	AdditionalCost client.MoneyNumber `json:"additional_cost"`
	// AllowFreeShipping means that the merchant may offer the option for free.
	AllowFreeShipping bool         `json:"allow_free_shipping"`
	Active            bool         `json:"active"` // false hides its rates
	CreatedAt         client.Time  `json:"created_at"`
	UpdatedAt         client.Time  `json:"updated_at"`
	Extra             client.Extra `json:",embed"`
}

// OptionInput is the body of CarrierService.CreateOption and UpdateOption. UpdateOption does not change members that
// are absent.
type OptionInput struct {
	// Code is unique within the carrier. CreateOption requires it.
	Code string `json:"code,omitzero"`
	// Name is required by CreateOption.
	Name string `json:"name,omitzero"`
	// AdditionalDays is 0 by default.
	AdditionalDays client.Opt[int] `json:"additional_days,omitzero"`
	// AdditionalCost is 0 by default, in the currency of the store.
	AdditionalCost client.Opt[client.MoneyNumber] `json:"additional_cost,omitzero"`
	// AllowFreeShipping must be false when an option is created. CreateOption sends false by default and rejects
	// true. The merchant can enable it later.
	AllowFreeShipping client.Opt[bool] `json:"allow_free_shipping,omitzero"`
	// Active is true by default.
	Active client.Opt[bool] `json:"active,omitzero"`
}

// Differences returns the wire names of the members of in with other values in o, such as "additional_cost". It
// returns nil if there are none. Members that are absent in in are not compared.
func (in OptionInput) Differences(o *Option) []string { return wire.Differences(in, o) }

func (in OptionInput) check(creating bool) error {
	days, _ := in.AdditionalDays.Get()
	cost, _ := in.AdditionalCost.Get()
	free, _ := in.AllowFreeShipping.Get()
	switch {
	case (creating || in.Code != "") && !wire.IsLine(in.Code):
		return engine.Invalid("code", in.Code, "a text in one line")
	case (creating || in.Name != "") && !wire.IsLine(in.Name):
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

// StoreCarrier is any carrier of the store. This includes carriers of other apps and the platform's own.
type StoreCarrier struct {
	// ID is a string, unlike Carrier.ID.
	ID      client.Code   `json:"id"`
	Name    string        `json:"name"`    // displayed to customers
	Options []StoreOption `json:"options"` // its services
	Extra   client.Extra  `json:",embed"`
}

// StoreOption is an option of any carrier of the store.
type StoreOption struct {
	// ID is a string, unlike Option.ID.
	ID                client.Code  `json:"id"`
	Name              string       `json:"name"`                // displayed to customers
	Code              string       `json:"code"`                // unique within its carrier
	AllowFreeShipping bool         `json:"allow_free_shipping"` // the merchant allows free shipping
	Extra             client.Extra `json:",embed"`
}
