package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
)

// offers are what the merchant offers, as the file says.
type offers struct {
	ThreeForTwo threeForTwo `json:"three_for_two"`
	Bundle      bundle      `json:"bundle"`
	Tiers       tiers       `json:"tiers"`
}

// offer is what all offers have: the name of the promotion, and what the consumer sees.
type offer struct {
	Promotion string            `json:"promotion"`
	Text      map[string]string `json:"text"`
}

// isLanguage is what the platform takes for one: es, or es-ar.
var isLanguage = regexp.MustCompile(`^[a-z]{2}(-[a-z]{2})?$`)

// readOffers reads the file and refuses what would go wrong with the first cart.
func readOffers(data []byte) (*offers, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	o := new(offers)
	if err := dec.Decode(o); err != nil {
		return nil, fmt.Errorf("offers: %w", err)
	}
	for name, of := range map[string]offer{"three_for_two": o.ThreeForTwo.offer, "bundle": o.Bundle.offer, "tiers": o.Tiers.offer} {
		if of.Promotion == "" {
			return nil, fmt.Errorf("offers: %s: want the name of a promotion", name)
		}
		for lang, text := range of.Text {
			if !isLanguage.MatchString(lang) || text == "" {
				return nil, fmt.Errorf("offers: %s: text in %q: want a language such as es-ar and a text", name, lang)
			}
		}
	}
	if o.ThreeForTwo.Category == "" {
		return nil, fmt.Errorf("offers: three_for_two: want the handle of a category")
	}
	if len(o.Bundle.SKUs) < 2 || o.Bundle.Price.Cmp(client.Cents(0)) <= 0 {
		return nil, fmt.Errorf("offers: bundle: want two SKUs at least, and a price")
	}
	for i, step := range o.Tiers.Steps {
		if i > 0 && step.From.Cmp(o.Tiers.Steps[i-1].From) <= 0 {
			return nil, fmt.Errorf("offers: tiers: %s stands behind %s", step.From, o.Tiers.Steps[i-1].From)
		}
		if _, err := discounts.Percent(step.Percent); err != nil {
			return nil, fmt.Errorf("offers: tiers: %w", err)
		}
	}
	return o, nil
}

// plans are the offers as the library wants them.
func (o *offers) plans() discounts.Plans {
	return discounts.Plans{LineItems: o.lines, CrossItems: o.Tiers.plan}
}
