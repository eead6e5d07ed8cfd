package main

import (
	"context"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// install describes the app's payment provider in the store. Invalid values are rejected before the request is sent.
func (a *app) install(ctx context.Context) error {
	store, err := v202503.Store(a.client).Get(ctx)
	if err != nil {
		return err
	}
	a.provider, err = v202503.PaymentProviders(a.client).Create(ctx, described(store.MainCurrency))
	return err
}

// described is the app's offer in a store.
func described(currency string) providers.ProviderInput {
	return providers.ProviderInput{
		Name: "Pay Example", PublicName: "Card", Description: "Cards, in one to six parts",
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
					{Installments: 1, InterestRate: "0"}, {Installments: 3, InterestRate: "0.0325"},
				},
				MinInstallmentValue: []providers.Minimum{{Value: client.Cents(1500), Currency: currency}},
			},
		}},
		CheckoutJSURL: "https://cdn.pay.example/checkout.js", SupportURL: "https://pay.example/help",
		Options: []providers.CheckoutOption{{
			ID: "9e21a0a2-7d8c-478a-8b19-23bc8d188f41", Name: "Card", Integration: providers.IntegrationTypeTransparent,
			BillingCountries: []string{"AR"}, MethodTypes: []providers.MethodType{providers.MethodTypeCreditCard},
		}},
		Features: []providers.Feature{providers.FeatureTransparentCheckout},
	}
}
