package client_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/commerceplatform/commerce-go/client"
)

// Behind a proxy the address that counts is the last one that is not the proxy's.
func ExampleSources() {
	sources := &client.Sources{}
	var err error
	if sources.Proxies, err = client.ParseSources("10.0.0.0/8"); err != nil {
		fmt.Println(err)
		return
	}
	platform, err := client.ParseSources("192.0.2.0/24", "2001:db8::7")
	if err != nil {
		fmt.Println(err)
		return
	}
	sources.Set(platform...) // again whenever the platform notifies you of a change
	r := httptest.NewRequest(http.MethodPost, "/carts", nil)
	r.RemoteAddr = "10.1.2.3:4567"
	r.Header.Set("X-Forwarded-For", "192.0.2.7, 198.51.100.9")
	fmt.Println(sources.Allows(r))
	r.Header.Set("X-Forwarded-For", "203.0.113.5, 192.0.2.7")
	fmt.Println(sources.Allows(r))
	// Output:
	// false
	// true
}
