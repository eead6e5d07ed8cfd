package world

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// PaymentProvider is what a payment app offers in a store.
type PaymentProvider struct {
	// ID is a UUID.
	ID string
	// AppID is the app that created it, the only one that sees it.
	AppID int64
	Name  string
	// PublicName is empty for one that is the Name.
	PublicName  string
	Description string
	// LogoURLs have the dimension as key, for example 400x120.
	LogoURLs map[string]string
	// Currencies are codes of ISO 4217.
	Currencies    []string
	Methods       []PaymentMethods
	CheckoutJSURL string
	Options       []CheckoutOption
	// The addresses are empty for null.
	ConfigurationURL string
	SupportURL       string
	RatesURL         string
	Rates            []PaymentRates
	Features         []string
	Enabled          bool
	// Authentication is what the app wrote, with its secrets; nil for null.
	Authentication map[string]json.RawMessage
	CreatedAt      time.Time
}

// PaymentMethods are those of one type, for example credit_card.
type PaymentMethods struct {
	Type string
	// IDs are for example visa.
	IDs []string
	// Installments is nil for none.
	Installments *Installments
}

// Installments are the ways to pay by card in parts.
type Installments struct {
	Options []InstallmentOption
	// Least are the smallest parts, one per currency.
	Least []InstallmentValue
}

// InstallmentOption is one number of parts.
type InstallmentOption struct {
	Count int64
	// Interest is a fraction of 1.
	Interest decimal.Decimal
	// AppliesTo are banks or brands of cards.
	AppliesTo []string
	// Minimums are the totals from which the option applies.
	Minimums []Amount
}

// InstallmentValue is the smallest part in a currency. ByAmount is set if the app
// calls the value amount.
type InstallmentValue struct {
	Amount
	ByAmount bool
}

// Amount is money in a currency.
type Amount struct {
	Value    decimal.Decimal
	Currency string
}

// PaymentRates are what payments of one type cost the merchant.
type PaymentRates struct {
	Type  string
	Rates []PaymentRate
}

// PaymentRate is the cost of money that is paid out after a number of days.
type PaymentRate struct {
	PercentFee decimal.Decimal
	Days       int64
	// FlatFee is nil for none.
	FlatFee *Amount
	PlusTax bool
}

// CheckoutOption is one way to pay as the checkout shows it.
type CheckoutOption struct {
	// ID is the app's own, any text.
	ID   string
	Name string
	// Description and LogoURL are empty for null.
	Description string
	LogoURL     string
	// Countries are codes of ISO 3166-1, Types those of payment methods.
	Countries []string
	Types     []string
	// Integration is redirect or transparent.
	Integration string
}

// Indexes find the providers of an app, and the one that has a checkout option.
func (p PaymentProvider) Indexes() []table.Entry {
	out := []table.Entry{table.Multi("app", strconv.FormatInt(p.AppID, 10))}
	for _, o := range p.Options {
		out = append(out, table.Unique("option", OptionKey(p.AppID, o.ID)))
	}
	return out
}

// OptionKey is the value of a checkout option in the index "option".
func OptionKey(app int64, id string) string {
	return strconv.FormatInt(app, 10) + "/" + strings.ToLower(id)
}

// ProvidersInStore are the providers whose app is installed, the oldest first.
func (tx *Tx) ProvidersInStore() []PaymentProvider {
	var out []PaymentProvider
	for _, p := range tx.PaymentProviders.All() {
		if tx.Installed(p.AppID) {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b PaymentProvider) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return out
}
