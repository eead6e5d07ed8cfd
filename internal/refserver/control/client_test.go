package control_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
)

// open returns a client of a server with the demo store.
func open(t *testing.T) *control.Client {
	t.Helper()
	s := refserver.New(refserver.Options{})
	t.Cleanup(s.Close)
	shop, err := seed.Demo(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := control.New(control.Options{Server: s, Shop: shop})
	t.Cleanup(a.Close)
	url, err := a.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return dial(t, url)
}

func dial(t *testing.T, url string) *control.Client {
	t.Helper()
	c, err := control.Dial(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestCall(t *testing.T) {
	c := open(t)
	var in struct {
		StoreID int64 `json:"store_id"`
	}
	if err := c.Call(t.Context(), http.MethodGet, "info", nil, &in); err != nil || in.StoreID != seed.DemoStore {
		t.Errorf("%+v, %v", in, err)
	}
	err := c.Call(t.Context(), http.MethodPost, "faults", map[string]any{"operation": "POST /product"}, nil)
	if e, ok := errors.AsType[*control.Refusal](err); !ok || e.Status != 422 || e.Hint == "" || e.Field != "operation" {
		t.Errorf("got %#v", err)
	}
}

// Pages reads all of a list that is longer than a page, once each and in order.
func TestPages(t *testing.T) {
	c := open(t)
	records := []map[string]any{}
	for i := range 120 {
		records = append(records, map[string]any{"path": "/categories", "body": map[string]any{"name": map[string]string{"en": fmt.Sprint(i)}}})
	}
	for range 2 {
		if err := c.Call(t.Context(), http.MethodPost, "seed", map[string]any{"records": records}, nil); err != nil {
			t.Fatal(err)
		}
	}
	var last, n int64
	err := c.Pages(t.Context(), "deliveries/unsent", func(raw json.RawMessage) error {
		var one struct{ ID int64 }
		if err := json.Unmarshal(raw, &one); err != nil || one.ID <= last {
			return fmt.Errorf("%d after %d: %w", one.ID, last, err)
		}
		last = one.ID
		n++
		return nil
	})
	if err != nil || n < 240 {
		t.Errorf("%d, %v", n, err)
	}
	stop := errors.New("enough")
	if err := c.Pages(t.Context(), "events", func(json.RawMessage) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}

func TestFollow(t *testing.T) {
	c := open(t)
	body := map[string]any{"records": []any{
		map[string]any{"path": "/webhooks", "body": map[string]any{"event": "category/created", "url": "https://app.example/h"}},
		map[string]any{"path": "/categories", "body": map[string]any{"name": map[string]string{"en": "A"}}},
	}}
	if err := c.Call(t.Context(), http.MethodPost, "seed", body, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := c.Follow(ctx, "deliveries/follow", func(raw json.RawMessage) error {
		var d struct{ Event string }
		if err := json.Unmarshal(raw, &d); err != nil || d.Event != "category/created" {
			t.Errorf("%s: %v", raw, err)
		}
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, ok := errors.AsType[*control.Refusal](c.Follow(t.Context(), "deliveries/folow", nil)); !ok {
		t.Error("a stream that there is none of is no refusal")
	}
}

// Something else at the address is not taken for a control API.
func TestUnreachable(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	c := dial(t, other.URL)
	if err := c.Call(t.Context(), http.MethodGet, "info", nil, nil); !errors.Is(err, control.ErrUnreachable) {
		t.Errorf("got %v", err)
	}
	other.Close()
	if err := c.Call(t.Context(), http.MethodGet, "info", nil, nil); !errors.Is(err, control.ErrUnreachable) {
		t.Errorf("got %v", err)
	}
	for _, address := range []string{"", "https://127.0.0.1:1", "ftp://h", "http://", "%"} {
		if _, err := control.Dial(address); err == nil {
			t.Errorf("%q was accepted", address)
		}
	}
}
