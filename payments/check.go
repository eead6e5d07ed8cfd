package payments

import (
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

func checkHTTPS(field, address string) error {
	if !callback.IsHTTPS(address) {
		return engine.Invalid(field, callback.Host(address), "an HTTPS URL without a password")
	}
	return nil
}

func checkOptionalHTTPS(field, address string) error {
	if address == "" {
		return nil
	}
	return checkHTTPS(field, address)
}

func checkTexts(field string, texts []string) error {
	for i, s := range texts {
		if s == "" {
			return engine.Invalid(fmt.Sprintf("%s[%d]", field, i), s, "a text")
		}
	}
	return nil
}

func checkMethodType(field string, m MethodType) error {
	if !m.Known() {
		return engine.Invalid(field, m, "a payment method type of the contract")
	}
	return nil
}

// isCode reports whether s is n capital letters.
func isCode(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
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
