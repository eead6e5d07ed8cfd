package payments

import (
	"bytes"
	"context"
	"crypto/rsa"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// A spoiled call, although it is signed, is answered 400 or 413 and reaches no function, in little memory.
func TestSpoiledCalls(t *testing.T) {
	var calls atomic.Int64
	var f failures
	key := quickKeyOf()
	callback := configured(&f)
	callback.Keys = []*rsa.PublicKey{key.public()}
	process := &ProcessHandler{Callback: callback, Process: func(context.Context, ProcessRequest) (any, error) { calls.Add(1); return nil, nil }}
	refunds := &RefundHandler{Callback: callback, Refund: func(context.Context, RefundRequest) error { calls.Add(1); return nil }}
	cancel := &CancelHandler{Callback: callback, Cancel: func(context.Context, string) error { calls.Add(1); return nil }}
	refresh := &RefreshHandler{OnFailure: f.report, Refresh: func(context.Context, RefreshRequest) (Tokens, error) {
		calls.Add(1)
		return Tokens{"a", "b", 1e9}, nil
	}}
	for _, v := range []struct {
		name    string
		handler http.Handler
		target  string
		good    string
		done    int
		unread  bool // nothing in the body matters
		free    bool // the call is not signed
	}{
		// The contract does not name the members of a payment: one that lacks them all is given to the app.
		{"process", process, "/process?", `{"store_id":123,"order_id":"77","payment_provider_id":"4dd2c2ba-9a2b-4d61-a1d1-0f7b4f1f5a11","payment_attempt_id":"a-1",` +
			`"payment_method":{"type":"credit_card","id":"visa"},"amount":{"value":"10.00","currency":"BRL"},"newer":{"list":[1,null]}}`, 201, false, false},
		{"refund", refunds, "/refunds?of=7&", refund, 202, false, false},
		{"refresh", refresh, "/refresh?", `{"grant_type":"refresh_token","client_id":"me","client_secret":"cnry_7f3a","refresh_token":"cnry_7f3b","newer":{"list":[{"a":1},null]}}`, 200, false, true},
		{"cancel", cancel, "/cancel?payment_attempt_id=7&", `{"payment_attempt_id":"7","newer":{"list":[{"a":1},null],"text":"x"}}`, 200, true, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			statuses, nth := map[int]int{}, 0
			reader := hostile.Reader{Read: func(body []byte) bool {
				nth++ // no call is a repetition of another
				calls.Store(0)
				target := v.target + strconv.Itoa(nth)
				r := httptest.NewRequest(http.MethodPost, target, bytes.NewReader(body))
				if !v.free {
					r = signedBy(t, key, http.MethodPost, target, string(body))
				}
				code := ask(v.handler, r).Code
				statuses[code]++
				n := calls.Load()
				if n > 1 || n == 1 && code != v.done || n == 0 && !slices.Contains([]int{400, 413}, code) {
					t.Errorf("%s %.100q: status %d, %d calls", v.name, body, code, n)
				}
				return n > 0 && !v.unread
			}}
			if !v.unread && reader.Read([]byte("null")) {
				t.Errorf("%s: null was accepted", v.name)
			}
			reader.Read([]byte(v.good))
			if statuses[v.done] != 1 {
				t.Errorf("%s %s: statuses %v", v.name, v.good, statuses)
			}
			t.Logf("%s: %v; statuses %v", v.name, reader.Play(t, hostile.Documents(hostile.OfHandler, []byte(v.good))), statuses)
		})
	}
	if text := f.String(); strings.Contains(text, "cnry_") {
		t.Error("what failed was told with a secret")
	}
	for _, x := range f.list {
		if len(x.Error()) > 500 {
			t.Errorf("told in %d bytes: %.200s", len(x.Error()), x)
		}
	}
	for _, query := range []string{"", "?payment_attempt_id=", "?payment_attempt_id=7&payment_attempt_id=8", "?payment_attempt_id", "?%zz", "?PAYMENT_ATTEMPT_ID=7", "?payment_attempt_id=7;x", "?" + strings.Repeat("a&", 1<<16)} {
		calls.Store(0)
		if code := ask(cancel, signedBy(t, key, http.MethodPost, "/cancel"+query, "")).Code; code != 400 || calls.Load() != 0 {
			t.Errorf("cancel%.60s: status %d, %d calls", query, code, calls.Load())
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
	key := quickKeyOf()
	c := configured(new(failures))
	c.Keys = []*rsa.PublicKey{key.public()}
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
		r := signedBy(t, key, http.MethodPost, "/refunds", refund)
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
