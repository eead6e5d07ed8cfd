package clienttest_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// The platform asks an app to delete the data of a customer.
func ExampleServer_RedactCustomer() {
	const app = "https://gifts.example"
	srv, err := clienttest.Start(clienttest.Options{
		Demo: true, Protection: clienttest.ProtectionURLs{CustomersRedact: app + "/hooks/customers/redact"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	var events webhook.Registry
	webhook.On(&events, webhook.CustomerRedactRequested, func(_ context.Context, d webhook.Delivery[webhook.CustomerRedact]) error {
		fmt.Println(d.Event, "with", len(d.Payload.OrdersToRedact) > 0)
		return nil
	})
	mux := http.NewServeMux()
	hooks := &webhook.Handler{Secrets: []client.Secret{srv.App().Secret}, Registry: &events}
	if err := hooks.Mount(mux, "/hooks"); err != nil {
		fmt.Println(err)
		return
	}
	if err := srv.Partner(app, mux); err != nil {
		fmt.Println(err)
		return
	}
	for o, err := range v202503.Orders(srv.Client()).List(client.OrderFilter{}).All(context.Background()) {
		if err == nil && o.Customer != nil {
			err = srv.RedactCustomer(o.Customer.ID)
		}
		if err != nil {
			fmt.Println(err)
		}
		break
	}
	if err := srv.Settle(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output: customers/redact with true
}

// The platform asks an app for the data of a customer, and the address says what it asks for.
func ExampleServer_RequestCustomerData() {
	const app = "https://gifts.example"
	srv, err := clienttest.Start(clienttest.Options{
		Demo: true, Protection: clienttest.ProtectionURLs{CustomerDataRequest: app + "/hooks/customers/data_request"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	err = srv.Partner(app, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { fmt.Println(r.Method, r.URL.Path) }))
	if err != nil {
		fmt.Println(err)
		return
	}
	customers, err := v202503.Customers(srv.Client()).List(client.CustomerFilter{}).Page(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := srv.RequestCustomerData(customers.Items[0].ID); err != nil {
		fmt.Println(err)
	}
	if err := srv.Settle(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output: POST /hooks/customers/data_request
}

// Each request goes to its own address, and nobody's data is asked for.
func TestProtection(t *testing.T) {
	const app = "https://gifts.example"
	srv := clienttest.New(t, clienttest.Options{Demo: true, Protection: clienttest.ProtectionURLs{
		StoreRedact: app + "/1", CustomersRedact: app + "/2", CustomerDataRequest: app + "/3",
	}})
	got := make(chan string, 10)
	if err := srv.Partner(app, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.URL.Path })); err != nil {
		t.Fatal(err)
	}
	customers, err := v202503.Customers(srv.Client()).List(client.CustomerFilter{}).Page(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	id := customers.Items[0].ID
	for path, send := range map[string]func() error{
		"/2": func() error { return srv.RedactCustomer(id) },
		"/3": func() error { return srv.RequestCustomerData(id) },
		"/1": srv.Uninstall,
	} {
		if err := send(); err != nil {
			t.Fatal(err)
		}
		if err := srv.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if arrived := <-got; arrived != path {
			t.Errorf("got a request at %s, want %s", arrived, path)
		}
		if path == "/1" {
			if _, err := srv.Install(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := srv.RedactCustomer(7); err == nil || err.Error() != fmt.Sprintf("clienttest: customers/redact: store %d has no customer 7", srv.StoreID()) {
		t.Errorf("nobody: %v", err)
	}
}
