package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

func Example() {
	const secret client.Secret = "the secret of the app"

	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		fmt.Printf("store %d: read order %d and ship it\n", d.StoreID, d.Payload.ID)
		return nil
	})
	webhook.On(&events, webhook.AppSubscriptionUpdated,
		func(ctx context.Context, d webhook.Delivery[webhook.AppSubscription]) error {
			fmt.Printf("store %d: read the subscription, %s\n", d.StoreID, d.Payload.Topic)
			return nil
		})
	hooks := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events}
	if err := hooks.Check(); err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/hooks", hooks)

	// What the platform does:
	for _, body := range []string{
		`{"store_id":123,"event":"order/paid","id":871254203}`,
		`{"store_id":123,"event":"app_subscription/updated","id":42,"topic":"churn"}`,
	} {
		r := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(body))
		r.Header.Set(webhook.SignatureHeader, webhook.Sign(secret, []byte(body)))
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		fmt.Println(w.Code)
	}
	// Output:
	// store 123: read order 871254203 and ship it
	// 200
	// store 123: read the subscription, churn
	// 200
}

func ExampleSign() {
	body := []byte(`{"store_id":123,"event":"order/paid","id":871254203}`)
	fmt.Println(webhook.Sign("secret", body))
	// Output:
	// 82b97bbc732ac467d5df2b25394e96de57ba368aab67e55c2a6636884b5170ed
}

func ExampleRegistry_Complete() {
	var events webhook.Registry
	webhook.On(&events, webhook.StoreRedactRequested,
		func(context.Context, webhook.Delivery[webhook.StoreRedact]) error { return nil })
	for _, name := range webhook.Events() {
		if !strings.HasPrefix(string(name), "customers/") && name != webhook.StoreRedactRequested.Name {
			events.Ignore(name)
		}
	}
	fmt.Println(events.Complete())
	// Output:
	// events neither handled nor ignored: customers/redact, customers/data_request
}

// An event that is newer than this package, with a payload of one's own.
func ExampleEvent() {
	type Kit struct {
		ID client.ID `json:"id"`
	}
	kitUpdated := webhook.Event[Kit]{Name: "kit/updated"}

	var events webhook.Registry
	webhook.On(&events, kitUpdated, func(_ context.Context, d webhook.Delivery[Kit]) error {
		fmt.Println("kit", d.Payload.ID)
		return nil
	})
	hooks := &webhook.Handler{Secrets: []client.Secret{"secret"}, Registry: &events}

	body := `{"store_id":123,"event":"kit/updated","id":7}`
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set(webhook.SignatureHeader, webhook.Sign("secret", []byte(body)))
	hooks.ServeHTTP(httptest.NewRecorder(), r)
	// Output:
	// kit 7
}

// A process shuts down without rejecting a request: its readiness probe fails before its server stops accepting.
func ExampleReady() {
	ready := &webhook.Ready{Wait: 10 * time.Millisecond} // 5 s by default
	mux := http.NewServeMux()
	mux.Handle("/readyz", ready)
	probe := func() int {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		return w.Code
	}
	server := webhook.Server("127.0.0.1:0", mux) // and ListenAndServe, in a goroutine
	fmt.Println(probe())

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second) // after SIGTERM
	defer cancel()
	if err := ready.Shutdown(ctx, server); err != nil {
		fmt.Println(err)
	}
	fmt.Println(probe())
	// Output:
	// 200
	// 503
}
