package clienttest_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// A program that shows its server in a browser serves the pages on an address of this machine.
func ExampleServer_Console() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	pages := httptest.NewServer(srv.Console())
	defer pages.Close()

	answer, err := http.Get(pages.URL + "/webhooks")
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	fmt.Println(answer.Status, answer.Header.Get("Content-Type"))
	// Output: 200 OK text/html; charset=utf-8
}
