package discounts

import (
	"cmp"
	"fmt"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Promotion is a set of business rules that the app has in a store. It becomes a
// discount by being applied to a cart.
type Promotion struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name"` // as the merchant sees it
	// Tier cannot be changed after creation.
	Tier Tier `json:"allocation_type"`
	// Active is false for a promotion that is switched off: plans do not get it, and it
	// is removed from carts that have it.
	Active bool `json:"active"`
	Combination
	Extra client.Extra `json:",embed"`
}

// Combination says what a promotion may act together with.
type Combination struct {
	WithQuantityDiscounts   bool `json:"combines_with_quantity_discounts"`    // with those for quantities
	WithFreeShipping        bool `json:"combines_with_free_shipping"`         // with free deliveries
	WithCartAmountDiscounts bool `json:"combines_with_cart_amount_discounts"` // with those for the amount of the cart
	WithAppDiscounts        bool `json:"combines_with_app_discounts"`         // with those of apps
	WithPriceDiscounts      bool `json:"combines_with_price_discounts"`       // with promotional prices
	// WithOtherDiscounts is deprecated by the platform in favour of the others.
	WithOtherDiscounts bool `json:"combines_with_other_discounts"`
}

// Input is a new promotion.
type Input struct {
	// Name is required.
	Name string `json:"name"`
	// Tier is required and cannot be changed later.
	Tier        Tier   `json:"allocation_type"`
	Description string `json:"description,omitzero"` // for the consumer
	Disclaimer  string `json:"disclaimer,omitzero"`  // the terms
	// Active says whether it begins switched on. What is absent is left to the platform, which
	// does not say what it does then [inferred: on]. Plans get none that is switched off.
	Active client.Opt[bool] `json:"active,omitzero"`
	// Translations are the texts by language, each language once.
	Translations []Translation `json:"translations,omitzero"`
	CombinationInput
}

// Differences names the members of in that p has other values for, as they are called on the wire ("active"); nil if it
// has all of them. Members that are absent in in are not compared, nor are the texts, which no promotion has when it is
// read.
func (in Input) Differences(p *Promotion) []string {
	return wire.Differences(in, p, "description", "disclaimer", "translations")
}

// Translation is a promotion's texts in a language.
type Translation struct {
	Lang        string `json:"lang"`                 // required
	Name        string `json:"name"`                 // required
	Description string `json:"description,omitzero"` // for the consumer
	Disclaimer  string `json:"disclaimer,omitzero"`  // the terms
}

// Update changes a promotion. What is absent stays.
type Update struct {
	Active client.Opt[bool] `json:"active,omitzero"` // switches it on or off
	CombinationInput
}

// CombinationInput says what a promotion may act together with. What is absent is
// left to the platform.
type CombinationInput struct {
	WithQuantityDiscounts   client.Opt[bool] `json:"combines_with_quantity_discounts,omitzero"`    // with those for quantities
	WithFreeShipping        client.Opt[bool] `json:"combines_with_free_shipping,omitzero"`         // with free deliveries
	WithCartAmountDiscounts client.Opt[bool] `json:"combines_with_cart_amount_discounts,omitzero"` // with those for the amount of the cart
	WithAppDiscounts        client.Opt[bool] `json:"combines_with_app_discounts,omitzero"`         // with those of apps
	WithPriceDiscounts      client.Opt[bool] `json:"combines_with_price_discounts,omitzero"`       // with promotional prices
	// WithOtherDiscounts is deprecated by the platform, and refused beside the others.
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
		return engine.Invalid(name+"other_discounts", other, "nothing beside the granular fields: it is deprecated")
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
