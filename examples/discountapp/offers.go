package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
)

// offers are the merchant's offers, read from the file.
type offers struct {
	ThreeForTwo threeForTwo `json:"three_for_two"`
	Bundle      bundle      `json:"bundle"`
	Tiers       tiers       `json:"tiers"`
}

// offer is the common part of all offers: the name of the promotion, and the text for the consumer.
type offer struct {
	Promotion string            `json:"promotion"`
	Text      map[string]string `json:"text"`
}

// isLanguage matches the languages that the platform accepts: es, or es-ar.
var isLanguage = regexp.MustCompile(`^[a-z]{2}(-[a-z]{2})?$`)

// readOffers reads the file and rejects values that would fail at the first cart.
func readOffers(data []byte) (*offers, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	o := new(offers)
	if err := dec.Decode(o); err != nil {
		return nil, fmt.Errorf("offers: %w", err)
	}
	for name, of := range map[string]offer{"three_for_two": o.ThreeForTwo.offer, "bundle": o.Bundle.offer, "tiers": o.Tiers.offer} {
		if of.Promotion == "" {
			return nil, fmt.Errorf("offers: %s: must have the name of a promotion", name)
		}
		for lang, text := range of.Text {
			if !isLanguage.MatchString(lang) || text == "" {
				return nil, fmt.Errorf("offers: %s: text in %q: must have a language such as es-ar and a text", name, lang)
			}
		}
	}
	if o.ThreeForTwo.Category == "" {
		return nil, fmt.Errorf("offers: three_for_two: must have the handle of a category")
	}
	if len(o.Bundle.SKUs) < 2 || o.Bundle.Price.Cmp(client.Cents(0)) <= 0 {
		return nil, fmt.Errorf("offers: bundle: must have at least two SKUs, and a price")
	}
	for i, step := range o.Tiers.Steps {
		if i > 0 && step.From.Cmp(o.Tiers.Steps[i-1].From) <= 0 {
			return nil, fmt.Errorf("offers: tiers: %s follows %s: must be in ascending order", step.From, o.Tiers.Steps[i-1].From)
		}
		if _, err := discounts.Percent(step.Percent); err != nil {
			return nil, fmt.Errorf("offers: tiers: %w", err)
		}
	}
	return o, nil
}

// plans returns the offers as plans of the library.
func (o *offers) plans() discounts.Plans {
	return discounts.Plans{LineItems: o.lines, CrossItems: o.Tiers.plan}
}
