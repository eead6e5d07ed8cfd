package main

import (
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/shipping"
)

// The tariff is for parcels within one country, in its currency. A real carrier has it in a database.
const (
	country  = "AR"
	currency = "ARS"
)

// service is a way to deliver a parcel.
type service struct {
	code, name string
	days       [2]int       // at least and at most
	factor     client.Money // of the price for the weight
}

var (
	services = []service{
		{"standard", "Correo del Sur Standard", [2]int{3, 5}, client.MustMoney("1.00")},
		{"express", "Correo del Sur Express", [2]int{1, 2}, client.MustMoney("1.80")},
	}
	branch = service{"branch", "Correo del Sur branch", [2]int{2, 4}, client.MustMoney("0.60")}
)

// weights are the steps of the table in grams, the lightest first.
var weights = []struct {
	upTo  int64
	price client.Money
}{
	{500, client.MustMoney("450.00")}, {2000, client.MustMoney("700.00")},
	{10000, client.MustMoney("1250.00")}, {25000, client.MustMoney("2100.00")},
}

// points are pickup points, each for the postal codes from the first to the last that it serves.
var points = []struct {
	name   string
	serves [2]string
	at     shipping.Point
}{
	{"Correo Rosario", [2]string{"2000", "2999"}, shipping.Point{
		Address: shipping.Address{
			Address: "Mitre", Number: "25", City: "Rosario", Province: "Santa Fe", Country: country, Zipcode: "2000",
		},
		Hours: []shipping.Hours{{Day: 1, Start: "0900", End: "1800"}, {Day: 6, Start: "0900", End: "1300"}},
	}},
	{"Correo Córdoba", [2]string{"5000", "5999"}, shipping.Point{
		Address: shipping.Address{
			Address: "Av. Colón", Number: "210", City: "Córdoba", Province: "Córdoba", Country: country, Zipcode: "5000",
		},
		Hours: []shipping.Hours{{Day: 1, Start: "0830", End: "1700"}},
	}},
}

// rates returns all rates for a quote. The platform leaves out options that the merchant has switched off.
func rates(q shipping.Quote, now time.Time) ([]shipping.Rate, error) {
	if string(q.Destination.Country) != country {
		return nil, shipping.ErrNoCoverage
	}
	price, ok := price(q.Grams())
	if !ok {
		return nil, &shipping.Refusal{Code: "too_heavy"}
	}
	var all []shipping.Rate
	for _, s := range services {
		o, err := s.offer(price, now)
		if err != nil {
			return nil, err
		}
		rate, err := shipping.DoorRate(o)
		if err != nil {
			return nil, err
		}
		all = append(all, rate)
	}
	for _, p := range points {
		if code := string(q.Destination.PostalCode); code < p.serves[0] || code > p.serves[1] {
			continue
		}
		o, err := branch.offer(price, now)
		if err != nil {
			return nil, err
		}
		o.Name, o.Reference = p.name, p.name
		rate, err := shipping.PickupRate(o, p.at)
		if err != nil {
			return nil, err
		}
		all = append(all, rate)
	}
	return all, nil
}

// price looks the weight up in the table.
func price(grams int64) (client.Money, bool) {
	for _, w := range weights {
		if grams <= w.upTo {
			return w.price, true
		}
	}
	return client.Money{}, false
}

func (s service) offer(price client.Money, now time.Time) (shipping.Offer, error) {
	price, err := price.MulDecimal(s.factor.Decimal(), currency)
	return shipping.Offer{
		Code: s.code, Name: s.name, Price: price, Currency: currency,
		MinDelivery: now.AddDate(0, 0, s.days[0]), MaxDelivery: now.AddDate(0, 0, s.days[1]),
	}, err
}
