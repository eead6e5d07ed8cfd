package bench

import (
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Secret signs what Deliveries returns.
const Secret client.Secret = "5f2b1c9a7d3e4f60"

// Updates returns bodies of 200 bytes that each say that another order was updated.
func Updates(n int) ([]byte, http.Header) { return update(n + 1) }

func update(order int) ([]byte, http.Header) {
	body := fmt.Appendf(nil, `{"store_id":123,"event":"order/updated","id":%d,"padding":"%0130d"}`, order, 0)
	header := http.Header{}
	header.Set(webhook.SignatureHeader, webhook.Sign(Secret, body))
	return body, header
}

// Deliveries returns bodies of 200 bytes that say that one of so many orders was updated.
func Deliveries(orders int) func(n int) ([]byte, http.Header) {
	bodies, headers := make([][]byte, orders), make([]http.Header, orders)
	for i := range bodies {
		bodies[i], headers[i] = update(i + 1)
	}
	return func(n int) ([]byte, http.Header) { return bodies[n%orders], headers[n%orders] }
}
