package discounts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts"
)

// stall is a discount app on a reference server, with three products at 10.00, 25.50
// and 5.00.
type stall struct {
	*clienttest.Server
	client     *client.Client
	lines      [2]uuid.UUID // promotions of the tier line_item
	crosses    [2]uuid.UUID // and of cross_items
	variants   [3]client.ID
	cache      *discounts.PromotionCache
	afterwards []*discounts.Failure
}

// openStall registers promotions and puts a handler at their address.
func openStall(t *testing.T, h http.Handler) *stall {
	t.Helper()
	ctx := t.Context()
	s := &stall{Server: clienttest.New(t)}
	s.client = s.Client()
	for i, name := range []string{"Three for two", "Bundle", "Tiers", "First purchase"} {
		tier, to := promotions.TierLineItems, &s.lines[i%2]
		if i > 1 {
			tier, to = promotions.TierCrossItems, &s.crosses[i%2]
		}
		var err error
		if *to, err = v202503.Promotions(s.client).Create(ctx, promotions.Input{Name: name, Tier: tier,
			Active: client.Set(true)}); err != nil {
			t.Fatal(err)
		}
	}
	for i, price := range []int64{1000, 2550, 500} {
		p, err := v202503.Products(s.client).Create(ctx, client.ProductInput{
			Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(price))}},
		})
		if err != nil {
			t.Fatal(err)
		}
		s.variants[i] = p.Variants[0].ID
	}
	s.cache = &discounts.PromotionCache{Load: s.load, Judge: &client.Judge{FirstRefusal: true}}
	t.Cleanup(func() { _ = s.cache.Close() })
	if h == nil {
		return s
	}
	s.serve(t, h)
	return s
}

// load is the Load of a cache.
func (s *stall) load(ctx context.Context, _ client.ID) ([]promotions.Promotion, error) {
	all, err := v202503.Promotions(s.client).List().Collect(ctx)
	if errors.Is(err, client.ErrUnauthorized) {
		return nil, discounts.ErrUninstalled
	}
	return all, err
}

func (s *stall) serve(t *testing.T, h http.Handler) {
	t.Helper()
	if err := v202503.Discounts(s.client).Set(t.Context(), "https://carts.example/carts"); err != nil {
		t.Fatal(err)
	}
	if err := s.Partner("https://carts.example", h); err != nil {
		t.Fatal(err)
	}
}

// fill begins a cart with three, one and two pieces.
func (s *stall) fill(t *testing.T, shop *clienttest.Shop) (*clienttest.Basket, clienttest.Cart) {
	t.Helper()
	basket, err := shop.NewCart(clienttest.Visitor{})
	if err != nil {
		t.Fatal(err)
	}
	var cart clienttest.Cart
	for i, pieces := range []int{3, 1, 2} {
		if cart, err = basket.Add(t.Context(), s.variants[i], pieces); err != nil {
			t.Fatal(err)
		}
	}
	return basket, cart
}

// The platform and an app with a promotion in each tier, over a customer's changes.
func TestShop(t *testing.T) { synctest.Test(t, testShop) } // so that a busy machine makes no plan late

func testShop(t *testing.T) {
	ctx := t.Context()
	s := openStall(t, nil)
	sources := &client.Sources{}
	sources.Set(netip.MustParsePrefix("198.51.100.7/32"))
	secret := s.App().Secret
	h := &discounts.Handler{
		Promotions: s.cache, Sources: sources, Secrets: []client.Secret{secret},
		Plans: discounts.Plans{
			LineItems: func(_ context.Context, p *discounts.LinePlan) error {
				offer, ok := p.Named("Three for two")
				for _, line := range p.Lines() {
					free, err := discounts.Fixed(line.Price)
					if err != nil {
						return err
					}
					if ok && line.Quantity >= 3 {
						p.Discount(offer, line, free)
						p.Show(offer, map[string]string{"es-ar": "Lleva 3, paga 2"})
					}
				}
				return nil
			},
			CrossItems: func(_ context.Context, p *discounts.CrossPlan) error {
				tiers, ok := p.Promotion(s.crosses[0])
				if ten, err := discounts.BasisPoints(1000); err != nil {
					return err
				} else if ok && p.Cart().Totals.Subtotal.Cmp(client.Cents(50_00)) >= 0 {
					p.Discount(tiers, ten)
				}
				return nil
			},
		},
		OnFailure: func(_ context.Context, f *discounts.Failure) { t.Errorf("reported %v", f) },
	}
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
	s.serve(t, h)
	for _, loose := range []bool{false, true} {
		shop := s.Shop(clienttest.ShopOptions{Signed: true, Source: "198.51.100.7", LooseForms: loose, Stragglers: 1,
			Seed: 7})
		basket, cart := s.fill(t, shop)
		if got := describe(cart); got != "65.50 - 15.55: 10.00 on a line, 5.55 on the cart" {
			t.Errorf("filled: %s", got)
		}
		steps := []struct {
			name string
			do   func() (clienttest.Cart, error)
			want string
		}{
			{"a piece less", func() (clienttest.Cart, error) { return basket.SetQuantity(ctx, cart.Lines[0].ID, 2) },
				"55.50 - 5.55: 5.55 on the cart"},
			{"three again, of another", func() (clienttest.Cart, error) {
				return basket.SetQuantity(ctx, cart.Lines[2].ID,
					3)
			}, "60.50 - 10.55: 5.00 on a line, 5.55 on the cart"},
			{"the dear one out", func() (clienttest.Cart, error) { return basket.Remove(ctx, cart.Lines[1].ID) },
				"35.00 - 5.00: 5.00 on a line"},
			{"nothing", func() (clienttest.Cart, error) { return basket.Remove(ctx, cart.Lines[2].ID) }, "20.00 - 0.00"},
		}
		for _, step := range steps {
			now, err := step.do()
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(now); got != step.want {
				t.Errorf("loose forms %v, %s: got %s, want %s", loose, step.name, got, step.want)
			}
		}
		for _, r := range shop.Runs() {
			if r.Outcome != "applied" && r.Outcome != "kept" || r.Status != 200 && r.Status != 204 {
				t.Errorf("%s run: status %d, %s: %s", r.Tier, r.Status, r.Outcome, r.Reason)
			}
		}
		if !loose {
			continue
		}
		s.cache.Uninstall(s.StoreID())
		if err := s.Uninstall(); err != nil {
			t.Fatal(err)
		}
		if _, err := basket.Add(ctx, s.variants[0], 1); err != nil {
			t.Fatal(err)
		}
		if runs := shop.Runs(); runs[len(runs)-1].Status != discounts.StatusUninstalled ||
			runs[len(runs)-1].Outcome != "ignored" {
			t.Errorf("after the uninstallation: status %d, %s", runs[len(runs)-1].Status, runs[len(runs)-1].Outcome)
		}
	}
}

func describe(c clienttest.Cart) string {
	text := c.Subtotal.String() + " - " + c.Promotions.String()
	separator := ": "
	for _, d := range c.Discounts {
		place := " on the cart"
		if d.LineID != 0 {
			place = " on a line"
		}
		text += separator + d.Amount.String() + place
		separator = ", "
	}
	return text
}

// A plan that hangs keeps what acts, or takes off what is ours, in time for the platform.
func TestShopLate(t *testing.T) { synctest.Test(t, testShopLate) }

func testShopLate(t *testing.T) {
	for policy, want := range map[discounts.Policy]string{discounts.PolicyKeep: "65.50 - 30.00: 30.00 on a line",
		discounts.PolicyRemoveOwn: "65.50 - 0.00"} {
		hang := false
		s := openStall(t, nil)
		s.serve(t, &discounts.Handler{
			Guarded: true, Promotions: s.cache, Late: policy,
			OnFailure: func(_ context.Context, f *discounts.Failure) { s.afterwards = append(s.afterwards, f) },
			Plans: discounts.Plans{LineItems: func(ctx context.Context, p *discounts.LinePlan) error {
				if hang {
					<-ctx.Done()
					return ctx.Err()
				}
				offer, _ := p.Named("Three for two")
				all, err := discounts.BasisPoints(10_000)
				p.Discount(offer, p.Lines()[0], all)
				return err
			}},
		})
		shop := s.Shop()
		basket, before := s.fill(t, shop)
		if got := describe(before); got != "65.50 - 30.00: 30.00 on a line" {
			t.Errorf("before: %s", got)
		}
		hang = true
		cart, err := basket.SetDestination(t.Context(), clienttest.Destination{Country: "AR"})
		if err != nil {
			t.Fatal(err)
		}
		if got := describe(cart); got != want || len(s.afterwards) != 1 {
			t.Errorf("policy %d: got %s, want %s; reported %v", policy, got, want, s.afterwards)
		}
		time.Sleep(discounts.DefaultLinger) // the plan comes to its end
	}
}

// stricter reports whether the case is one of those that Validate refuses although the
// contract does not: what they say is of no use or in doubt, and all discounts are at stake.
func stricter(name string) bool {
	return slices.Contains([]string{
		"an empty list", "scope and ids beside the command", "an amount of nothing", "0 percent", "more than a line costs",
		"more than the subtotal",
		"a removal of what does not act", "a removal from a line that it does not act on",
	}, name)
}

// What Validate refuses, the platform punishes: it takes all discounts off the cart.
func TestServerRefusesInvalidAnswers(t *testing.T) {
	data, err := os.ReadFile("testdata/invalid-commands.json")
	if err != nil {
		t.Fatal(err)
	}
	var corpus struct {
		Promotions []struct{ ID string }
		Valid      []answerCase
		Invalid    []answerCase
	}
	if err := json.Unmarshal(data, &corpus); err != nil {
		t.Fatal(err)
	}
	s := openStall(t, nil)
	var tier, answer string // what is answered in which tier
	s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var cart struct {
			Tier string `json:"execution_tier"`
		}
		if err := json.NewDecoder(r.Body).Decode(&cart); err != nil {
			t.Error(err)
		}
		if cart.Tier != tier {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if _, err := w.Write([]byte(answer)); err != nil {
			t.Error(err)
		}
	}))
	refused := 0
	for _, c := range append(corpus.Invalid, corpus.Valid...) {
		shop := s.Shop() // which lists the runs of this case only
		tier, answer = "", ""
		basket, cart := s.fill(t, shop)
		names := []string{"101", cart.Lines[0].ID.String(), "102", cart.Lines[1].ID.String(), "103",
			cart.Lines[2].ID.String(), `"11"`, `"` + s.variants[0].String() + `"`}
		for i, id := range []uuid.UUID{s.lines[0], s.lines[1], s.crosses[0], s.crosses[1]} {
			names = append(names, corpus.Promotions[i].ID, id.String())
		}
		real := strings.NewReplacer(names...)
		// The promotions that the corpus says act on the cart.
		for _, act := range [][2]string{
			{"line_item", `{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":"11111111-1111-4111-8111-111111111111","currency":"ARS","line_items":[{"line_item":"101","discount_specs":{"type":"fixed","amount":"1.00"}},{"line_item":"102","discount_specs":{"type":"fixed","amount":"1.00"}}]}}]}`},
			{"cross_items", `{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":"33333333-3333-4333-8333-333333333333","currency":"ARS","discount_specs":{"type":"fixed","amount":"2.00"}}}]}`},
		} {
			tier, answer = act[0], real.Replace(act[1])
			if cart, err = basket.SetDestination(t.Context(), clienttest.Destination{Country: "AR", Zipcode: tier}); err != nil {
				t.Fatal(err)
			}
		}
		if got := cart.Promotions.String(); got != "4.00" {
			t.Fatalf("%s: before, %s off", c.Name, got)
		}
		before := len(shop.Runs())
		tier, answer = c.Cart, real.Replace(string(c.body()))
		if cart, err = basket.SetPayment(t.Context(), clienttest.Payment{Method: "cash"}); err != nil {
			t.Fatal(err)
		}
		valid := c.Rule == ""
		for _, r := range shop.Runs()[before:] {
			switch {
			case r.Tier != tier:
			case valid && r.Outcome != "applied":
				t.Errorf("valid: %s: %s, %s: %s", c.Name, r.Outcome, r.Reason, r.Answer)
			case !valid && r.Outcome == "removed" && r.After.Promotions.String() == "0.00":
				refused++
			case !valid && !stricter(c.Name):
				t.Errorf("%s: %s, %s off: %s", c.Name, r.Outcome, r.After.Promotions, r.Answer)
			}
		}
	}
	if refused < 80 {
		t.Errorf("the server refused %d of %d", refused, len(corpus.Invalid))
	}
	t.Logf("the server refused %d of %d", refused, len(corpus.Invalid))
}

type answerCase struct {
	Name, Cart, Rule string
	Answer           json.RawMessage
}

// body is the answer as it is sent.
func (c answerCase) body() []byte {
	var text string
	if json.Unmarshal(c.Answer, &text) == nil && !bytes.Equal(c.Answer, []byte("null")) {
		return []byte(text)
	}
	return c.Answer
}
