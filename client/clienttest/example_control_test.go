package clienttest_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// A program in any language moves the clock of a Go test's server, here by two days.
func ExampleServer_Control() {
	server, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	control := httptest.NewServer(server.Control())
	defer control.Close()

	before := server.Clock().Now()
	answer, err := http.Post(control.URL+"/_/api/clock/advance", "application/json", strings.NewReader(`{"by": "48h"}`))
	if err != nil {
		log.Fatal(err)
	}
	answer.Body.Close()
	fmt.Println(answer.Status, server.Clock().Now().Sub(before))
	// Output: 200 OK 48h0m0s
}
