package payments

import (
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Amount is an amount with its currency. What is sent has two decimals at most, and is
// written with both.
type Amount struct {
	Value client.Money `json:"value"` // exact
	// Currency is an ISO 4217 code.
	Currency string `json:"currency"`
}

// check applies the rules of an amount of a provider.
func (a Amount) check(field string) error {
	if err := checkValue(field+".value", a.Value); err != nil {
		return err
	}
	return checkCurrency(field+".currency", a.Currency)
}

// decimals are those of an amount on the wire.
const decimals = 2

func checkValue(field string, m client.Money) error {
	if _, fraction, _ := strings.Cut(m.String(), "."); m.Cmp(client.Money{}) < 0 || len(fraction) > decimals {
		return engine.Invalid(field, m, "0 or more, with two decimals at most")
	}
	return nil
}
