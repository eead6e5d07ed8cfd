package discounts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
)

const promisedCart = `{"cart_id":"7","store_id":"123","execution_tier":%q,"currency":"ARS","language":%q,
	"products":[{"id":%d,"price":"10.00","product_id":1,"variant_id":11,"quantity":3}],"totals":{"subtotal":"30.00"},"promotions":%s}`

// A promotion that an answer named and that the next cart lacks is reported, once for a cart, and nothing else is.
func TestPromotionsThatAreNotApplied(t *testing.T) {
	line := func(language, applied string) string {
		return fmt.Sprintf(promisedCart, "line_item", language, 101, applied)
	}
	other := fmt.Sprintf(promisedCart, "line_item", "es", 102, "[]")
	none := fmt.Sprintf(promisedCart, "line_item", "none", 102, "[]")
	cross := func(language, applied string) string {
		return fmt.Sprintf(promisedCart, "cross_items", language, 101, applied)
	}
	const wait = "wait"
	applied := fmt.Sprintf(`[{"id":%q,"line_items":["101"]}]`, lineID)
	for _, test := range []struct {
		name  string
		carts []string // or wait, for the time of an answer
		want  int      // reports
	}{
		{"applied", []string{line("es", "[]"), line("pt", applied), line("es", applied)}, 0},
		{"not applied", []string{line("es", "[]"), line("pt", "[]")}, 1},
		{"never applied", []string{line("es", "[]"), line("pt", "[]"), line("es", "[]"), line("pt", "[]")}, 1},
		{"taken off later", []string{line("es", "[]"), line("pt", applied), line("es", "[]")}, 1},
		{"sent again at once", []string{line("es", "[]"), line("es", "[]")}, 0},
		{"the same cart later", []string{line("es", "[]"), wait, line("es", "[]")}, 1},
		{"the line is gone", []string{line("es", "[]"), other}, 0},
		{"a plan that failed between", []string{line("es", "[]"), line("fail", applied), line("pt", "[]")}, 1},
		{"taken off by the plan", []string{line("es", "[]"), line("none", applied), line("pt", "[]")}, 0},
		{"nothing to discount in between", []string{line("es", "[]"), none, line("pt", "[]")}, 0},
		{"the cart as a whole", []string{cross("es", "[]"), cross("pt", "[]")}, 1},
		{"another tier", []string{cross("es", "[]"), line("none", "[]"), line("none2", "[]")}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				plan := func(c *Cart) (amount Amount, err error) {
					switch c.Language {
					case "fail":
						return Amount{}, errors.New("the database is down")
					case "none", "none2":
						return Amount{}, nil
					}
					return Minor(500)
				}
				p := newProbe(t, Plans{
					LineItems: func(_ context.Context, p *LinePlan) error {
						amount, err := plan(p.Cart())
						if three, _ := p.Named("Three for two"); err == nil && amount != (Amount{}) {
							p.Discount(three, p.Lines()[0], amount)
						}
						return err
					},
					CrossItems: func(_ context.Context, p *CrossPlan) error {
						amount, err := plan(p.Cart())
						if tiers, _ := p.Named("Tiers"); err == nil && amount != (Amount{}) {
							p.Discount(tiers, amount)
						}
						return err
					},
				}, nil)
				for _, cart := range test.carts {
					if cart == wait {
						time.Sleep(AnswerTime)
						continue
					}
					post(p, []byte(cart))
					time.Sleep(time.Millisecond)
				}
				got := 0
				for _, f := range p.failures() {
					var n *NotApplied
					if !errors.As(f, &n) {
						continue
					}
					got++
					if !errors.Is(f, ErrNotApplied) || n.Promotion == uuid.Nil || f.StoreID != 123 || f.CartID != "7" ||
						n.Answered.IsZero() ||
						!strings.Contains(f.Error(), "the platform did not apply promotion "+n.Promotion.String()) {
						t.Errorf("reported %v, %+v", f, f)
					}
				}
				if got != test.want {
					t.Errorf("%d reports, want %d: %v", got, test.want, p.failures())
				}
			})
		})
	}
}

// A cart that arrived before the last answer was out says nothing about that, and what is remembered is bounded.
func TestPromises(t *testing.T) {
	o := newOwn(readCorpus(t).Promotions, 1)
	named := map[pair]bool{{lineID.String(), 101}: true}
	a := reply{status: http.StatusOK, named: named, own: o}
	cart := func(id int) *Cart {
		return &Cart{ID: client.Code(fmt.Sprint(id)), StoreID: 1, Tier: promotions.TierLineItems, Products: []LineItem{{ID: 101}}}
	}
	var m promises
	before := time.Now()
	if got := m.answered(cart(1), []byte("a"), before, a); got != nil {
		t.Errorf("the first cart: %v", got)
	}
	if got := m.answered(cart(1), []byte("b"), before, a); got != nil {
		t.Errorf("a cart that was on its way: %v", got)
	}
	if got := m.answered(cart(1), []byte("c"), time.Now(), a); len(got) != 1 {
		t.Errorf("the next cart: %v, want one promotion", got)
	}
	for id := range 2 * mostPromises {
		m.answered(cart(id), []byte("a"), before, a)
	}
	if m.byCart.Len() != mostPromises || m.pairs != mostPromises {
		t.Errorf("%d carts with %d promotions are remembered, want %d of each", m.byCart.Len(), m.pairs, mostPromises)
	}
	large := reply{status: http.StatusOK, named: map[pair]bool{}, own: o}
	for line := range mostPromisedBy {
		large.named[pair{lineID.String(), client.ID(line + 1)}] = true
	}
	for id := range 2 * mostPromises {
		m.answered(cart(id), []byte("a"), before, large)
	}
	if m.pairs > mostPromised || m.byCart.Len() != mostPromised/mostPromisedBy {
		t.Errorf("%d carts with %d promotions are remembered, want %d promotions at most", m.byCart.Len(), m.pairs,
			mostPromised)
	}
}
