package rules_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts/rules"
)

// dear is a rule: purchases above 1000.00 are not paid in cash.
func dear(_ context.Context, r *rules.Request) (hide []rules.PaymentOption, err error) {
	if r.Totals.Total.Cmp(client.MustMoney("1000.00")) > 0 {
		hide = append(hide, rules.PaymentOption{ProviderID: "acme", OptionID: "cash"})
	}
	return hide, nil
}

// A whole app: a function, and who may ask.
func ExampleHandler() {
	checkout := &rules.Handler{Payments: dear, Guarded: true}
	if err := checkout.Check(); err != nil {
		fmt.Println(err)
		return
	}
	const asked = `{"store_id":"1001","cart_id":77001,"details":{"domain":"payments"},"totals":{"total":"%s"}}`
	for _, total := range []string{"1000.00", "1000.01"} {
		w := httptest.NewRecorder()
		checkout.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/rules", strings.NewReader(fmt.Sprintf(asked, total))))
		fmt.Println(strings.TrimSpace(fmt.Sprint(w.Code, " ", w.Body)))
	}
	// Output:
	// 204
	// 200 {"command":"filter_payments_options","detail":{"filtered_options":[{"id":"acme","option_id":"cash"}]}}
}

// An order of locations has all of them, unless it says otherwise.
func ExampleRequest_First() {
	r, err := rules.ReadRequest([]byte(`{"store_id":"1001","cart_id":77001,"details":{"domain":"location"},"locations":[
		{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","name":"Shop","priority":0},
		{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6P","name":"Warehouse","priority":1}]}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.First(r.Locations[1].ID).IDs())
	fmt.Println(rules.Only(r.Locations[1].ID).IDs())
	// Output:
	// [01GQ2ZHK064BQRHGDB7CCV0Y6P 01GQ2ZHK064BQRHGDB7CCV0Y6N]
	// [01GQ2ZHK064BQRHGDB7CCV0Y6P]
}
