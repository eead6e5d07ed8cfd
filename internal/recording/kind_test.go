package recording

import (
	"net/http"
	"testing"
)

func TestKind(t *testing.T) {
	signed := http.Header{SignatureHeader: {"x"}}
	paid := http.Header{paymentSignatureHeader: {"x"}, paymentTimestampHeader: {"1"}}
	for _, tc := range []struct {
		method, target string
		header         http.Header
		body           string
		kind           Kind
		operation      string
	}{
		{"POST", "/x", nil, cart, Carts, ""},
		{"POST", "/x", signed, cart, Carts, ""}, // carts will be signed like deliveries
		{"POST", "/x", nil, quote, Rates, ""},
		{"POST", "/l/generate", nil, labelRequest, Labels, "generate"},
		{"POST", "/l/other", nil, labelRequest, "", ""},
		{"POST", "/l/cancel", nil, `{"labels":[{"fulfillment_order_id":"F","label_id":"L"}]}`, Labels, "cancel"},
		{"POST", "/l/suspension", nil, `{"labels":[]}`, Labels, "suspension"},
		{"POST", "/l/reactivate", nil, `{"labels":[]}`, Labels, "reactivate"},
		{"POST", "/x", paid, process, Payments, Process},
		{"POST", "/x", paid, `{"store_id":1,"payment_provider_id":"p","transaction_id":"t","amount":{}}`, Payments, Refund},
		{"POST", "/x?payment_attempt_id=a", paid, "", Payments, Cancel},
		{"GET", "/x?order_id=1", paid, "", Payments, Status},
		{"GET", "/x?order_id=1", nil, "", "", ""}, // anybody may ask for that
		{"POST", "/x", nil, `{"grant_type":"refresh_token","client_secret":"s","refresh_token":"r"}`, "", ""},
		{"POST", "/x", signed, redact, Deliveries, ""},
		{"POST", "/x", signed, `{"store_id":1,"event":"order/paid","id":5}`, Deliveries, ""},
		{"POST", "/x", nil, `{"store_id":1,"event":"order/paid","id":5}`, "", ""}, // the platform signs them
		{"PUT", "/x", signed, redact, "", ""},
		{"POST", "/x", signed, "[[", "", ""},
		{"POST", "%", signed, redact, "", ""},
	} {
		c := Call{Method: tc.method, Target: tc.target, Header: tc.header, Body: []byte(tc.body)}
		if kind, operation := c.Kind(""); kind != tc.kind || operation != tc.operation {
			t.Errorf("%s %s %.60s: got %q %q, want %q %q", tc.method, tc.target, tc.body, kind, operation, tc.kind, tc.operation)
		}
	}
	c := Call{Method: "POST", Target: "/", Header: http.Header{"X-Other": {"x"}}, Body: []byte(redact)}
	if kind, _ := c.Kind("x-other"); kind != Deliveries {
		t.Errorf("with another header: got %q", kind)
	}
}
