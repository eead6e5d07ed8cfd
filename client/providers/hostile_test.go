package providers

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

func TestSpoiledRecords(t *testing.T) {
	hostile.Records(t, map[string]any{"payment_provider": &Provider{}, "transaction": &Transaction{}}, func(name string) []byte {
		data, err := os.ReadFile("../../testdata/wire/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		return data
	})
}

// A rate is a plain decimal of at most 24 characters, or refused at little cost.
func TestNumbersOfStrangers(t *testing.T) {
	form := regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)
	count, taken := 0, 0
	var greatest hostile.Spent
	for s := range hostile.Numbers() {
		p := goodProvider()
		p.Methods[0].Installments.Specification[0].InterestRate = client.Measure(s)
		var err error
		spent := hostile.Cost(func() { err = p.Check() })
		count, greatest = count+1, greatest.Max(spent)
		want := len(s) <= 24 && form.MatchString(s)
		if want {
			taken++
		}
		if (err == nil) != want || err != nil && len(err.Error()) > 500 || spent.Bytes > 64<<10 {
			t.Errorf("%.60q: got %.200v, and it cost %v", s, err, spent)
		}
	}
	t.Logf("%d numbers, %d taken, at most %v for one", count, taken, greatest)
}

// A mebibyte in the place of a text of the contract is refused, and not repeated.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	digits := client.Measure(strings.Repeat("1", 1<<20))
	check := func(field string, check func() error) {
		var err error
		spent := hostile.Cost(func() { err = check() })
		if !errors.Is(err, client.ErrValidation) || !strings.HasPrefix(err.Error(), field+": ") || len(err.Error()) > 500 || spent.Bytes > 16<<20 {
			t.Errorf("%s: cost %v: %.200v", field, spent, err)
		}
		t.Logf("%s: %v", field, spent)
	}
	type in = *ProviderInput
	for field, change := range map[string]func(in){
		"logo_urls":                                    func(p in) { p.LogoURLs[LogoSize(long)] = "https://app.example" },
		"logo_urls.400x120":                            func(p in) { p.LogoURLs[LogoWide] = long },
		"supported_currencies[0]":                      func(p in) { p.Currencies[0] = long },
		"checkout_js_url":                              func(p in) { p.CheckoutJSURL = "https://" + long },
		"support_url":                                  func(p in) { p.SupportURL = "mailto:" + long },
		"features[0]":                                  func(p in) { p.Features[0] = Feature(long) },
		"rates[0].payment_method_type":                 func(p in) { p.Rates[0].Type = MethodType(long) },
		"authentication.type":                          func(p in) { p.Authentication = &Authentication{Type: AuthenticationType(long)} },
		"checkout_payment_options[1].id":               func(p in) { p.Options[0].ID, p.Options[1].ID = long, long },
		"checkout_payment_options[1].logo_url":         func(p in) { p.Options[1].LogoURL = long },
		"checkout_payment_options[0].integration_type": func(p in) { p.Options[0].Integration = IntegrationType(long) },
		"checkout_payment_options[0].supported_billing_countries[0]":    func(p in) { p.Options[0].BillingCountries[0] = long },
		"checkout_payment_options[0].supported_payment_method_types[0]": func(p in) { p.Options[0].MethodTypes[0] = MethodType(long) },
		"rates[0].rates_definition[0].percent_fee":                      func(p in) { p.Rates[0].Definition[0].PercentFee = digits },
		"rates[0].rates_definition[0].flat_fee.currency":                func(p in) { p.Rates[0].Definition[0].FlatFee.Currency = long },
		"supported_payment_methods[0].payment_method_type":              func(p in) { p.Methods[0].Type = MethodType(long) },
		"supported_payment_methods[0].installments.specification[0].interest_rate": func(p in) {
			p.Methods[0].Installments.Specification[0].InterestRate = digits
		},
		"supported_payment_methods[0].installments.min_installment_value[0].currency": func(p in) {
			p.Methods[0].Installments.MinInstallmentValue[0].Currency = long
		},
	} {
		p := goodProvider()
		change(&p)
		check(field, p.Check)
	}
	for field, change := range map[string]func(*EventInput){
		"type":            func(e *EventInput) { e.Type = EventType(long) },
		"status":          func(e *EventInput) { e.Status = EventStatus(long) },
		"amount.currency": func(e *EventInput) { e.Amount.Currency = long },
	} {
		e := EventInput{Amount: Amount{client.Cents(1), "BRL"}, Type: EventTypeSale, Status: EventPending}
		change(&e)
		check(field, e.Check)
	}
	for field, change := range map[string]func(*TransactionInput){
		"payment_method.type": func(x *TransactionInput) { x.PaymentMethod.Type = MethodType(long) },
		"info.installments.interest": func(x *TransactionInput) {
			x.Info.Installments = client.Set(InstallmentsInput{1, digits})
		},
	} {
		x := TransactionInput{PaymentProviderID: uuid.New(), PaymentMethod: PaymentMethodInput{Type: MethodTypeCreditCard, ID: "visa"}, Info: InfoInput{ExternalID: "1"}}
		change(&x)
		check(field, x.Check)
	}
}
