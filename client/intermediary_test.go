package client_test

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/webhook"
)

// foreignAnswers are refusals that something between the app and the platform makes up.
var foreignAnswers = map[string]hostile.Answer{
	"ingress 404":  hostile.Status(404, "default backend - 404", "Content-Type", "text/plain"),
	"gateway 404":  hostile.Status(404, `{"message":"no Route matched with those values"}`),
	"empty 404":    hostile.Status(404, ""),
	"proxy 401":    hostile.Status(401, "<html><title>401 Authorization Required</title></html>", "Content-Type", "text/html"),
	"gateway 401":  hostile.Status(401, `{"message":"Unauthorized"}`),
	"proxy 402":    hostile.Status(402, "<html>pay</html>"),
	"firewall 403": hostile.Status(403, "<html>blocked</html>"),
	"proxy 409":    hostile.Status(409, "conflict"),
	"framework":    hostile.Status(422, `{"detail":[{"loc":["body"],"msg":"field required","type":"missing"}]}`),
	"firewall 429": hostile.Status(429, "<html>slow down</html>"),
}

// gated is a client whose every request gets one answer, and the requests.
func gated(t *testing.T, answer hostile.Answer) (*client.Client, *hostile.Script) {
	t.Helper()
	s := hostile.Answers(answer)
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 7, Token: client.StaticToken("t"),
		UserAgent: "Test (test@app.example)", HTTPClient: &http.Client{Transport: s},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

// The page of a gateway emptied lists, deleted records of copies, made CreateOrGet create a second product, and ended
// installations.
func TestIntermediariesProveNothing(t *testing.T) {
	for name, answer := range foreignAnswers {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { provesNothing(t, answer) }) })
	}
}

func provesNothing(t *testing.T, answer hostile.Answer) {
	ctx := t.Context()
	c, s := gated(t, answer)
	of := func(context.Context, client.ID) (*client.Client, error) { return c, nil }
	said := map[string]error{}
	_, said["Get"] = v202503.Products(c).Get(ctx, 7)
	said["Delete"] = v202503.Products(c).Delete(ctx, 7)
	_, said["All"] = v202503.Orders(c).List(client.OrderFilter{}).Collect(ctx)
	_, said["list that answers 404 if it is empty"] = v202503.Checkouts(c).List(client.CheckoutFilter{}).Collect(ctx)
	_, said["Page"] = v202503.Products(c).List(client.ProductFilter{}).Page(ctx)
	for _, err := range v202503.Orders(c).List(client.OrderFilter{}).Crawl().All(ctx) {
		said["Crawl"] = err
	}
	time.Sleep(time.Minute) // for the circuits
	_, _, said["CreateOrGet"] = v202503.Products(c).CreateOrGet(ctx, client.ProductInput{
		Name: client.Plain("Mug"), Variants: []client.VariantInput{{SKU: client.Set("MUG")}},
	})
	in := client.MetafieldInput{Namespace: "n", Key: "k", Value: "v", OwnerID: 7, OwnerResource: client.MetafieldOwnerProduct}
	_, said["Set"] = v202503.Metafields(c).Set(ctx, in)
	_, said["AccessOf"] = webhook.AccessOf(said["Get"])
	_, said["ProbeBy"] = webhook.ProbeBy(of)(ctx, 7)
	alive := oauth.AliveBy(client.Config{BaseURL: "https://api.example.com", UserAgent: "Test (test@app.example)", HTTPClient: &http.Client{Transport: s}})
	_, said["AliveBy"] = alive(ctx, oauth.Install{StoreID: 7, Token: "t"})
	for step, err := range said {
		if !errors.Is(err, client.ErrIntermediary) {
			t.Errorf("%s: %v, want ErrIntermediary", step, err)
		}
		for _, fact := range []error{client.ErrNotFound, client.ErrUnauthorized, client.ErrPaymentRequired, client.ErrForbidden,
			client.ErrValidation, client.ErrRateLimited, client.ErrProbablyNotCreated} {
			if errors.Is(err, fact) {
				t.Errorf("%s: %v is also %q", step, err, fact)
			}
		}
	}
	for _, r := range s.Seen {
		if r.Method == http.MethodPost {
			t.Errorf("%s %s: created although nothing said that it is not there", r.Method, r.URL.Path)
		}
	}
}

// A copy keeps its records, and no store is gone, while a gateway answers in the place of the platform.
func TestIntermediariesDeleteNothing(t *testing.T) {
	for name, answer := range foreignAnswers {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := gated(t, answer)
				gone := false
				rows := &shelf{rows: map[client.ID]string{7: `{"id":7}`}}
				mirror := &mirrorOf[client.Product]{shelf: rows, id: func(p *client.Product) client.ID { return p.ID }}
				one := &client.Copy[client.Product]{List: v202503.Products(c).List(client.ProductFilter{}), Mirror: mirror}
				if err := one.Changed(t.Context(), 7); !errors.Is(err, client.ErrIntermediary) {
					t.Errorf("Changed: %v, want ErrIntermediary", err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				copies := client.Copies{
					Stores: func(context.Context) iter.Seq2[client.ID, error] {
						return func(yield func(client.ID, error) bool) { yield(7, nil) }
					},
					Of: []func(context.Context, client.ID) (client.Copier, error){
						func(context.Context, client.ID) (client.Copier, error) { return one, nil },
					},
					OnGone:    func(context.Context, client.ID) error { gone = true; return nil },
					OnFailure: func(context.Context, client.ID, error) {},
				}
				_ = copies.Run(ctx)
				if gone || len(rows.rows) != 1 {
					t.Errorf("the store is gone: %v, and the copy has %d records; want one", gone, len(rows.rows))
				}
			})
		})
	}
}

// A page that a proxy sends with a good status is no success, also where no record is read.
func TestPagesAreNoSuccess(t *testing.T) {
	for name, answer := range map[string]hostile.Answer{
		"page": hostile.Status(200, "<html>Sign in to the network</html>", "Content-Type", "text/html"),
		"text": hostile.Status(200, "welcome", "Content-Type", "text/plain"),
	} {
		c, s := gated(t, answer)
		err := v202503.Products(c).Delete(t.Context(), 7)
		if !errors.As(err, new(*client.DecodeError)) || !errors.Is(err, client.ErrOutcomeUnknown) || len(s.Seen) != 1 {
			t.Errorf("%s: %v after %d requests, want an unknown outcome", name, err, len(s.Seen))
		}
		of := func(context.Context, client.ID) (*client.Client, error) { return c, nil }
		if found, err := webhook.ProbeBy(of)(t.Context(), 7); err == nil {
			t.Errorf("%s: the probe found %v, want an error", name, found)
		}
	}
	for _, body := range []string{"", "{}", "\uFEFF{}", `"ok"`} {
		c, _ := gated(t, hostile.Status(200, body, "Content-Type", "text/html"))
		if err := v202503.Products(c).Delete(t.Context(), 7); err != nil {
			t.Errorf("%q: %v, want a success", body, err)
		}
	}
}
