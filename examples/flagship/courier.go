package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/shipping/sqlrates"
)

// wiring

// courier answers with rates. All replicas share them, so a replica that has just started has them too. Calls for rates
// are not signed, so the address has a token.
func (a *app) courier() *shipping.Handler {
	access := shipping.Access{PathTokens: []client.Secret{a.ratesToken()}}
	return &shipping.Handler{Rates: a.quote, Shared: &sqlrates.Cache{DB: a.db}, Access: access}
}

func (a *app) ratesToken() client.Secret { return a.OAuth.Secret.Derive("rates") }

// end of wiring

// carrier is the registration of the courier in each store; bicycle and point are its options.
func carrier(callback string) carriers.CarrierInput {
	types := carriers.Types{carriers.TypeToDoor, carriers.TypeToPickup}
	return carriers.CarrierInput{Name: "The local courier", Types: types, CallbackURL: callback}
}

var (
	bicycle = carriers.OptionInput{Code: "bicycle", Name: "By bicycle"}
	point   = carriers.OptionInput{Code: "point", Name: "At the courier's workshop"}
)

var courierTables = []string{
	`CREATE TABLE IF NOT EXISTS quoted (store_id BIGINT, day TEXT, n BIGINT NOT NULL, PRIMARY KEY (store_id, day))`,
}

// tariff is the price of a delivery, by the first digit of the postal code, in hundredths. For each kilogram begun,
// perKilogram is added.
var tariff = map[string]int64{"1": 900, "2": 1200}

const perKilogram, workshop, heaviest = 150, 300, 20_000 // hundredths, hundredths, grams

// place is the pickup point.
var place = shipping.Point{
	Address: shipping.Address{
		Address: "Mitre", Number: "25", City: "Rosario", Province: "Santa Fe", Country: "AR", Zipcode: "2000",
	},
	Hours: []shipping.Hours{
		{Day: time.Monday, Start: "0900", End: "1800"},
		{Day: time.Saturday, Start: "0900", End: "1300"},
	},
}

// quote is the tariff: the courier delivers in two districts, with at most 20 kg.
func (a *app) quote(ctx context.Context, q shipping.Quote) ([]shipping.Rate, error) {
	known, err := a.Tokens.Known(ctx, q.StoreID)
	if err != nil {
		return nil, err
	}
	postal := strings.TrimSpace(string(q.Destination.PostalCode))
	base, goes := tariff[postal[:min(1, len(postal))]]
	if !known || !goes || q.Destination.Country != "AR" || q.Grams() > heaviest {
		return nil, shipping.ErrNoCoverage
	}
	price := client.Cents(base + perKilogram*((q.Grams()+999)/1000))
	ride, wrong := shipping.DoorRate(shipping.Offer{Code: bicycle.Code, Name: bicycle.Name, Price: price, Currency: "ARS"})
	fetch, alsoWrong := shipping.PickupRate(
		shipping.Offer{Code: point.Code, Name: point.Name, Price: client.Cents(workshop), Currency: "ARS"}, place)
	a.countQuote(ctx, q.StoreID)
	return []shipping.Rate{ride, fetch}, errors.Join(wrong, alsoWrong)
}

// countQuote counts quotes for the merchant's page. A failed count must not prevent the rates.
func (a *app) countQuote(ctx context.Context, store client.ID) {
	_, err := a.db.ExecContext(ctx, `INSERT INTO quoted (store_id, day, n) VALUES ($1, $2, 1)
		ON CONFLICT (store_id, day) DO UPDATE SET n = quoted.n + 1`, store, dayOf(time.Now()))
	if err != nil {
		slog.WarnContext(ctx, "a quote was not counted", "store", store, "error", err)
	}
}
