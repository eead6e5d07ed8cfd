package payments

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

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
