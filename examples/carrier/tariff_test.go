package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/shipping"
)

// The prices by hand: the table's, times 1.00, 1.80 and 0.60.
func TestRates(t *testing.T) {
	for _, v := range []struct {
		grams         int64
		country, code string
		want          string
		err           error
	}{
		{500, "AR", "1602", "standard 450.00, express 810.00", nil},
		{501, "AR", "1602", "standard 700.00, express 1260.00", nil},
		{2001, "AR", "2000", "standard 1250.00, express 2250.00, branch 750.00", nil},
		{25000, "AR", "5999", "standard 2100.00, express 3780.00, branch 1260.00", nil},
		{25001, "AR", "2000", "", &shipping.Refusal{Code: "too_heavy"}},
		{500, "UY", "11000", "", shipping.ErrNoCoverage},
	} {
		q := shipping.Quote{
			Destination: shipping.Place{Country: client.Code(v.country), PostalCode: client.Code(v.code)},
			Items:       []shipping.Parcel{{ID: 1, Quantity: 1, Grams: v.grams}},
		}
		all, err := rates(q, time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC))
		var got []string
		for _, r := range all {
			got = append(got, r.Code()+" "+r.Price().String())
		}
		if strings.Join(got, ", ") != v.want || fmt.Sprint(err) != fmt.Sprint(v.err) {
			t.Errorf("%d g to %s %s: got %v, %v, want %s, %v", v.grams, v.country, v.code, got, err, v.want, v.err)
		}
	}
}
