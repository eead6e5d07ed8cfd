package providers

import (
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Amount is an amount with its currency. Amounts to be sent must have at most two decimals, and are written with two.
type Amount struct {
	Value client.Money `json:"value"` // exact
	// Currency is an ISO 4217 code.
	Currency string `json:"currency"`
}

// Equal reports whether the amounts and their currencies are equal, whatever the number of decimals.
func (a Amount) Equal(b Amount) bool { return a.Currency == b.Currency && a.Value.Cmp(b.Value) == 0 }

// check applies the rules for amounts of a provider.
func (a Amount) check(field string) error {
	if err := checkValue(field+".value", a.Value); err != nil {
		return err
	}
	return checkCurrency(field+".currency", a.Currency)
}

// decimals is the number of decimals of an amount on the wire.
const decimals = 2

func checkValue(field string, m client.Money) error {
	if _, fraction, _ := strings.Cut(m.String(), "."); m.Cmp(client.Money{}) < 0 || len(fraction) > decimals {
		return engine.Invalid(field, m, "0 or more, with at most two decimals")
	}
	return nil
}

// Currencies returns the ISO 4217 codes of the currencies that the platform supports.
func Currencies() []string {
	return []string{
		"ARS", "AUD", "BOB", "BRL", "CAD", "CRC", "CLP", "CNY", "COP", "EUR", "GBP", "ILS",
		"INR", "JPY", "MXN", "PEN", "PYG", "RUB", "SEK", "USD", "VEF", "UYU", "ZAR",
	}
}

func checkCurrency(field, code string) error {
	if !slices.Contains(Currencies(), code) {
		return engine.Invalid(field, code, "the ISO 4217 code of a currency that the platform supports")
	}
	return nil
}
