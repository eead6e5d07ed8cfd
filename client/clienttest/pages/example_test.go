package pages_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
)

// A program that shows its server in a browser serves the pages on an address of this machine.
func ExampleOf() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	browser := httptest.NewServer(pages.Of(srv))
	defer browser.Close()

	answer, err := http.Get(browser.URL + "/log?kind=webhook")
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	fmt.Println(answer.Status, answer.Header.Get("Content-Type"))
	// Output: 200 OK text/html; charset=utf-8
}

// A program that people run has a flag for the address.
func ExampleAt() {
	srv, err := clienttest.Start(clienttest.Options{Console: pages.At("127.0.0.1:0")})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	fmt.Println(srv.ConsoleURL() != "")
	// Output: true
}

// A program that shows something with a platform has pages only if somebody asks for them.
func ExamplePlay() {
	play := func(_ context.Context, platform *clienttest.Server) error {
		_, err := fmt.Println("store", platform.StoreID())
		return err
	}
	if err := pages.Play(context.Background(), "", os.Stdout, clienttest.Options{}, play); err != nil {
		log.Fatal(err)
	}
	// Output: store 1001
}
