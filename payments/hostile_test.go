package payments

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// A spoiled call is refused in little memory and reaches no function, or is read and reaches it once. Errors have no
// secrets.
func TestSpoiledCalls(t *testing.T) {
	calls := 0
	process := &ProcessHandler{Process: func(context.Context, ProcessRequest) (any, error) { calls++; return nil, nil }}
	refunds := &RefundHandler{Refund: func(context.Context, RefundRequest) error { calls++; return nil }}
	refresh := &RefreshHandler{Refresh: func(context.Context, RefreshRequest) (Tokens, error) { calls++; return Tokens{"a", "b", 1e9}, nil }}
	for name, v := range map[string]struct {
		read func(body) run
		good string
	}{
		// The contract does not name the members of a payment: one that lacks them all is given to the app.
		"process": {process.read, strings.Replace(attempted, `"amount"`, `"newer":{"list":[1,null]},"amount"`, 1)},
		"refund":  {refunds.read, refund},
		"refresh": {refresh.read, `{"grant_type":"refresh_token","client_id":"me","client_secret":"cnry_7f3a","refresh_token":"cnry_7f3b","newer":{"list":[{"a":1},null]}}`},
	} {
		reader := hostile.Reader{Read: func(body []byte) bool {
			calls = 0
			var in received
			err := kind{read: v.read}.decode(&in, body, nil)
			if text := fmt.Sprint(err); len(text) > 1000 || strings.Contains(text, "cnry_") {
				t.Errorf("%s %.100q: reported in %d bytes: %.300s", name, body, len(text), text)
			}
			if err != nil {
				return false
			}
			if _, err := in.act(t.Context()); err != nil || calls != 1 {
				t.Errorf("%s %.100q: %d calls, %v", name, body, calls, err)
			}
			return true
		}}
		if reader.Read([]byte("null")) || !reader.Read([]byte(v.good)) {
			t.Errorf("%s: null was accepted, or %s was not", name, v.good)
		}
		t.Logf("%s: %v", name, reader.Play(t, hostile.Documents(hostile.OfHandler, []byte(v.good))))
	}
	cancel := &CancelHandler{Callback: configured(new(failures)), Cancel: func(context.Context, string) error { calls++; return nil }}
	for _, query := range []string{"", "?payment_attempt_id=", "?payment_attempt_id=7&payment_attempt_id=8", "?payment_attempt_id", "?%zz", "?PAYMENT_ATTEMPT_ID=7", "?payment_attempt_id=7;x", "?" + strings.Repeat("a&", 1<<16)} {
		calls = 0
		if code := ask(cancel, signed(t, http.MethodPost, "/cancel"+query, "")).Code; code != 400 || calls != 0 {
			t.Errorf("cancel%.60s: status %d, %d calls", query, code, calls)
		}
	}
}

func TestSpoiledRecords(t *testing.T) {
	hostile.Records(t, map[string]any{"payment_provider": &Provider{}, "transaction": &Transaction{}}, func(name string) []byte {
		data, err := os.ReadFile("../testdata/wire/" + name + ".json")
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

// A mebibyte in a header of a call is not believed, and costs no more than a few copies.
func TestLongHeaders(t *testing.T) {
	c := configured(new(failures))
	long := func(part string) string { return strings.Repeat(part, 1<<20/len(part)) }
	for name, set := range map[string]struct{ header, value string }{
		"as it was signed":        {},
		"signature":               {SignatureHeader, long("a")},
		"a signature of zeros":    {SignatureHeader, long("AAAA")},
		"a signature, not Base64": {SignatureHeader, long("-")},
		"timestamp":               {TimestampHeader, long("a")},
		"a timestamp of digits":   {TimestampHeader, long("1")},
		"a timestamp of zeros":    {TimestampHeader, long("0")},
	} {
		r := signed(t, http.MethodPost, "/refunds", refund)
		if set.header != "" {
			r.Header.Set(set.header, set.value)
		}
		h := &RefundHandler{Callback: c, Refund: func(context.Context, RefundRequest) error { return nil }}
		var ok bool
		spent := hostile.Cost(func() { ok = ask(h, r).Code == http.StatusAccepted })
		if ok != (set.header == "") || spent.Bytes > 4<<20 {
			t.Errorf("%s: believed %t, which cost %v", name, ok, spent)
		}
		t.Logf("%s: %v", name, spent)
	}
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
		check(field, e.check)
	}
	for field, change := range map[string]func(*TransactionInput){
		"payment_method.type":        func(x *TransactionInput) { x.PaymentMethod.Type = MethodType(long) },
		"info.installments.interest": func(x *TransactionInput) { x.Info.Installments = client.Set(InstallmentsInput{1, digits}) },
	} {
		x := TransactionInput{PaymentProviderID: uuid.New(), PaymentMethod: PaymentMethodInput{Type: MethodTypeCreditCard, ID: "visa"}, Info: InfoInput{ExternalID: "1"}}
		change(&x)
		check(field, x.check)
	}
	misconfigured := configured(new(failures))
	misconfigured.Origin = "https://" + long + "/"
	if err := misconfigured.check("a handler", "function", false); err == nil || len(err.Error()) > 500 {
		t.Errorf("an origin: %.200v", err)
	}
	if keys, err := ParseKeys([]byte(long)); err == nil || len(err.Error()) > 500 {
		t.Errorf("keys: %d, %.200v", len(keys), err)
	}
}
