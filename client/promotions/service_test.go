package promotions_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

var someID = uuid.MustParse("02aaa5c6-080a-40e9-a61f-90ca2150d6a2")

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answering returns an API whose requests are answered by body, and what it was asked.
func answering(t *testing.T, status int, body string) (*client.Client, *[]string) {
	t.Helper()
	var seen []string
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 123, Token: client.StaticToken("token"),
		UserAgent: "Tests (tests@app.example)",
		HTTPClient: &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			asked := r.Method + " " + r.URL.Path
			if r.URL.RawQuery != "" {
				asked += "?" + r.URL.RawQuery
			}
			if r.Body != nil {
				sent, err := io.ReadAll(r.Body)
				if err != nil {
					return nil, err
				}
				asked += " " + string(sent)
			}
			seen = append(seen, asked)
			return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}},
				Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, &seen
}

func TestServiceRequests(t *testing.T) {
	yes, no := client.Set(true), client.Set(false)
	const path = "/2025-03/123"
	for _, v := range []struct {
		name, answer, want string
		call               func(ctx context.Context, c *client.Client) error
	}{
		{"a promotion", `{"data":{"id":"` + someID.String() + `"}}`,
			"POST " + path + `/promotions {"name":"3x2","allocation_type":"line_item"}`,
			func(ctx context.Context, c *client.Client) error {
				id, err := v202503.Promotions(c).Create(ctx, promotions.Input{Name: "3x2", Tier: promotions.TierLineItems})
				if id != someID {
					t.Errorf("got %s", id)
				}
				return err
			}},
		{"a promotion with everything", `{"id":"` + someID.String() + `"}`,
			"POST " + path + `/promotions {"name":"Off","allocation_type":"cross_items","description":"d","disclaimer":"t","active":false,` +
				`"translations":[{"lang":"es","name":"n","description":"d","disclaimer":"t"},{"lang":"pt","name":"n"}],` +
				`"combines_with_quantity_discounts":true,"combines_with_free_shipping":false,"combines_with_cart_amount_discounts":true,"combines_with_app_discounts":false,"combines_with_price_discounts":true}`,
			func(ctx context.Context, c *client.Client) error {
				id, err := v202503.Promotions(c).Create(ctx, promotions.Input{
					Name: "Off", Tier: promotions.TierCrossItems, Description: "d", Disclaimer: "t", Active: no,
					Translations: []promotions.Translation{{Lang: "es", Name: "n", Description: "d", Disclaimer: "t"}, {Lang: "pt",
						Name: "n"}},
					CombinationInput: promotions.CombinationInput{
						WithQuantityDiscounts: yes, WithFreeShipping: no, WithCartAmountDiscounts: yes, WithAppDiscounts: no,
						WithPriceDiscounts: yes,
					},
				})
				if id != someID {
					t.Errorf("got %s", id)
				}
				return err
			}},
		{"the deprecated field", `{"data":{"id":"` + someID.String() + `"}}`,
			"POST " + path + `/promotions {"name":"x","allocation_type":"line_item","combines_with_other_discounts":false}`,
			func(ctx context.Context, c *client.Client) error {
				_, err := v202503.Promotions(c).Create(ctx, promotions.Input{Name: "x", Tier: promotions.TierLineItems,
					CombinationInput: promotions.CombinationInput{WithOtherDiscounts: no}})
				return err
			}},
		{"the list in an envelope", `{"data":[{"id":"` + someID.String() + `","name":"n","allocation_type":"line_item","active":true,"newer":1}]}`, "GET " + path + "/promotions", list(t)},
		{"the list without", `[{"id":"` + someID.String() + `","name":"n","allocation_type":"line_item","active":true,"newer":1}]`, "GET " + path + "/promotions", list(t)},
		{"a change", ``, "PATCH " + path + "/promotions/" + someID.String() + ` {"active":false,"combines_with_price_discounts":true}`,
			func(ctx context.Context, c *client.Client) error {
				return v202503.Promotions(c).Update(ctx, someID, promotions.Update{Active: no,
					CombinationInput: promotions.CombinationInput{WithPriceDiscounts: yes}})
			}},
		{"a deletion", ``, "DELETE " + path + "/promotions/" + someID.String(), func(ctx context.Context,
			c *client.Client) error {
			return v202503.Promotions(c).Delete(ctx, someID)
		}},
		{"the address", ``, "PUT " + path + `/discounts/callbacks {"url":"https://app.example/carts?a=b"}`,
			func(ctx context.Context, c *client.Client) error {
				return v202503.Discounts(c).Set(ctx, "https://app.example/carts?a=b")
			}},
	} {
		c, seen := answering(t, 200, v.answer)
		if err := v.call(t.Context(), c); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
		if len(*seen) != 1 || (*seen)[0] != v.want {
			t.Errorf("%s: asked %q\nwant %s", v.name, *seen, v.want)
		}
	}
}

func list(t *testing.T) func(context.Context, *client.Client) error {
	return func(ctx context.Context, c *client.Client) error {
		all, err := v202503.Promotions(c).List().Collect(ctx)
		if len(all) != 1 || all[0].ID != someID || all[0].Tier != promotions.TierLineItems || !all[0].Active ||
			string(all[0].Extra["newer"]) != "1" {
			t.Errorf("got %+v", all)
		}
		return err
	}
}

// What the contract forbids is not sent.
func TestServiceRefuses(t *testing.T) {
	c, seen := answering(t, 200, `{"data":{"id":"`+someID.String()+`"}}`)
	null, yes := client.Null[bool](), client.Set(true)
	good := promotions.Input{Name: "n", Tier: promotions.TierLineItems}
	create := func(change func(*promotions.Input)) func() error {
		in := good
		change(&in)
		return func() error {
			_, err := v202503.Promotions(c).Create(t.Context(), in)
			return err
		}
	}
	update := func(u promotions.Update) func() error {
		return func() error { return v202503.Promotions(c).Update(t.Context(), someID, u) }
	}
	set := func(address string) func() error {
		return func() error { return v202503.Discounts(c).Set(t.Context(), address) }
	}
	for want, call := range map[string]func() error{
		`name: "": must be a name`:                 create(func(in *promotions.Input) { in.Name = "" }),
		`allocation_type: "shipping_line"`:         create(func(in *promotions.Input) { in.Tier = "shipping_line" }),
		`allocation_type: "": `:                    create(func(in *promotions.Input) { in.Tier = "" }),
		`active: "<nil>"`:                          create(func(in *promotions.Input) { in.Active = null }),
		`combines_with_free_shipping: "<nil>"`:     create(func(in *promotions.Input) { in.WithFreeShipping = null }),
		`translations[0].lang: "": must be a lang`: create(func(in *promotions.Input) { in.Translations = []promotions.Translation{{Name: "n"}} }),
		`translations[0].name: "": must be a name`: create(func(in *promotions.Input) { in.Translations = []promotions.Translation{{Lang: "es"}} }),
		`translations[1].lang: "es": must be each`: create(func(in *promotions.Input) {
			in.Translations = []promotions.Translation{{Lang: "es", Name: "n"}, {Lang: "es", Name: "m"}}
		}),
		`combines_with_other_discounts: "true": `: create(func(in *promotions.Input) {
			in.WithOtherDiscounts,
				in.WithAppDiscounts = yes, yes
		}),
		`other_discounts: "true": must be unset`: create(func(in *promotions.Input) {
			in.WithOtherDiscounts,
				in.WithQuantityDiscounts = yes, yes
		}),
		`other_discounts: "true": must be unset if`: create(func(in *promotions.Input) {
			in.WithOtherDiscounts,
				in.WithFreeShipping = yes, yes
		}),
		`_discounts: "true": must be unset`: create(func(in *promotions.Input) {
			in.WithOtherDiscounts,
				in.WithCartAmountDiscounts = yes, yes
		}),
		`update: "": must be something to change`:      update(promotions.Update{}),
		`active: "<nil>": must be true, false`:         update(promotions.Update{Active: null}),
		`unset if granular fields are set`:             update(promotions.Update{CombinationInput: promotions.CombinationInput{WithOtherDiscounts: yes, WithPriceDiscounts: yes}}),
		`url: "": must be an absolute`:                 set(""),
		`url: "an address that cannot be shown": `:     set("/carts?key=hush"),
		`url: "ftp://app.example/…"`:                   set("ftp://app.example/hush"),
		`be shown": must be an absolute http or https`: set("https://hush:hush@app.example/hush?key=hush"),
		`http or https URL without user or passwor`:    set("https://hush@app.example"),
		`cannot be shown": must be an absolute`:        set("https://app.example/%hush"),
	} {
		if err := call(); err == nil || !errors.Is(err, client.ErrValidation) || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "hush") {
			t.Errorf("got %v, want …%s… and nothing of what may be secret", err, want)
		}
	}
	if len(*seen) > 0 {
		t.Errorf("asked %q", *seen)
	}
}

func TestServiceTellsRefusals(t *testing.T) {
	c, _ := answering(t, 404, `{"code":404,"message":"Not Found","description":null}`)
	for name, call := range map[string]func() error{
		"Create": func() error {
			id, err := v202503.Promotions(c).Create(t.Context(), promotions.Input{Name: "n", Tier: promotions.TierLineItems})
			if id != uuid.Nil || errors.Is(err, client.ErrOutcomeUnknown) {
				t.Errorf("got %s, %v", id, err)
			}
			return err
		},
		"Update": func() error {
			return v202503.Promotions(c).Update(t.Context(), someID, promotions.Update{Active: client.Set(true)})
		},
		"Delete": func() error { return v202503.Promotions(c).Delete(t.Context(), someID) },
		"Set":    func() error { return v202503.Discounts(c).Set(t.Context(), "https://app.example/carts") },
	} {
		if err := call(); !errors.Is(err, client.ErrNotFound) {
			t.Errorf("%s: got %v, want the 404", name, err)
		}
	}
}

// A creation is sent once: there is nothing by which the platform knew the second one.
func TestCreateIsNotRepeated(t *testing.T) {
	c, seen := answering(t, 503, ``)
	if _, err := v202503.Promotions(c).Create(t.Context(), promotions.Input{Name: "n",
		Tier: promotions.TierLineItems}); !errors.Is(err, client.ErrOutcomeUnknown) {
		t.Errorf("got %v", err)
	}
	c, more := answering(t, 201, `{}`)
	if _, err := v202503.Promotions(c).Create(t.Context(), promotions.Input{Name: "n",
		Tier: promotions.TierLineItems}); !errors.Is(err, client.ErrOutcomeUnknown) {
		t.Errorf("without an id: got %v", err)
	}
	if len(*seen) != 1 || len(*more) != 1 {
		t.Errorf("asked %q, %q", *seen, *more)
	}
}
