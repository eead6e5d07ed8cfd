package client_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
)

// onces are the calls that create a record once, by the endpoint that creates.
// Each returns the id of its one record, and whether it made it.
var onces = map[string]func(context.Context, *client.Client, client.ID) (client.ID, bool, error){
	"POST /products": func(ctx context.Context, c *client.Client, _ client.ID) (client.ID, bool, error) {
		p, made, err := v1.Products(c).CreateOrGet(ctx, client.ProductInput{
			Name: client.Plain("Mug"), Attributes: size,
			Variants: []client.VariantInput{{Values: little}, {Values: middle, SKU: client.Set("MUG/M")}},
		})
		return idOf(made, err, func() client.ID { return p.ID })
	},
	"POST /coupons": func(ctx context.Context, api *client.Client, _ client.ID) (client.ID, bool, error) {
		c, made, err := v1.Coupons(api).CreateOrGet(ctx, client.CouponInput{Code: "ONCE10", Type: client.CouponPercentage, Value: client.Set(client.Cents(1000))})
		return idOf(made, err, func() client.ID { return c.ID })
	},
	"POST /webhooks": func(ctx context.Context, c *client.Client, _ client.ID) (client.ID, bool, error) {
		w, made, err := v1.Webhooks(c).CreateOrGet(ctx, client.WebhookInput{URL: "https://app.example/hooks", Event: "product/created"})
		return idOf(made, err, func() client.ID { return w.ID })
	},
	"POST /metafields": func(ctx context.Context, c *client.Client, product client.ID) (client.ID, bool, error) {
		m, made, err := v1.Metafields(c).CreateOrGet(ctx, client.MetafieldInput{Namespace: "app", Key: "size", Value: "M", OwnerResource: client.MetafieldOwnerProduct, OwnerID: product})
		return idOf(made, err, func() client.ID { return m.ID })
	},
}

func idOf(made bool, err error, id func() client.ID) (client.ID, bool, error) {
	if err != nil {
		return 0, made, err
	}
	return id(), made, nil
}

// one returns the results of a call of onces that must succeed.
func one(t *testing.T) func(client.ID, bool, error) (client.ID, bool) {
	return func(id client.ID, made bool, err error) (client.ID, bool) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return id, made
	}
}

// onServer runs a test on a server in a bubble, where waiting takes no time. The
// product is one that metafields can belong to.
func onServer(t *testing.T, test func(t *testing.T, srv *clienttest.Server, c *client.Client, product client.ID)) {
	synctest.Test(t, func(t *testing.T) {
		srv, err := startServer(clienttest.Options{RealTime: true})
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close()
		c := srv.Client()
		owner := must[*client.Product](t)(v1.Products(c).Create(t.Context(), client.ProductInput{Name: client.Plain("Owner")}))
		test(t, srv, c, owner.ID)
	})
}

// posts counts the requests to an endpoint behind the first n requests.
func posts(srv *clienttest.Server, op string, n int) int {
	count := 0
	for _, r := range srv.Requests()[n:] {
		if r.Operation == op {
			count++
		}
	}
	return count
}

func TestCreateOrGetWhenAnswersAreLost(t *testing.T) {
	for op, call := range onces {
		for _, test := range []struct {
			name  string
			fault *clienttest.Fault
			posts int
			made  bool // says the platform's answer, and no search afterwards
		}{
			{"nothing lost", nil, 1, true},
			{"the answer", &clienttest.Fault{Reset: true, After: true}, 1, false},
			{"half the answer", &clienttest.Fault{Truncate: true, After: true}, 1, false},
			{"the answer, behind a gateway", &clienttest.Fault{Status: 502, After: true}, 1, false},
			{"the answer, behind a gateway with a status of its own", &clienttest.Fault{Status: 524, After: true}, 1, false}, // once a definite refusal
			{"the request", &clienttest.Fault{Reset: true}, 2, true},
			{"the request, behind a gateway", &clienttest.Fault{Status: 503}, 2, true},
		} {
			t.Run(op+"/"+test.name, func(t *testing.T) {
				onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, product client.ID) {
					before := len(srv.Requests())
					if test.fault != nil {
						test.fault.Operation, test.fault.Count = op, 1
						if err := srv.Fault(*test.fault); err != nil {
							t.Fatal(err)
						}
					}
					first, made := one(t)(call(t.Context(), c, product))
					second, again := one(t)(call(t.Context(), c, product))
					if first != second || first == 0 {
						t.Errorf("the calls gave %d and %d, want one record", first, second)
					}
					if made != test.made || again {
						t.Errorf("the calls say made %v and %v, want %v and false", made, again, test.made)
					}
					if got := posts(srv, op, before); got != test.posts {
						t.Errorf("%d POSTs, want %d", got, test.posts)
					}
				})
			})
		}
	}
}

// The server takes codes that differ in case for one; the refusal of the second was once returned.
func TestCreateOrGetOfACouponInOtherCase(t *testing.T) {
	onServer(t, func(t *testing.T, _ *clienttest.Server, c *client.Client, _ client.ID) {
		in := client.CouponInput{Code: "SAVE10", Type: client.CouponShipping}
		made := must[*client.Coupon](t)(v1.Coupons(c).Create(t.Context(), in))
		in.Code = "save10"
		got, again, err := v1.Coupons(c).CreateOrGet(t.Context(), in)
		if differ := in.Differences(got); err != nil || again || got.ID != made.ID || !slices.Equal(differ, []string{"code"}) {
			t.Errorf("got %+v, made %v, differences %v, %v, want coupon %d", got, again, differ, err, made.ID)
		}
	})
}

// Two requests are the most: then the caller learns that nobody knows.
func TestCreateOrGetGivesUp(t *testing.T) {
	for op, call := range onces {
		t.Run(op, func(t *testing.T) {
			onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, product client.ID) {
				before, start := len(srv.Requests()), time.Now()
				if err := srv.Fault(clienttest.Fault{Operation: op, Reset: true}); err != nil {
					t.Fatal(err)
				}
				if _, made, err := call(t.Context(), c, product); made || !errors.Is(err, client.ErrOutcomeUnknown) {
					t.Errorf("got made %v, %v, want ErrOutcomeUnknown", made, err)
				}
				if got := posts(srv, op, before); got != 2 {
					t.Errorf("%d POSTs, want 2", got)
				}
				if took := time.Since(start).Round(time.Second); took != 30*time.Second {
					t.Errorf("looked for %s, want 15s after each of both", took)
				}
			})
		})
	}
}

// A definite refusal is not repeated.
func TestCreateOrGetIsRefused(t *testing.T) {
	onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, product client.ID) {
		if err := srv.Fault(clienttest.Fault{Operation: "POST /webhooks", Status: http.StatusForbidden, Count: 1}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := onces["POST /webhooks"](t.Context(), c, product); !errors.Is(err, client.ErrForbidden) {
			t.Errorf("got %v, want ErrForbidden", err)
		}
		_, _, err := v1.Webhooks(c).CreateOrGet(t.Context(), client.WebhookInput{URL: "https://localhost/a", Event: "product/created"})
		if e, ok := errors.AsType[*client.Error](err); !ok || len(e.Fields) == 0 {
			t.Errorf("local host: got %v, want the platform's refusal", err)
		}
		if got := posts(srv, "POST /webhooks", 0); got != 2 {
			t.Errorf("%d POSTs, want 1 for each call", got)
		}
	})
}

// Where the record cannot be looked for, it is not created again.
func TestCreateOrGetWithoutSearch(t *testing.T) {
	for name, fault := range map[string]clienttest.Fault{
		"search fails":      {Operation: "GET /webhooks", Skip: 1, Status: 500},
		"search is refused": {Operation: "GET /webhooks", Skip: 1, Status: 403},
	} {
		t.Run(name, func(t *testing.T) {
			onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, product client.ID) {
				for _, f := range []clienttest.Fault{fault, {Operation: "POST /webhooks", Reset: true, Count: 1}} {
					if err := srv.Fault(f); err != nil {
						t.Fatal(err)
					}
				}
				if _, _, err := onces["POST /webhooks"](t.Context(), c, product); !errors.Is(err, client.ErrOutcomeUnknown) {
					t.Errorf("got %v, want ErrOutcomeUnknown", err)
				}
				if got := posts(srv, "POST /webhooks", 0); got != 1 {
					t.Errorf("%d POSTs, want 1", got)
				}
			})
		})
	}
	onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, product client.ID) {
		if err := srv.Fault(clienttest.Fault{Operation: "GET /webhooks", Status: 403}); err != nil {
			t.Fatal(err)
		}
		_, _, err := onces["POST /webhooks"](t.Context(), c, product)
		if got := posts(srv, "POST /webhooks", 0); got != 0 || !errors.Is(err, client.ErrForbidden) {
			t.Errorf("without a look first: %d POSTs, %v; want none", got, err)
		}
	})
	onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, product client.ID) {
		if err := srv.Fault(clienttest.Fault{Operation: "POST /webhooks", Reset: true}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := onces["POST /webhooks"](ctx, c, product); !errors.Is(err, client.ErrOutcomeUnknown) {
			t.Errorf("without time: got %v, want ErrOutcomeUnknown", err)
		}
		if got := posts(srv, "POST /webhooks", 0); got != 1 {
			t.Errorf("without time: %d POSTs, want 1", got)
		}
	})
}

// The reads are late: they do not show the coupon that exists, and the platform's
// uniqueness keeps a second one out.
func TestCreateOrGetIsGuardedByUniqueness(t *testing.T) {
	onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, product client.ID) {
		call := onces["POST /coupons"]
		want, _ := one(t)(call(t.Context(), c, product))
		if err := srv.Fault(clienttest.Fault{
			Operation: "GET /coupons", Count: 1, Status: 404, Body: `{"code":404,"message":"Not Found","description":"Last page is 0"}`,
		}); err != nil {
			t.Fatal(err)
		}
		if got, made := one(t)(call(t.Context(), c, product)); got != want || made {
			t.Errorf("got coupon %d, made %v, want %d and false, because the create was refused", got, made, want)
		}
		if got := posts(srv, "POST /coupons", 0); got != 2 {
			t.Errorf("%d POSTs, want one more, which is refused", got)
		}
	})
}

func TestProductCreateOrGetNeedsASKU(t *testing.T) {
	srv := newServer(t)
	for _, in := range []client.ProductInput{
		{Name: client.Plain("Mug")},
		{Name: client.Plain("Mug"), Variants: []client.VariantInput{{SKU: client.Null[string]()}}},
		{Variants: []client.VariantInput{{SKU: client.Set("M")}}},
		// The platform kept these without the spaces, and each call made another product or was refused.
		{Name: client.Plain("Mug"), Variants: []client.VariantInput{{SKU: client.Set("  ")}}},
		{Name: client.Plain("Mug"), Variants: []client.VariantInput{{SKU: client.Set("M ")}}},
		{Name: client.Plain("Mug"), Variants: []client.VariantInput{{SKU: client.Set("\tM")}}},
		{Name: client.Plain("Mug"), Variants: []client.VariantInput{{SKU: client.Set("..")}}},
	} {
		if _, _, err := v1.Products(srv.Client()).CreateOrGet(t.Context(), in); !errors.Is(err, client.ErrValidation) {
			t.Errorf("got %v, want ErrValidation", err)
		}
	}
	if got := srv.Requests(); len(got) > 0 {
		t.Errorf("asked %v, want nothing", got)
	}
}
