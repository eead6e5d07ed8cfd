package shop

import (
	"maps"
	"regexp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

var languageID = regexp.MustCompile(`^[a-z]{2,3}(-[a-z]{2})?$`)

// displayText is optional; its keys are language ids such as es-ar.
func (m members) displayText() (map[string]string, error) {
	if !m.has("display_text") {
		return nil, nil
	}
	v := m.at("display_text")
	texts, err := v.free()
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, language := range slices.Sorted(maps.Keys(texts.by)) {
		if !languageID.MatchString(language) {
			return nil, v.wrong("%q is not a language id such as es-ar", language)
		}
		if out[language], err = texts.text(language); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// amountForm has two decimals and a point.
var amountForm = regexp.MustCompile(`^(0|[1-9][0-9]{0,14})\.[0-9]{2}$`)

// reduction reads discount_specs.
func (m members) reduction() (world.Reduction, error) {
	var r world.Reduction
	v, err := m.need("discount_specs")
	if err != nil {
		return r, err
	}
	specs, err := v.object("type", "amount")
	if err != nil {
		return r, err
	}
	kind, err := specs.need("type")
	if err != nil {
		return r, err
	}
	name, err := kind.oneOf("fixed", "percentage")
	if err != nil {
		return r, err
	}
	amount, err := specs.text("amount")
	if err != nil {
		return r, err
	}
	if !amountForm.MatchString(amount) {
		return r, specs.at("amount").wrong("%q is not an amount with two decimals and a point", amount)
	}
	r.Percentage = name == "percentage"
	if r.Amount, err = decimal.NewFromString(amount); err != nil {
		return r, specs.at("amount").wrong("%q is not an amount", amount)
	}
	if r.Percentage && r.Amount.GreaterThan(decimal.NewFromInt(100)) {
		return r, specs.at("amount").wrong("%s percent is more than 100", amount)
	}
	return r, nil
}
