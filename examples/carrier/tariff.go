package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/shipping"
)

// tariff is the carrier's offer, read from the file.
type tariff struct {
	Currency string    `json:"currency"`
	Country  string    `json:"country"` // the only destination
	Services []service `json:"services"`
	Branch   service   `json:"branch"`  // to the pickup points
	Weights  []weight  `json:"weights"` // the lightest first
	Points   []point   `json:"points"`
}

// service is a way to deliver a parcel.
type service struct {
	Code   string       `json:"code"`
	Name   string       `json:"name"`
	Days   [2]int       `json:"days"`   // at least and at most
	Factor client.Money `json:"factor"` // of the price for the weight
}

// weight is a step of the table.
type weight struct {
	UpTo  int64        `json:"up_to"` // grams
	Price client.Money `json:"price"`
}

// point is a pickup point, for the postal codes from the first to the last that it serves.
type point struct {
	Name    string           `json:"name"`
	Serves  [2]string        `json:"serves"`
	Address shipping.Address `json:"address"`
	Hours   []shipping.Hours `json:"hours"`
}

// readTariff reads the file and rejects values that would fail at the first quote.
func readTariff(data []byte) (*tariff, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	t := new(tariff)
	if err := dec.Decode(t); err != nil {
		return nil, fmt.Errorf("tariff: %w", err)
	}
	if len(t.Weights) == 0 || len(t.Services) == 0 {
		return nil, fmt.Errorf("tariff: must have at least one service and one weight")
	}
	for i, w := range t.Weights {
		if i > 0 && w.UpTo <= t.Weights[i-1].UpTo {
			return nil, fmt.Errorf("tariff: weights: %d g follows %d g: must be in ascending order", w.UpTo, t.Weights[i-1].UpTo)
		}
	}
	// The library validates rates, so one of each kind is made here.
	for _, s := range t.Services {
		if _, err := t.ship(s, t.Weights[0].Price, time.Now()); err != nil {
			return nil, fmt.Errorf("tariff: service %q: %w", s.Code, err)
		}
	}
	for _, p := range t.Points {
		if _, err := t.pickup(p, t.Weights[0].Price, time.Now()); err != nil {
			return nil, fmt.Errorf("tariff: point %q: %w", p.Name, err)
		}
	}
	return t, nil
}

// rates returns all rates for a quote. The platform leaves out options that the merchant has switched off.
func (t *tariff) rates(q shipping.Quote, now time.Time) ([]shipping.Rate, error) {
	if string(q.Destination.Country) != t.Country {
		return nil, shipping.ErrNoCoverage
	}
	price, ok := t.price(q.Grams())
	if !ok {
		return nil, &shipping.Refusal{Code: "too_heavy"}
	}
	var all []shipping.Rate
	for _, s := range t.Services {
		rate, err := t.ship(s, price, now)
		if err != nil {
			return nil, err
		}
		all = append(all, rate)
	}
	for _, p := range t.Points {
		if code := string(q.Destination.PostalCode); code < p.Serves[0] || code > p.Serves[1] {
			continue
		}
		rate, err := t.pickup(p, price, now)
		if err != nil {
			return nil, err
		}
		all = append(all, rate)
	}
	return all, nil
}

// price looks the weight up in the table.
func (t *tariff) price(grams int64) (client.Money, bool) {
	for _, w := range t.Weights {
		if grams <= w.UpTo {
			return w.Price, true
		}
	}
	return client.Money{}, false
}

func (t *tariff) pickup(p point, price client.Money, now time.Time) (shipping.Rate, error) {
	o, err := t.offer(t.Branch, price, now)
	if err != nil {
		return shipping.Rate{}, err
	}
	o.Name, o.Reference = p.Name, p.Name
	return shipping.Pickup(o, shipping.Point{Address: p.Address, Hours: p.Hours})
}

func (t *tariff) offer(s service, price client.Money, now time.Time) (shipping.Offer, error) {
	price, err := price.MulDecimal(s.Factor.Decimal(), t.Currency)
	return shipping.Offer{
		Code: s.Code, Name: s.Name, Price: price, Currency: t.Currency,
		MinDelivery: now.AddDate(0, 0, s.Days[0]), MaxDelivery: now.AddDate(0, 0, s.Days[1]),
	}, err
}

func (t *tariff) ship(s service, price client.Money, now time.Time) (shipping.Rate, error) {
	o, err := t.offer(s, price, now)
	if err != nil {
		return shipping.Rate{}, err
	}
	return shipping.Ship(o)
}
