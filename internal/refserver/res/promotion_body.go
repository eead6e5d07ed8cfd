package res

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Refusals of the bodies of discount apps. "name must be a string" is the contract's;
// the others are in its manner and assumed.
const (
	beTier         = "must be one of the following values: line_item, cross_items"
	fixedTier      = "cannot be changed"
	notWithOthers  = "must not be sent together with the other combination fields"
	combinesPrefix = "combines_with_"
	combinesOld    = combinesPrefix + "other_discounts"
)

// promotionFaults are those of a body, of which a new promotion has some more.
func promotionFaults(anew bool) []api.ErrCase {
	texts := []string{
		"name " + body.BeString, "name " + body.NotEmpty, "description " + body.BeString, "disclaimer " + body.BeString,
		"active " + body.BeBool,
		combinesOld + " " + notWithOthers, "translations " + body.BeArray, "translations.0 " + body.BeObject,
		"translations.0.lang " + body.BeString, "translations.0.lang " + body.NotEmpty,
		"translations.0.name " + body.BeString, "translations.0.name " + body.NotEmpty,
		"translations.0.description " + body.BeString, "translations.0.disclaimer " + body.BeString,
	}
	for _, name := range append(combinesNames(), combinesOld) {
		texts = append(texts, name+" "+body.BeBool)
	}
	if anew {
		texts = append(texts, "allocation_type "+beTier)
	} else {
		texts = append(texts, "allocation_type "+fixedTier)
	}
	return refusals(http.StatusBadRequest, texts)
}

// combinesNames are the granular settings, in the order of their fields.
func combinesNames() []string {
	names := []string{"quantity_discounts", "free_shipping", "cart_amount_discounts", "app_discounts", "price_discounts"}
	return each(names, func(name string) string { return combinesPrefix + name })
}

// readPromotion returns the promotion with what the body changes. One that has no id
// yet needs a name and a tier, which it keeps. Nothing of a promotion can be cleared by
// null.
func readPromotion(in *api.In, p world.Promotion) (world.Promotion, error) {
	b, err := body.Read(in)
	if err != nil {
		return p, err
	}
	b = b.Solid()
	readPromotionName(b, "name", &p.Name)
	readTier(b, &p)
	b.Text("description", &p.Description)
	b.Text("disclaimer", &p.Disclaimer)
	b.Bool("active", &p.Active)
	readCombines(b, &p.Combines)
	// Translations replace the former ones.
	b.List("translations", func() { p.Translations = nil }, func(b body.Members) {
		var t world.PromotionText
		readPromotionName(b, "lang", &t.Language)
		readPromotionName(b, "name", &t.Name)
		b.Text("description", &t.Description)
		b.Text("disclaimer", &t.Disclaimer)
		p.Translations = append(p.Translations, t)
	})
	b.Ignore("id")
	return p, b.Done(in).Exception()
}

// readPromotionName reads a text that has to be there, if it is not there already.
func readPromotionName(b body.Members, name string, to *string) {
	if !b.Has(name) && *to == "" {
		b.Refuse(name, body.BeString)
	} else if b.Text(name, to) && strings.TrimSpace(*to) == "" {
		b.Refuse(name, body.NotEmpty)
	}
}

func readTier(b body.Members, p *world.Promotion) {
	const name = "allocation_type"
	sent := b.Has(name)
	var tier world.Tier
	known := json.Unmarshal(b.Raw(name), &tier) == nil && slices.Contains(world.Tiers(), tier)
	switch {
	case p.ID == "" && !known:
		b.Refuse(name, beTier)
	case p.ID == "":
		p.Tier = tier
	case sent && tier != p.Tier:
		b.Refuse(name, fixedTier)
	}
}

// readCombines reads the granular settings, or the deprecated one, which sets all of them and must not be sent together
// with any.
func readCombines(b body.Members, c *world.Combines) {
	settings := []*bool{&c.QuantityDiscounts, &c.FreeShipping, &c.CartAmountDiscounts, &c.AppDiscounts, &c.PriceDiscounts}
	granular := false
	for i, name := range combinesNames() {
		granular = granular || b.Has(name)
		b.Bool(name, settings[i])
	}
	sent := b.Has(combinesOld)
	var all bool
	switch read := b.Bool(combinesOld, &all); {
	case sent && granular:
		b.Refuse(combinesOld, notWithOthers)
	case read:
		for _, setting := range settings {
			*setting = all
		}
	}
}
