package clienttest_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// hooked is a server whose app gets domain/updated at a handler.
func hooked(h http.Handler) *clienttest.Server {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := srv.Partner("https://app.example", h); err != nil {
		log.Fatal(err)
	}
	in := client.WebhookInput{Event: "domain/updated", URL: "https://app.example/hooks"}
	if _, err := v202503.Webhooks(srv.Client()).Create(context.Background(), in); err != nil {
		log.Fatal(err)
	}
	return srv
}

// A handler that fails is called again, by the schedule of the platform and the clock of the server.
func ExampleClock_Advance() {
	calls := 0
	srv := hooked(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls < 4 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer srv.Close()
	begin := srv.Clock().Now()

	if err := srv.Emit("domain/updated", nil); err != nil {
		log.Fatal(err)
	}
	if err := srv.Settle(context.Background()); err != nil {
		log.Fatal(err)
	}
	srv.Clock().Advance(48 * time.Hour) // and nobody waits
	for _, d := range srv.Deliveries() {
		for _, a := range d.Attempts {
			fmt.Println(a.At.Sub(begin).Round(time.Minute), a.Status)
		}
	}
	// Output:
	// 0s 503
	// 0s 503
	// 5m0s 503
	// 15m0s 200
}

// The platform delivers more than once now and then, and so does Resend.
func ExampleServer_Resend() {
	calls := 0
	srv := hooked(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls++ }))
	defer srv.Close()
	ctx := context.Background()

	if err := srv.Emit("domain/updated", nil); err != nil {
		log.Fatal(err)
	}
	if err := srv.Settle(ctx); err != nil {
		log.Fatal(err)
	}
	for _, d := range srv.Deliveries() {
		fmt.Println(d.Event, srv.Resend(d.ID), srv.Settle(ctx))
	}
	fmt.Println(calls, "calls")
	// Output:
	// domain/updated <nil> <nil>
	// 2 calls
}

// An app that runs elsewhere, behind a socket of its own, gets what the platform sends.
func ExampleServer_Forward() {
	app := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { fmt.Println("called at", r.URL.Path) }))
	defer app.Close()
	srv := hooked(http.NotFoundHandler())
	defer srv.Close()
	ctx := context.Background()

	if err := srv.Forward("https://app.example", app.URL); err != nil {
		log.Fatal(err)
	}
	if err := srv.Emit("domain/updated", nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(srv.Settle(ctx))
	// Output:
	// called at /hooks
	// <nil>
}
