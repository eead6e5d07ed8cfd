package payments

import "github.com/commerceplatform/commerce-go/client"

// Amount is an amount with its currency.
type Amount struct {
	Value client.Money `json:"value"` // exact
	// Currency is an ISO 4217 code.
	Currency string `json:"currency"`
}

// check applies the rules of an amount of a provider.
func (a Amount) check(field string) error {
	if a.Value.Cmp(client.Money{}) < 0 {
		return client.Invalid(field+".value", a.Value, "0 or more")
	}
	return checkCurrency(field+".currency", a.Currency)
}
