package promotions

import (
	"cmp"
	"fmt"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Promotion is a set of business rules that the app has in a store. It becomes a discount when it is applied to a
// cart.
type Promotion struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name"` // displayed to the merchant
	// Tier cannot be changed after creation.
	Tier Tier `json:"allocation_type"`
	// Active is false for a disabled promotion. Plans do not receive it, and it is removed from carts that have it.
	Active bool `json:"active"`
	Combination
	Extra client.Extra `json:",embed"`
}

// Combination defines the discounts with which a promotion can be combined.
type Combination struct {
	WithQuantityDiscounts   bool `json:"combines_with_quantity_discounts"`    // quantity discounts
	WithFreeShipping        bool `json:"combines_with_free_shipping"`         // free shipping
	WithCartAmountDiscounts bool `json:"combines_with_cart_amount_discounts"` // discounts on the amount of the cart
	WithAppDiscounts        bool `json:"combines_with_app_discounts"`         // discounts of apps
	WithPriceDiscounts      bool `json:"combines_with_price_discounts"`       // promotional prices
	// WithOtherDiscounts is deprecated by the platform in favor of the others.
	WithOtherDiscounts bool `json:"combines_with_other_discounts"`
}

// Input is the body of PromotionService.Create.
type Input struct {
	// Name is required.
	Name string `json:"name"`
	// Tier is required and cannot be changed later.
	Tier        Tier   `json:"allocation_type"`
	Description string `json:"description,omitzero"` // for the customer
	Disclaimer  string `json:"disclaimer,omitzero"`  // the terms
	// Active enables the promotion. If absent, the platform decides. The contract does not specify the default
	// [inferred: enabled]. Plans do not receive disabled promotions.
	Active client.Opt[bool] `json:"active,omitzero"`
	// Translations are the texts by language, each language once.
	Translations []Translation `json:"translations,omitzero"`
	CombinationInput
}

// Differences returns the wire names of the members of in with other values in p, such as "active". It returns nil if
// there are none. Members that are absent in in are not compared. Texts are not compared either, because the platform
// does not return them.
func (in Input) Differences(p *Promotion) []string {
	return wire.Differences(in, p, "description", "disclaimer", "translations")
}

// Translation holds a promotion's texts in one language.
type Translation struct {
	Lang        string `json:"lang"`                 // required
	Name        string `json:"name"`                 // required
	Description string `json:"description,omitzero"` // for the customer
	Disclaimer  string `json:"disclaimer,omitzero"`  // the terms
}

// Update is the body of PromotionService.Update. Members that are absent are not changed.
type Update struct {
	Active client.Opt[bool] `json:"active,omitzero"` // enables or disables it
	CombinationInput
}

// CombinationInput defines the discounts with which a promotion can be combined. The platform decides about members
// that are absent.
type CombinationInput struct {
	WithQuantityDiscounts   client.Opt[bool] `json:"combines_with_quantity_discounts,omitzero"`    // quantity discounts
	WithFreeShipping        client.Opt[bool] `json:"combines_with_free_shipping,omitzero"`         // free shipping
	WithCartAmountDiscounts client.Opt[bool] `json:"combines_with_cart_amount_discounts,omitzero"` // discounts on the amount of the cart
	WithAppDiscounts        client.Opt[bool] `json:"combines_with_app_discounts,omitzero"`         // discounts of apps
	WithPriceDiscounts      client.Opt[bool] `json:"combines_with_price_discounts,omitzero"`       // promotional prices
	// WithOtherDiscounts is deprecated by the platform, and rejected together with the others.
	WithOtherDiscounts client.Opt[bool] `json:"combines_with_other_discounts,omitzero"`
}

func (in CombinationInput) granular() bool {
	return !in.WithQuantityDiscounts.IsZero() || !in.WithFreeShipping.IsZero() || !in.WithCartAmountDiscounts.IsZero() ||
		!in.WithAppDiscounts.IsZero() || !in.WithPriceDiscounts.IsZero()
}

func (in CombinationInput) check() error {
	const name = "combines_with_"
	for field, flag := range map[string]client.Opt[bool]{
		"quantity_discounts": in.WithQuantityDiscounts, "free_shipping": in.WithFreeShipping, "cart_amount_discounts": in.WithCartAmountDiscounts,
		"app_discounts": in.WithAppDiscounts, "price_discounts": in.WithPriceDiscounts, "other_discounts": in.WithOtherDiscounts,
	} {
		if flag.IsNull() {
			return engine.Invalid(name+field, nil, "true, false or nothing")
		}
	}
	if other, ok := in.WithOtherDiscounts.Get(); ok && in.granular() {
		return engine.Invalid(name+"other_discounts", other, "unset if granular fields are set, because it is deprecated")
	}
	return nil
}

func (in Input) check() error {
	switch {
	case in.Name == "":
		return engine.Invalid("name", in.Name, "a name")
	case !in.Tier.Known():
		return engine.Invalid("allocation_type", in.Tier, "line_item or cross_items")
	case in.Active.IsNull():
		return engine.Invalid("active", nil, "true, false or nothing")
	}
	return cmp.Or(checkTranslations(in.Translations), in.CombinationInput.check())
}

func checkTranslations(all []Translation) error {
	seen := make(map[string]bool, len(all))
	for i, t := range all {
		switch {
		case t.Lang == "":
			return engine.Invalid(fmt.Sprintf("translations[%d].lang", i), t.Lang, "a language")
		case seen[t.Lang]:
			return engine.Invalid(fmt.Sprintf("translations[%d].lang", i), t.Lang, "each language once")
		case t.Name == "":
			return engine.Invalid(fmt.Sprintf("translations[%d].name", i), t.Name, "a name")
		}
		seen[t.Lang] = true
	}
	return nil
}

func (u Update) check() error {
	switch {
	case u.Active.IsNull():
		return engine.Invalid("active", nil, "true, false or nothing")
	case u.Active.IsZero() && u.WithOtherDiscounts.IsZero() && !u.granular():
		return engine.Invalid("update", "", "something to change")
	}
	return u.CombinationInput.check()
}
