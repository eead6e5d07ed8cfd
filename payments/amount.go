package payments

import "github.com/commerceplatform/commerce-go/client"

// Amount is an amount with its currency.
type Amount struct {
	Value client.Money `json:"value"`
	// Currency is an ISO 4217 code.
	Currency string `json:"currency"`
}
