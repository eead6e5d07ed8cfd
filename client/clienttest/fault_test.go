package clienttest_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// TestFaultNamesOperations: what a path calls its parameters had to be guessed.
func TestFaultNamesOperations(t *testing.T) {
	srv := clienttest.New(t)
	for operation, exists := range map[string]bool{
		"POST /orders/{order_id}/transactions/{id}/events":             true,
		"POST /orders/{order_id}/transactions/{transaction_id}/events": true,
		"GET /products/{id}":         true,
		"GET /products/{product_id}": true,
		"GET /products/7":            false,
		"GET /products/{id}/sold":    false,
		"*":                          true,
	} {
		if err := srv.Fault(clienttest.Fault{Operation: operation, Count: 1, Status: 503}); (err == nil) != exists {
			t.Errorf("%s: got %v, want that it exists: %v", operation, err, exists)
		}
	}
}
