package main

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
)

// offers are the merchant's offers.
type offers struct {
	ThreeForTwo threeForTwo
	Bundle      bundle
	Tiers       tiers
}

// offer is the common part of all offers: the name of the promotion, and the text for the customer.
type offer struct {
	Promotion string
	Text      map[string]string
}

// newOffers returns the offers. A real app reads them from its database.
func newOffers() *offers {
	return &offers{
		ThreeForTwo: threeForTwo{
			offer:    offer{"3x2 en mates", map[string]string{"es-ar": "Llevá 3 mates y pagá 2", "en": "Three mates for two"}},
			Category: "mates",
		},
		Bundle: bundle{
			offer: offer{"Kit matero", map[string]string{"en": "Mate, straw and yerba for 60"}},
			SKUs:  []string{"MATE-IMP", "BOMB-ALP", "YERBA-1K"}, Price: client.MustMoney("60.00"),
		},
		Tiers: tiers{
			offer: offer{"Más comprás, más ahorrás", map[string]string{"en": "Up to 10% off the whole cart"}},
			Steps: []step{
				{client.MustMoney("100.00"), client.MustMoney("5")}, {client.MustMoney("200.00"), client.MustMoney("10")},
			},
		},
	}
}

// plans returns the offers as plans of the library.
func (o *offers) plans() discounts.Plans {
	return discounts.Plans{LineItems: o.lines, CrossItems: o.Tiers.plan}
}
