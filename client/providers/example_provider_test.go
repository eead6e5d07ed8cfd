package providers_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// The app describes its provider when it is installed, and changes it later. What the
// platform would refuse is not sent.
func ExampleProviderService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	in := providers.ProviderInput{
		Name: "Acme", Description: "Cards in parts", CheckoutJSURL: "https://pay.example/checkout.js",
		LogoURLs: map[providers.LogoSize]string{
			providers.LogoWide: "https://pay.example/400x120.png", providers.LogoSmall: "https://pay.example/160x100.png",
		},
		Currencies: []string{"ARS"},
		Methods:    []providers.MethodOffer{{Type: providers.MethodTypeCreditCard, Methods: []string{"visa"}}},
		Options: []providers.CheckoutOption{{
			ID: "9e21a0a2-7d8c-478a-8b19-23bc8d188f41", Name: "Card", Integration: providers.IntegrationTypeRedirect,
			BillingCountries: []string{"AR"}, MethodTypes: []providers.MethodType{providers.MethodTypeCreditCard},
		}},
		SupportURL:     "http://pay.example/help",
		Authentication: &providers.Authentication{Type: providers.AuthenticationTypeAPIKey, APIKey: "sk-4711"},
	}
	_, err = v202503.PaymentProviders(c).Create(ctx, in)
	fmt.Println(err)
	in.SupportURL = "https://pay.example/help"
	id, err := v202503.PaymentProviders(c).Create(ctx, in)
	if err != nil {
		log.Fatal(err)
	}
	p, err := v202503.PaymentProviders(c).Get(ctx, id)
	if err != nil {
		log.Fatal(err)
	}
	change := p.Input()
	change.Enabled = client.Set(false)
	change.Authentication = in.Authentication // the platform may keep it to itself
	fmt.Println(p.Name, *p.Enabled, change.Authentication, v202503.PaymentProviders(c).Update(ctx, id, change))
	// Output:
	// support_url: "http://pay.example/…": must be an HTTPS URL without a password: validation
	// Acme true providers.Authentication{Type: "api_key"} <nil>
}

// The options that customers can choose from, by provider.
func ExampleOptionService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()
	if _, err := v202503.PaymentProviders(c).Create(ctx, provider()); err != nil {
		log.Fatal(err)
	}
	for p, err := range v202503.PaymentOptions(c).List().All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		for _, option := range p.Options {
			fmt.Println(p.Name, option.Name, option.MethodTypes)
		}
	}
	// Output: Cards Cards [credit_card]
}

// 29.99 in three parts would be 9.99666…, which is less than 10.00.
func ExampleInstallmentRules_Allowed() {
	rules := providers.InstallmentRules{
		Specification:       []providers.InstallmentOption{{Installments: 1, InterestRate: "0"}, {Installments: 3, InterestRate: "0.065"}},
		MinInstallmentValue: []providers.Minimum{{Value: client.Cents(1000), Currency: "BRL"}},
	}
	for _, total := range []string{"30.00", "29.99"} {
		for _, option := range rules.Allowed(client.MustMoney(total), "BRL") {
			fmt.Printf("%s in %d at %s\n", total, option.Installments, option.InterestRate)
		}
	}
	// Output:
	// 30.00 in 1 at 0
	// 30.00 in 3 at 0.065
	// 29.99 in 1 at 0
}

func ExampleCheckLogo() {
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewNRGBA(image.Rect(0, 0, 160, 120))); err != nil {
		log.Fatal(err)
	}
	fmt.Println(providers.CheckLogo(providers.LogoSmall, &file))
	// Output: logo_urls.160x100: "160x120": must be exactly 160x100 pixels: validation
}
