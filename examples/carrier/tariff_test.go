package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/shipping"
)

// The prices by hand: the table's, times 1.00, 1.80 and 0.60.
func TestRates(t *testing.T) {
	data, err := os.ReadFile("tariff.json")
	if err != nil {
		t.Fatal(err)
	}
	tariff, err := readTariff(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		grams         int64
		country, code string
		want          string
		err           error
	}{
		{500, "AR", "1602", "standard 450.00, express 810.00", nil},
		{501, "AR", "1602", "standard 700.00, express 1260.00", nil},
		{2001, "AR", "2000", "standard 1250.00, express 2250.00, branch 750.00, branch 750.00", nil},
		{25000, "AR", "5999", "standard 2100.00, express 3780.00, branch 1260.00", nil},
		{25001, "AR", "2000", "", &shipping.Refusal{Code: "too_heavy"}},
		{500, "UY", "11000", "", shipping.ErrNoCoverage},
	} {
		q := shipping.Quote{
			Destination: shipping.Place{Country: client.Code(v.country), PostalCode: client.Code(v.code)},
			Items:       []shipping.Parcel{{ID: 1, Quantity: 1, Grams: v.grams}},
		}
		rates, err := tariff.rates(q, time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC))
		var got []string
		for _, r := range rates {
			got = append(got, r.Code()+" "+r.Price().String())
		}
		if strings.Join(got, ", ") != v.want || (err == nil) != (v.err == nil) || err != nil && err.Error() != v.err.Error() {
			t.Errorf("%d g to %s %s: got %v, %v, want %s, %v", v.grams, v.country, v.code, got, err, v.want, v.err)
		}
	}
}

func TestTariffIsChecked(t *testing.T) {
	data, err := os.ReadFile("tariff.json")
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string][2]string{
		"unknown field":                               {`"factor"`, `"factors"`},
		"500 g follows 500 g":                         {`"up_to": 2000`, `"up_to": 500`},
		"ISO 4217":                                    {`"ARS"`, `"peso"`},
		`point "Correo Rosario": hours[0].start`:      {`"0900"`, `"9:00"`},
		`service "express": max_delivery_date`:        {`[1, 2]`, `[2, 1]`},
		`point "Correo Terminal Rosario": hours: "0"`: {`[{"day": 5, "start": "2000", "end": "0200"}]`, `[]`},
	} {
		if _, err := readTariff([]byte(strings.Replace(string(data), change[0], change[1], 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want …%s…", err, want)
		}
	}
}
