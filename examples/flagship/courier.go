package main

import (
	"context"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/shipping"
)

// wiring

// prepareCourier registers the courier and its only option.
func (a *app) prepareCourier(ctx context.Context, api *v202503.API) error {
	_, err := api.Carriers.Ensure(ctx, shipping.CarrierInput{
		Name: "The local courier", Types: shipping.Types{shipping.TypeToDoor},
		CallbackURL: a.hooksURL + "/rates/" + string(a.secret.Derive("rates")),
	}, shipping.OptionInput{Code: "bicycle", Name: "By bicycle"})
	return err
}

// courier answers with rates. All replicas share them, so that one which has just started knows them too.
func (a *app) courier() *shipping.Handler {
	return &shipping.Handler{
		Rates: a.quote, Shared: a.cache,
		Access: shipping.Access{Tokens: []client.Secret{a.secret.Derive("rates")}}, // calls are not signed
	}
}

// end

// tariff is what a delivery costs, by the first digit of the postal code, in hundredths; and for each kilogram begun.
var tariff = map[string]int64{"1": 900, "2": 1200}

const perKilogram, heaviest = 150, 20_000 // hundredths; grams

// quote is the tariff: the courier rides in two districts, with 20 kg at most.
func (a *app) quote(ctx context.Context, q shipping.Quote) ([]shipping.Rate, error) {
	known, err := a.tokens.Known(ctx, q.StoreID)
	if err != nil {
		return nil, err
	}
	postal := strings.TrimSpace(string(q.Destination.PostalCode))
	base, goes := tariff[postal[:min(1, len(postal))]]
	if !known || !goes || q.Destination.Country != "AR" || q.Grams() > heaviest {
		return nil, shipping.ErrNoCoverage
	}
	price := client.Cents(base + perKilogram*((q.Grams()+999)/1000))
	rate, err := shipping.Ship(shipping.Offer{Code: "bicycle", Name: "By bicycle", Price: price, Currency: "ARS"})
	return []shipping.Rate{rate}, err
}
