package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

// The addresses of data protection are known by their path, also where deliveries are stored.
func TestMount(t *testing.T) {
	const secret client.Secret = "5f2b1c9a7d3e4f60"
	var got []string
	note := func(event webhook.Name, store client.ID) {
		got = append(got, fmt.Sprint(event, " of ", store))
	}
	var events webhook.Registry
	webhook.On(&events, webhook.StoreRedactRequested,
		func(_ context.Context, d webhook.Delivery[webhook.StoreRedact]) error {
			note(d.Event, d.StoreID)
			return nil
		})
	webhook.On(&events, webhook.CustomerRedactRequested,
		func(_ context.Context, d webhook.Delivery[webhook.CustomerRedact]) error {
			note(d.Event, d.Payload.Customer.ID)
			return nil
		})
	webhook.On(&events, webhook.CustomerDataRequested,
		func(_ context.Context, d webhook.Delivery[webhook.DataRequest]) error {
			note(d.Event, d.Payload.DataRequest.ID)
			return nil
		})
	webhook.OnStore(&events, webhook.AppUninstalled, func(_ context.Context, store client.ID) error {
		note("app/uninstalled", store)
		return nil
	})
	mux := http.NewServeMux()
	hooks := &webhook.Handler{
		Secrets: []client.Secret{secret}, Registry: &events,
		Unknown: func(_ context.Context, d webhook.Delivery[webhook.Unknown]) error {
			note("unknown", d.StoreID)
			return nil
		},
	}
	if err := hooks.Mount(mux, "/hooks"); err != nil {
		t.Fatal(err)
	}
	post := func(path, body string) int {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set(webhook.SignatureHeader, webhook.Sign(secret, []byte(body)))
		mux.ServeHTTP(w, r)
		return w.Code
	}
	for _, tt := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"/hooks/store/redact", `{"store_id":11}`, 200, "store/redact of 11"},
		{"/hooks/customers/redact", `{"store_id":11,"customer":{"id":12},"orders_to_redact":[1]}`, 200,
			"customers/redact of 12"},
		{"/hooks/customers/data_request", `{"store_id":11,"customer":{"id":12},"data_request":{"id":13}}`, 200,
			"customers/data_request of 13"},
		{"/hooks", `{"store_id":14,"event":"app/uninstalled","id":5}`, 200, "app/uninstalled of 14"},
		// the body decides
		{"/hooks/store/redact", `{"store_id":15,"event":"app/uninstalled","id":5}`, 200, "app/uninstalled of 15"},
		{"/hooks", `{"store_id":16}`, 200, "unknown of 0"},
		{"/hooks/other/redact", `{"store_id":17}`, 404, ""},
	} {
		got = nil
		status := post(tt.path, tt.body)
		if status != tt.status || strings.Join(got, ", ") != tt.want {
			t.Errorf("%s %s: %d, %q; want %d, %q", tt.path, tt.body, status, got, tt.status, tt.want)
		}
	}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/hooks/store/redact", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d, want 405", w.Code)
	}
}

func TestMountIsRefused(t *testing.T) {
	good := func() *webhook.Handler {
		return &webhook.Handler{Secrets: []client.Secret{"5f2b1c9a7d3e4f60"}, Registry: new(webhook.Registry)}
	}
	withEvent, withoutSecret := good(), good()
	withEvent.Event, withoutSecret.Secrets = webhook.OrderPaid.Name, nil
	for _, tt := range []struct {
		h          *webhook.Handler
		path, want string
	}{
		{good(), "", `path "": must begin with a slash`},
		{good(), "hooks", `path "hooks": must begin`},
		{good(), "/", `path "/": must begin with a slash, not end with one`},
		{good(), "/{store}", "have no wildcard"},
		{good(), "POST /hooks", "must begin with a slash"},
		{withEvent, "/hooks", `Event is "order/paid": must be empty`},
		{withoutSecret, "/hooks", "no secret"},
	} {
		if err := tt.h.Mount(http.NewServeMux(), tt.path); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want %q", tt.path, err, tt.want)
		}
	}
}

func TestOnStoreWithoutFunction(t *testing.T) {
	var events webhook.Registry
	webhook.OnStore(&events, webhook.AppUninstalled, nil)
	h := &webhook.Handler{Secrets: []client.Secret{"5f2b1c9a7d3e4f60"}, Registry: &events}
	if err := h.Check(); err == nil || !strings.Contains(err.Error(), "the handler is nil") {
		t.Errorf("got %v, want that the handler is nil", err)
	}
}

// One handler is mounted for all deliveries of an app, also for those that name no event.
func ExampleHandler_Mount() {
	const secret client.Secret = "5f2b1c9a7d3e4f60"
	var events webhook.Registry
	webhook.OnStore(&events, webhook.StoreRedactRequested, func(_ context.Context, store client.ID) error {
		fmt.Println("delete the data of store", store)
		return nil
	})
	mux := http.NewServeMux()
	hooks := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events}
	if err := hooks.Mount(mux, "/hooks"); err != nil {
		fmt.Println(err)
		return
	}
	app := httptest.NewServer(mux)
	defer app.Close()
	sender := webhooktest.Sender{URL: app.URL + "/hooks/store/redact", Secret: secret}
	fmt.Println(sender.Deliver(context.Background(), []byte(`{"store_id":123}`)))
	// Output:
	// delete the data of store 123
	// 200 <nil>
}
