package client_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// platform runs f in a bubble with a server on the bubble's clock.
func platform(t *testing.T, o clienttest.Options, f func(t *testing.T, srv *clienttest.Server, c *client.Client)) {
	t.Helper()
	o.RealTime = true
	synctest.Test(t, func(t *testing.T) {
		srv, err := startServer(o)
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close()
		f(t, srv, srv.Client())
	})
}

func mug() client.ProductInput { return client.ProductInput{Name: client.Text{"en": "Mug"}} }

func count(t *testing.T, c *client.Client) int {
	t.Helper()
	all, err := v202503.Products(c).List(client.ProductFilter{}).Collect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

func TestCreateIsAppliedAtMostOnce(t *testing.T) {
	for _, c := range []struct {
		name    string
		fault   clienttest.Fault
		applied int
		unknown bool
		ok      bool
	}{
		{"500 after applying", clienttest.Fault{Status: 500, After: true}, 1, true, false},
		{"HTML 502 after applying", clienttest.Fault{Status: 502, Body: "<html>", After: true}, 1, true, false},
		{"503 after applying", clienttest.Fault{Status: 503, After: true}, 1, true, false},
		{"504 before applying", clienttest.Fault{Status: 504}, 0, true, false},
		{"reset after applying", clienttest.Fault{Reset: true, After: true}, 1, true, false},
		{"reset before applying", clienttest.Fault{Reset: true}, 0, true, false},
		{"truncated answer", clienttest.Fault{Truncate: true}, 1, true, false},
		{"stall past the attempt's timeout", clienttest.Fault{Delay: time.Hour}, 0, true, false},
		{"429", clienttest.Fault{Status: 429}, 1, false, true},
		{"422", clienttest.Fault{Status: 422}, 0, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			platform(t, clienttest.Options{}, func(t *testing.T, srv *clienttest.Server, api *client.Client) {
				c.fault.Operation, c.fault.Count = "POST /products", 1
				if err := srv.Fault(c.fault); err != nil {
					t.Fatal(err)
				}
				if _, err := v202503.Store(api).Get(t.Context()); err != nil { // a warm connection, on which net/http may repeat by itself
					t.Fatal(err)
				}
				_, err := v202503.Products(api).Create(t.Context(), mug())
				if (err == nil) != c.ok || errors.Is(err, client.ErrOutcomeUnknown) != c.unknown {
					t.Errorf("got %v, want success %v, unknown outcome %v", err, c.ok, c.unknown)
				}
				if n := count(t, api); n != c.applied {
					t.Errorf("%d products, want %d", n, c.applied)
				}
			})
		})
	}
}

func TestSafeCallsSurviveFaults(t *testing.T) {
	faults := map[string]clienttest.Fault{
		"500": {Status: 500, After: true}, "503": {Status: 503}, "reset": {Reset: true, After: true}, "truncated": {Truncate: true}, "429": {Status: 429},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			platform(t, clienttest.Options{}, func(t *testing.T, srv *clienttest.Server, c *client.Client) {
				p, err := v202503.Products(c).Create(t.Context(), mug())
				if err != nil {
					t.Fatal(err)
				}
				for _, operation := range []string{"GET /products/{id}", "PUT /products/{id}", "GET /products", "DELETE /products/{id}"} {
					fault.Operation, fault.Count = operation, 1
					if err := srv.Fault(fault); err != nil {
						t.Fatal(err)
					}
				}
				if got, err := v202503.Products(c).Get(t.Context(), p.ID); err != nil || got.ID != p.ID {
					t.Errorf("Get: %+v, %v", got, err)
				}
				if got, err := v202503.Products(c).Update(t.Context(), p.ID, client.ProductInput{Brand: client.Set("Casa")}); err != nil || got.Brand == nil || *got.Brand != "Casa" {
					t.Errorf("Update: %+v, %v", got, err)
				}
				if n := count(t, c); n != 1 {
					t.Errorf("List: %d products", n)
				}
				if err := v202503.Products(c).Delete(t.Context(), p.ID); err != nil {
					t.Errorf("Delete: %v", err)
				}
				if n := count(t, c); n != 0 {
					t.Errorf("%d products after Delete", n)
				}
			})
		})
	}
}

func TestRateLimitIsKept(t *testing.T) {
	platform(t, clienttest.Options{Bucket: 40, Leak: 2}, func(t *testing.T, srv *clienttest.Server, c *client.Client) {
		start := time.Now()
		for range 100 {
			if _, err := v202503.Store(c).Get(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took < 29*time.Second || took > 32*time.Second {
			t.Errorf("100 calls took %v, want the 40 of the bucket and 60 at two per second", took)
		}
		for _, r := range srv.Requests() {
			if r.Status == http.StatusTooManyRequests {
				t.Error("a request met a full bucket")
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		var e *client.Error
		if _, err := v202503.Store(c).Get(ctx); !errors.Is(err, client.ErrRateLimited) || !errors.As(err, &e) || e.RetryAfter <= 0 {
			t.Errorf("with a short deadline: %v, want the time to wait at once", err)
		}
	})
}

func TestReinstallationAndRefusals(t *testing.T) {
	platform(t, clienttest.Options{}, func(t *testing.T, srv *clienttest.Server, c *client.Client) {
		if _, err := srv.Install(); err != nil {
			t.Fatal(err)
		}
		if _, err := v202503.Store(c).Get(t.Context()); err != nil {
			t.Errorf("after a new installation: %v", err)
		}
		readOnly := srv.Client("read_products")
		if _, err := v202503.Products(readOnly).Create(t.Context(), mug()); !errors.Is(err, client.ErrForbidden) {
			t.Errorf("without the scope: %v", err)
		}
		if _, err := v202503.Products(c).Get(t.Context(), 999); !errors.Is(err, client.ErrNotFound) {
			t.Errorf("unknown id: %v", err)
		}
		for _, status := range []int{400, 401, 402, 403, 404, 409, 422, 429} {
			if err := srv.Fault(clienttest.Fault{Operation: "GET /store", Count: 1, Status: status}); err != nil {
				t.Fatal(err)
			}
			if _, err := v202503.Store(c).Get(t.Context()); errors.Is(err, client.ErrIntermediary) {
				t.Errorf("the fault %d: %v, want it to be the platform's", status, err)
			}
		}
		if err := srv.Suspend(true); err != nil {
			t.Fatal(err)
		}
		if _, err := v202503.Store(c).Get(t.Context()); !errors.Is(err, client.ErrPaymentRequired) {
			t.Errorf("suspended store: %v", err)
		}
		if err := errors.Join(srv.Suspend(false), srv.Uninstall()); err != nil {
			t.Fatal(err)
		}
		if _, err := v202503.Store(c).Get(t.Context()); !errors.Is(err, client.ErrUnauthorized) {
			t.Errorf("uninstalled: %v", err)
		}
	})
}
