package disputes

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Amount is an amount with its currency, which the contract calls Money. It is sent with exactly two decimals.
type Amount struct {
	Value client.Money `json:"value"` // 0.00 or more, exact
	// Currency is an ISO 4217 code.
	Currency string       `json:"currency"`
	Extra    client.Extra `json:",embed"`
}

// Equal reports whether a and o are the same amount in the same currency.
func (a Amount) Equal(o Amount) bool { return a.Currency == o.Currency && a.Value.Equal(o.Value) }

// SettledAmount is the withheld amount in the currency in which the merchant was paid. It is used only if the
// customer paid in another currency.
type SettledAmount struct {
	Value client.Money `json:"value"` // in the currency of the store
	// Currency is the store's currency, an ISO 4217 code.
	Currency     string       `json:"currency"`
	ExchangeRate ExchangeRate `json:"exchange_rate"` // from the currency of the dispute
	Extra        client.Extra `json:",embed"`
}

// ExchangeRate is the value of one unit of the currency From.
type ExchangeRate struct {
	// Value is a decimal above 0, as text.
	Value client.Measure `json:"value"`
	// From is the source currency: the currency of the dispute.
	From  string       `json:"from"`
	Extra client.Extra `json:",embed"`
}

// Fee is a charge for the dispute itself. Retained amounts do not include fees.
type Fee struct {
	Type   FeeType      `json:"type"`   // the contract has FeeTypeProcessing only
	Amount Amount       `json:"amount"` // the charge
	Extra  client.Extra `json:",embed"`
}

// FeeType is the kind of a fee.
type FeeType string

// FeeTypeProcessing is the only kind of fee that the platform supports.
const FeeTypeProcessing FeeType = "processing_fee"

// Known reports whether the contract names the value.
func (t FeeType) Known() bool { return wire.Known(t, FeeTypeProcessing) }

const (
	decimals = 2
	maxRate  = 24 // characters of an exchange rate
)

// check applies the rules of an amount. Errors name field.
func (a Amount) check(field string) error {
	if err := checkValue(field, a.Value); err != nil {
		return err
	}
	return checkCurrency(field+".currency", a.Currency)
}

// checkRetained applies the rule "between 0.00 and amount.value" to a, the withheld part of of.
func (a Amount) checkRetained(of Amount) error {
	const field = "retained_total"
	if err := a.check(field); err != nil {
		return err
	}
	switch {
	case a.Currency != of.Currency:
		return engine.Invalid(field+".currency", a.Currency, "the currency of the disputed amount, "+of.Currency)
	case a.Value.Cmp(of.Value) > 0:
		return engine.Invalid(field+".value", a.Value, "between 0.00 and the disputed amount, "+of.Value.String())
	}
	return nil
}

// check applies the rules of a settled amount. The disputed amount is in currency.
func (s SettledAmount) check(currency string) error {
	const field = "retained_settled_amount"
	if s.IsZero() {
		return nil
	}
	err := cmp.Or(checkValue(field, s.Value), checkCurrency(field+".currency", s.Currency), checkCurrency(field+".exchange_rate.from", s.ExchangeRate.From))
	switch {
	case err != nil:
		return err
	case s.Currency == currency:
		return engine.Invalid(field+".currency", s.Currency, "another currency than the customer paid in, or no settled amount")
	case s.ExchangeRate.From != currency:
		return engine.Invalid(field+".exchange_rate.from", s.ExchangeRate.From, "the currency of the disputed amount, "+currency)
	case !isRate(string(s.ExchangeRate.Value)):
		text := s.ExchangeRate.Value
		return engine.Invalid(field+".exchange_rate.value", text[:min(len(text), maxRate+1)], "a decimal above 0 such as 0.0025")
	}
	return nil
}

// IsZero reports whether there is no settled amount.
func (s SettledAmount) IsZero() bool {
	return s.Value == client.Money{} && s.Currency == "" && s.ExchangeRate.Value == "" && s.ExchangeRate.From == ""
}

// bare returns the amount without Extra, as it is sent.
func (a Amount) bare() Amount { return Amount{Value: a.Value, Currency: a.Currency} }

func (s SettledAmount) bare() SettledAmount {
	s.Extra, s.ExchangeRate.Extra = nil, nil
	return s
}

func (f Fee) bare() Fee { return Fee{Type: f.Type, Amount: f.Amount.bare()} }

func checkValue(field string, m client.Money) error {
	if _, fraction, _ := strings.Cut(m.String(), "."); m.Cmp(client.Money{}) < 0 || len(fraction) != decimals {
		return engine.Invalid(field+".value", m, "0.00 or more, with two decimals")
	}
	return nil
}

func checkCurrency(field, code string) error {
	if len(code) != 3 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return engine.Invalid(field, code, "an ISO 4217 code")
	}
	return nil
}

func checkHTTPS(field, address string) error {
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" || u.Hostname() == "" {
		return engine.Invalid(field, address, "an HTTPS URL")
	}
	return nil
}

// isRate reports whether s is a positive decimal of at most maxRate characters.
func isRate(s string) bool {
	whole, fraction, pointed := strings.Cut(s, ".")
	digits := whole + fraction
	return len(s) <= maxRate && whole != "" && pointed == (fraction != "") &&
		strings.Trim(digits, "0123456789") == "" && strings.Trim(digits, "0") != ""
}
