package load

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Secret signs what Deliveries returns.
const Secret client.Secret = "5f2b1c9a7d3e4f60"

// Deliveries returns bodies of 200 bytes that say that one of so many orders was updated.
func Deliveries(orders int) func(n int) ([]byte, http.Header) {
	bodies, headers := make([][]byte, orders), make([]http.Header, orders)
	for i := range bodies {
		bodies[i] = fmt.Appendf(nil, `{"store_id":123,"event":"order/updated","id":%d,"padding":%q}`, i+1, strings.Repeat("x", 130))
		headers[i] = http.Header{}
		headers[i].Set(webhook.SignatureHeader, webhook.Sign(Secret, bodies[i]))
	}
	return func(n int) ([]byte, http.Header) { return bodies[n%orders], headers[n%orders] }
}
