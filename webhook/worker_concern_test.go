package webhook

import (
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// What concerns a customer is found by id, order, email, phone and identification, and what does not stays.
func TestConcerning(t *testing.T) {
	request := CustomerRedact{
		Customer: Customer{ID: 77, Email: "Ana@buyer.example", Phone: "+54 341 555-0000",
			Identification: "12.345.678"},
		OrdersToRedact: []client.ID{1001, 1002},
	}
	concerns := request.concerning()
	for _, tt := range []struct {
		event, body string
		want        bool
	}{
		{"customer/updated", `{"id":77}`, true},
		{"customer/updated", `{"id":"77"}`, true},
		{"customer/updated", `{"id":770}`, false},
		{"order/updated", `{"id":77}`, false},
		{"order/updated", `{"id":1001}`, true},
		{"order/updated", `{"id":1003}`, false},
		{"order/updated", `{"id":1003,"customer":{"id":77}}`, true},
		{"order/updated", `{"id":1003,"customer_id":"77"}`, true},
		{"product/updated", `{"id":1001}`, false},
		{"", `{"event":"order/updated","id":1002}`, true},
		{"order/updated", `{"id":1003,"note":"write to ANA@BUYER.EXAMPLE, please"}`, true},
		{"order/updated", `{"id":1003,"note":"write to joana@buyer.example"}`, false},
		{"order/updated", `{"id":1003,"phone":"543415550000"}`, true},
		{"order/updated", `{"id":1003,"phone":"(341) 555 0000"}`, true},
		{"order/updated", `{"id":1003,"phone":"5550000"}`, false},
		{"order/updated", `{"id":1003,"contact":{"identification":12345678}}`, true},
		{"order/updated", `{"id":1003,"total":"12345678.00"}`, false},
		{"order/updated", `{"id":1003,"email":"ana@buyer.example","email":null}`, true},
		{"order/updated", `{"id":1003,"list":[{"order_id":1001}]}`, true},
		{"order/updated", `{"id":1003,"customer":{"id":77}`, true}, // no JSON
		{"order/updated", `garbage about ana@buyer.example`, true},
		{"order/updated", `garbage`, false},
		{"order/updated", ``, false},
	} {
		if got := concerns(DeadLetter{Entry: Entry{Event: Name(tt.event), Body: []byte(tt.body)}}); got != tt.want {
			t.Errorf("%s %s: got %v, want %v", tt.event, tt.body, got, tt.want)
		}
	}
	nobody := CustomerRedact{}.concerning()
	for _, body := range []string{`{"id":0,"customer":{"id":0,"email":""}}`, `{"id":null}`, `{}`, ``} {
		if nobody(DeadLetter{Entry: Entry{Event: "customer/updated", Body: []byte(body)}}) {
			t.Errorf("a request about nobody concerns %s", body)
		}
	}
}
