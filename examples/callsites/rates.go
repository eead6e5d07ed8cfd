package main

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/shipping"
)

// carrier delivers parcels within one country.
func carrier(ctx context.Context, c *client.Client, mux *http.ServeMux, key string) (*shipping.Handler, error) {
	// README: rates
	token := client.Secret(key) // a random text of your own, not the access token; only the platform receives this URL
	_, err := v202503.Carriers(c).Ensure(ctx, carriers.CarrierInput{
		Name: "Correo del Sur", Types: carriers.Types{carriers.TypeToDoor}, CallbackURL: "https://post.example/rates/" + string(token),
	}, carriers.OptionInput{Code: "standard", Name: "Standard"})
	if err != nil {
		return nil, err
	}
	rates := &shipping.Handler{
		Rates: func(ctx context.Context, q shipping.Quote) ([]shipping.Rate, error) {
			if q.Destination.Country != "AR" {
				return nil, shipping.ErrNoCoverage
			}
			price := client.Cents(1000 + q.Grams()) // 10.00, and 0.01 for each gram
			rate, err := shipping.DoorRate(shipping.Offer{Code: "standard", Name: "Standard", Price: price, Currency: "ARS"})
			return []shipping.Rate{rate}, err
		},
		Access: shipping.Access{PathTokens: []client.Secret{token}}, // calls are not signed, so the token is the proof
	}
	mux.Handle("/rates/", rates)
	// end
	return rates, rates.Check()
}

// quotes asks for rates as the checkout does.
func quotes(ctx context.Context, platform *clienttest.Server, out io.Writer) error {
	mux := http.NewServeMux()
	_, err := carrier(ctx, platform.Client(), mux, "4fQ0zT7sVb2nXk91")
	if err != nil {
		return err
	}
	if err := platform.Partner("https://post.example", mux); err != nil {
		return err
	}
	quote, err := platform.Quote(ctx, clienttest.Parcel{
		To:    clienttest.ShippingAddress{Country: "AR", PostalCode: "2000"},
		Items: []clienttest.ParcelItem{{ID: 1, ProductID: 1, Name: "Mug", Quantity: 1, Grams: 350, Price: client.MustMoney("20.00")}},
	})
	if err != nil {
		return err
	}
	for _, o := range quote.Options {
		fmt.Fprintln(out, "delivery:", o.Name, o.Price, o.Currency)
	}
	return nil
}
