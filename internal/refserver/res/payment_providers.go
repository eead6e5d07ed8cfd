package res

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// paymentProviderOps are about the providers of the app that asks, in one store. The
// provider of another app is not found.
func paymentProviderOps() []api.Op {
	const all, one = "/payment_providers", "/payment_providers/{id}"
	read, write := []string{"read_payments"}, []string{"write_payments"}
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	return []api.Op{
		{ID: "payment_providers.list", Method: "GET", Path: all, Scopes: read, Feature: paymentApps,
			Provenance: api.Supplement, Paging: api.Paging{Whole: true, EmptyOK: true},
			Handler: api.Collection(findPaymentProviders, showPaymentProvider)},
		{ID: "payment_providers.get", Method: "GET", Path: one, Scopes: read, Feature: paymentApps,
			Provenance: api.Supplement, Errors: missing, Handler: api.Record(paymentProvider, showPaymentProvider)},
		{ID: "payment_providers.create", Method: "POST", Path: all, Scopes: write, Feature: paymentApps, Success: 201,
			Provenance: api.Supplement, Errors: paymentProviderFaults(), Handler: createPaymentProvider},
		{ID: "payment_providers.update", Method: "PUT", Path: one, Scopes: write, Feature: paymentApps, Success: 204,
			Provenance: api.Supplement, Errors: slices.Concat(missing, paymentProviderFaults()),
			Handler: updatePaymentProvider},
		{ID: "payment_providers.delete", Method: "DELETE", Path: one, Scopes: write, Feature: paymentApps, Success: 204,
			NoBody: true, Provenance: api.Supplement, Errors: missing, Handler: deletePaymentProvider},
	}
}

type paymentProviderJSON struct {
	ID               string                     `json:"id"`
	StoreID          int64                      `json:"store_id"`
	AppID            string                     `json:"app_id"`
	Name             string                     `json:"name"`
	PublicName       string                     `json:"public_name"`
	Description      string                     `json:"description"`
	LogoURLs         map[string]string          `json:"logo_urls"`
	Currencies       []string                   `json:"supported_currencies"`
	Methods          []paymentMethodsJSON       `json:"supported_payment_methods"`
	CheckoutJSURL    string                     `json:"checkout_js_url"`
	Options          []checkoutOptionJSON       `json:"checkout_payment_options"`
	ConfigurationURL *string                    `json:"configuration_url"`
	SupportURL       *string                    `json:"support_url"`
	RatesURL         *string                    `json:"rates_url"`
	Rates            []paymentRatesJSON         `json:"rates"`
	Features         []string                   `json:"features"`
	Enabled          bool                       `json:"enabled"`
	Authentication   map[string]json.RawMessage `json:"authentication"`
}

type paymentMethodsJSON struct {
	Type         string            `json:"payment_method_type"`
	IDs          []string          `json:"payment_methods"`
	Installments *installmentsJSON `json:"installments,omitempty"`
}

type installmentsJSON struct {
	Least   []installmentValueJSON  `json:"min_installment_value"`
	Options []installmentOptionJSON `json:"specification"`
}

// installmentValueJSON has one of value and amount, the one the app wrote.
type installmentValueJSON struct {
	Currency string `json:"currency"`
	Value    string `json:"value,omitempty"`
	Amount   string `json:"amount,omitempty"`
}

type installmentOptionJSON struct {
	Count     int64        `json:"installments"`
	Interest  string       `json:"interest_rate"`
	AppliesTo []string     `json:"applies_to"`
	Minimums  []amountJSON `json:"minimum_purchase_value"`
}

type paymentRatesJSON struct {
	Type  string            `json:"payment_method_type"`
	Rates []paymentRateJSON `json:"rates_definition"`
}

type paymentRateJSON struct {
	PercentFee string      `json:"percent_fee"`
	Days       int64       `json:"days_to_withdraw_money"`
	FlatFee    *amountJSON `json:"flat_fee"`
	PlusTax    bool        `json:"plus_tax"`
}

type checkoutOptionJSON struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description *string  `json:"description"`
	LogoURL     *string  `json:"logo_url"`
	Countries   []string `json:"supported_billing_countries"`
	Types       []string `json:"supported_payment_method_types"`
	Integration string   `json:"integration_type"`
}

func showPaymentProvider(tx *world.Tx, _ *api.In, p world.PaymentProvider) any {
	out := paymentProviderJSON{
		ID:               p.ID,
		StoreID:          tx.Store().ID,
		AppID:            strconv.FormatInt(p.AppID, 10),
		Name:             p.Name,
		PublicName:       p.PublicName,
		Description:      p.Description,
		LogoURLs:         p.LogoURLs,
		Currencies:       orEmpty(p.Currencies),
		Methods:          each(p.Methods, paymentMethodsOnWire),
		CheckoutJSURL:    p.CheckoutJSURL,
		Options:          each(p.Options, checkoutOptionOnWire),
		ConfigurationURL: api.TextOrNil(p.ConfigurationURL),
		SupportURL:       api.TextOrNil(p.SupportURL),
		RatesURL:         api.TextOrNil(p.RatesURL),
		Rates:            each(p.Rates, paymentRatesOnWire),
		Features:         orEmpty(p.Features),
		Enabled:          p.Enabled,
		Authentication:   withoutSecrets(p.Authentication),
	}
	if out.PublicName == "" {
		out.PublicName = p.Name
	}
	return out
}

func paymentMethodsOnWire(m world.PaymentMethods) paymentMethodsJSON {
	out := paymentMethodsJSON{Type: m.Type, IDs: orEmpty(m.IDs)}
	if m.Installments != nil {
		out.Installments = &installmentsJSON{
			Least:   each(m.Installments.Least, installmentValueOnWire),
			Options: each(m.Installments.Options, installmentOptionOnWire),
		}
	}
	return out
}

func installmentValueOnWire(v world.InstallmentValue) installmentValueJSON {
	if v.ByAmount {
		return installmentValueJSON{Currency: v.Currency, Amount: money(v.Value)}
	}
	return installmentValueJSON{Currency: v.Currency, Value: money(v.Value)}
}

func installmentOptionOnWire(o world.InstallmentOption) installmentOptionJSON {
	return installmentOptionJSON{
		Count:     o.Count,
		Interest:  asWritten(o.Interest),
		AppliesTo: orEmpty(o.AppliesTo),
		Minimums:  each(o.Minimums, amountOnWire),
	}
}

func paymentRatesOnWire(r world.PaymentRates) paymentRatesJSON {
	return paymentRatesJSON{Type: r.Type, Rates: each(r.Rates, paymentRateOnWire)}
}

func paymentRateOnWire(r world.PaymentRate) paymentRateJSON {
	out := paymentRateJSON{PercentFee: asWritten(r.PercentFee), Days: r.Days, PlusTax: r.PlusTax}
	if r.FlatFee != nil {
		fee := amountOnWire(*r.FlatFee)
		out.FlatFee = &fee
	}
	return out
}

func checkoutOptionOnWire(o world.CheckoutOption) checkoutOptionJSON {
	return checkoutOptionJSON{
		ID:          o.ID,
		Name:        o.Name,
		Description: api.TextOrNil(o.Description),
		LogoURL:     api.TextOrNil(o.LogoURL),
		Countries:   orEmpty(o.Countries),
		Types:       orEmpty(o.Types),
		Integration: o.Integration,
	}
}

func amountOnWire(a world.Amount) amountJSON {
	return amountJSON{Value: money(a.Value), Currency: a.Currency}
}

// withoutSecrets is the part of the credentials that is none. That an answer leaves
// the rest out is assumed.
func withoutSecrets(all map[string]json.RawMessage) map[string]json.RawMessage {
	if all == nil {
		return nil
	}
	out := map[string]json.RawMessage{}
	for _, member := range []string{"type", "client_id", "username", "expires_at", "refresh_token_url"} {
		if raw, ok := all[member]; ok {
			out[member] = raw
		}
	}
	return out
}

// asWritten is a rate with the decimals the app gave it.
func asWritten(d decimal.Decimal) string { return d.StringFixed(max(0, -d.Exponent())) }

// each turns the elements of a list into what they are on the wire.
func each[T, U any](list []T, show func(T) U) []U {
	out := make([]U, 0, len(list))
	for _, v := range list {
		out = append(out, show(v))
	}
	return out
}

// findPaymentProviders lists those of the app, the oldest first.
func findPaymentProviders(tx *world.Tx, in *api.In) ([]world.PaymentProvider, error) {
	var out []world.PaymentProvider
	for _, p := range tx.PaymentProviders.Where("app", strconv.FormatInt(in.App.ID, 10)) {
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(a, b world.PaymentProvider) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return out, nil
}

// paymentProvider is the one that the path names, which is the app's.
func paymentProvider(tx *world.Tx, in *api.In) (world.PaymentProvider, error) {
	p, ok := tx.PaymentProviders.Get(in.Var("id"))
	if !ok || p.AppID != in.App.ID {
		return p, api.NotFound("")
	}
	return p, nil
}

func createPaymentProvider(tx *world.Tx, in *api.In) (any, error) {
	p, err := readPaymentProvider(tx, in, world.PaymentProvider{AppID: in.App.ID, Enabled: true, CreatedAt: tx.Now()})
	if err != nil {
		return nil, err
	}
	p.ID = tx.NewUUID()
	return struct {
		ID string `json:"id"`
	}{p.ID}, tx.PaymentProviders.Put(p.ID, p)
}

func updatePaymentProvider(tx *world.Tx, in *api.In) (any, error) {
	before, err := paymentProvider(tx, in)
	if err != nil {
		return nil, err
	}
	p, err := readPaymentProvider(tx, in, before)
	if err != nil {
		return nil, err
	}
	return nil, tx.PaymentProviders.Put(p.ID, p)
}

func deletePaymentProvider(tx *world.Tx, in *api.In) (any, error) {
	p, err := paymentProvider(tx, in)
	if err != nil {
		return nil, err
	}
	tx.PaymentProviders.Delete(p.ID)
	return nil, nil
}
