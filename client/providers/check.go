package providers

import (
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/address"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

func checkHTTPS(field, url string) error {
	if !address.IsHTTPS(url) {
		return engine.Invalid(field, address.Host(url), "an HTTPS URL without a password")
	}
	return nil
}

func checkOptionalHTTPS(field, url string) error {
	if url == "" {
		return nil
	}
	return checkHTTPS(field, url)
}

// checkEach checks each item of a list.
func checkEach[T any](field string, items []T, check func(field string, item T) error) error {
	for i, item := range items {
		if err := check(fmt.Sprintf("%s[%d]", field, i), item); err != nil {
			return err
		}
	}
	return nil
}

// checkSome does so for a list that must have an item.
func checkSome[T any](field, item string, items []T, check func(field string, item T) error) error {
	if len(items) == 0 {
		return engine.Invalid(field, "", "at least one "+item)
	}
	return checkEach(field, items, check)
}

func checkText(field, s string) error {
	if s == "" {
		return engine.Invalid(field, s, "a text")
	}
	return nil
}

func checkCountry(field, code string) error {
	if !wire.IsCode(code, 2) {
		return engine.Invalid(field, code, "an ISO 3166-1 code of two letters")
	}
	return nil
}

func checkMethodType(field string, m MethodType) error {
	if !m.Known() {
		return engine.Invalid(field, m, "a payment method type of the contract")
	}
	return nil
}

// maxDecimal is the maximum length of a rate. It is checked first, because a decimal library takes seconds and
// gigabytes for a million digits.
const maxDecimal = 24

// isDecimal reports whether m is a decimal of 0 or more.
func isDecimal(m client.Measure) bool {
	if len(m) > maxDecimal {
		return false
	}
	whole, fraction, pointed := strings.Cut(string(m), ".")
	return whole != "" && pointed == (fraction != "") && strings.Trim(whole+fraction, "0123456789") == ""
}

// cut bounds the printed length of a decimal.
func cut(m client.Measure) client.Measure { return m[:min(len(m), maxDecimal+1)] }
