package res

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
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
		"name " + beString, "name " + notEmpty, "description " + beString, "disclaimer " + beString, "active " + beBool,
		combinesOld + " " + notWithOthers, "translations " + beArray, "translations.0 " + beObject,
		"translations.0.lang " + beString, "translations.0.lang " + notEmpty, "translations.0.name " + beString, "translations.0.name " + notEmpty,
		"translations.0.description " + beString, "translations.0.disclaimer " + beString,
	}
	for _, name := range append(combinesNames(), combinesOld) {
		texts = append(texts, name+" "+beBool)
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

// complaints are what is wrong with a body, in the order it was found. The answer is
// 400 with one text for each.
type complaints struct{ list []string }

func (c *complaints) add(member, fault string) { c.list = append(c.list, member+" "+fault) }

func (c *complaints) err() error {
	if len(c.list) == 0 {
		return nil
	}
	return api.Exception(http.StatusBadRequest, "BadRequestException", c.list...)
}

// members are those of an object in a body that have not been read yet.
type members struct {
	path  string
	left  map[string]json.RawMessage
	wrong *complaints
}

func (m members) take(name string) (json.RawMessage, bool) {
	raw, ok := m.left[name]
	delete(m.left, name)
	return raw, ok
}

// member reads one of the type into to. One that is null is refused: nothing of a
// promotion can be cleared so.
func member[T any](m members, name, fault string, to *T) bool {
	raw, ok := m.take(name)
	if !ok {
		return false
	}
	var v T
	if isNull(raw) || json.Unmarshal(raw, &v) != nil {
		m.wrong.add(m.path+name, fault)
		return false
	}
	*to = v
	return true
}

// need reads a text that has to be there, if it is not there already.
func (m members) need(name string, to *string) {
	if _, sent := m.left[name]; !sent && *to == "" {
		m.wrong.add(m.path+name, beString)
		return
	}
	if member(m, name, beString, to) && strings.TrimSpace(*to) == "" {
		m.wrong.add(m.path+name, notEmpty)
	}
}

// leave notes what nothing has read.
func (m members) leave(in *api.In) {
	for _, name := range slices.Sorted(maps.Keys(m.left)) {
		in.MarkUnread(m.path + name)
	}
}

// readMembers reads a body that is an object.
func readMembers(in *api.In, wrong *complaints) (members, error) {
	m := members{left: map[string]json.RawMessage{}, wrong: wrong}
	if len(in.Raw) == 0 {
		return m, nil
	}
	if err := json.Unmarshal(in.Raw, &m.left); err != nil || m.left == nil {
		return m, api.Malformed()
	}
	return m, nil
}

// readPromotion returns the promotion with what the body changes. One that has no id
// yet needs a name and a tier, which it keeps.
func readPromotion(in *api.In, p world.Promotion) (world.Promotion, error) {
	var wrong complaints
	m, err := readMembers(in, &wrong)
	if err != nil {
		return p, err
	}
	m.need("name", &p.Name)
	m.tier(&p)
	member(m, "description", beString, &p.Description)
	member(m, "disclaimer", beString, &p.Disclaimer)
	member(m, "active", beBool, &p.Active)
	m.combines(&p.Combines)
	m.translations(in, &p.Translations)
	m.take("id")
	m.leave(in)
	return p, wrong.err()
}

func (m members) tier(p *world.Promotion) {
	raw, sent := m.take("allocation_type")
	var tier world.Tier
	known := json.Unmarshal(raw, &tier) == nil && slices.Contains(world.Tiers(), tier)
	switch {
	case p.ID == "" && !known:
		m.wrong.add("allocation_type", beTier)
	case p.ID == "":
		p.Tier = tier
	case sent && tier != p.Tier:
		m.wrong.add("allocation_type", fixedTier)
	}
}

// combines reads the granular settings, or the deprecated one, which stands for all of
// them and must not be sent together with any.
func (m members) combines(c *world.Combines) {
	settings := []*bool{&c.QuantityDiscounts, &c.FreeShipping, &c.CartAmountDiscounts, &c.AppDiscounts, &c.PriceDiscounts}
	granular := false
	for i, name := range combinesNames() {
		_, sent := m.left[name]
		granular = granular || sent
		member(m, name, beBool, settings[i])
	}
	_, sent := m.left[combinesOld]
	var all bool
	switch read := member(m, combinesOld, beBool, &all); {
	case sent && granular:
		m.wrong.add(combinesOld, notWithOthers)
	case read:
		for _, setting := range settings {
			*setting = all
		}
	}
}

// translations replace those that were there.
func (m members) translations(in *api.In, to *[]world.PromotionText) {
	var list []json.RawMessage
	if !member(m, "translations", beArray, &list) {
		return
	}
	*to = nil
	for i, raw := range list {
		at := "translations." + strconv.Itoa(i)
		t := members{path: at + ".", wrong: m.wrong}
		if json.Unmarshal(raw, &t.left) != nil || t.left == nil {
			m.wrong.add(at, beObject)
			continue
		}
		var text world.PromotionText
		t.need("lang", &text.Language)
		t.need("name", &text.Name)
		member(t, "description", beString, &text.Description)
		member(t, "disclaimer", beString, &text.Disclaimer)
		t.leave(in)
		*to = append(*to, text)
	}
}
