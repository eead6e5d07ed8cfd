package clienttest_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// A program that people run has a flag for the address, 127.0.0.1:8082 for example.
func ExampleServer_ConsoleURL() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true, Console: pages.At("127.0.0.1:0")})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()

	answer, err := http.Get(srv.ConsoleURL() + "stores")
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	fmt.Println(answer.Status)
	// Output: 200 OK
}

// With Options.Console the program would stay after its last line, until Ctrl-C.
func ExampleServer_PlayWithConsole() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err = srv.PlayWithConsole(ctx, os.Stdout, func(ctx context.Context) error {
		page, err := v202503.Products(srv.Client()).List(client.ProductFilter{}).Page(ctx)
		fmt.Println("products:", page.Total)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: products: 12
}
