package main

import (
	"context"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// described is the app's offer in a store.
func described(currency string) providers.ProviderInput {
	return providers.ProviderInput{
		Name:        "Pay Example",
		PublicName:  "Card",
		Description: "Cards, in one to six parts",
		LogoURLs: map[providers.LogoSize]string{
			providers.LogoWide:  "https://cdn.pay.example/400x120.png",
			providers.LogoSmall: "https://cdn.pay.example/160x100.png",
		},
		Currencies: []string{currency},
		Methods: []providers.MethodOffer{{
			Type:    providers.MethodTypeCreditCard,
			Methods: []string{"visa", "mastercard"},
			Installments: &providers.InstallmentRules{
				Specification: []providers.InstallmentOption{
					{Installments: 1, InterestRate: "0"},
					{Installments: 3, InterestRate: "0.0325"},
					{Installments: 6, InterestRate: "0.065"},
				},
				MinInstallmentValue: []providers.Minimum{{Value: client.Cents(1500), Currency: currency}},
			},
		}},
		CheckoutJSURL: "https://cdn.pay.example/checkout.js",
		Options: []providers.CheckoutOption{{
			ID: "9e21a0a2-7d8c-478a-8b19-23bc8d188f41", Name: "Card", Integration: providers.IntegrationTypeTransparent,
			BillingCountries: []string{"AR"}, MethodTypes: []providers.MethodType{providers.MethodTypeCreditCard},
		}},
		Rates: []providers.Rates{{Type: providers.MethodTypeCreditCard, Definition: []providers.RateDefinition{
			{PercentFee: "5.49", Days: 1, PlusTax: true}, {PercentFee: "3.49", Days: 14, PlusTax: true},
		}}},
		Features:       []providers.Feature{providers.FeatureTransparentCheckout},
		Authentication: &providers.Authentication{Type: providers.AuthenticationTypeAPIKey, APIKey: "a-key-of-this-store"},
	}
}

// install describes the provider. Invalid values are rejected before the request is sent.
func (a *app) install(ctx context.Context) error {
	store, err := v202503.Store(a.client).Get(ctx)
	if err != nil {
		return err
	}
	in := described(store.MainCurrency)
	in.SupportURL = "http://pay.example/help"
	if _, err := v202503.PaymentProviders(a.client).Create(ctx, in); err != nil {
		fmt.Fprintln(a.out, "refused:", err)
	}
	in.SupportURL = "https://pay.example/help"
	if a.provider, err = v202503.PaymentProviders(a.client).Create(ctx, in); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "described: %s, with %v\n", in.Name, in.Authentication)
	for _, total := range []string{"60.00", "45.00", "44.99"} {
		allowed := in.Methods[0].Installments.Allowed(client.MustMoney(total), store.MainCurrency)
		fmt.Fprintf(a.out, "   %s %s may be paid in", total, store.MainCurrency)
		for _, option := range allowed {
			fmt.Fprintf(a.out, " %d", option.Installments)
		}
		fmt.Fprintln(a.out)
	}
	return nil
}
