package discounts_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/discounts"
)

const cartOfThree = `{"cart_id":"7","store_id":"123","execution_tier":"line_item","currency":"ARS",
	"products":[{"id":101,"price":"10.00","product_id":1,"variant_id":11,"quantity":3}],
	"totals":{"subtotal":"30.00"},"promotions":[]}`

var threeForTwo = promotions.Promotion{
	ID: uuid.MustParse("02aaa5c6-080a-40e9-a61f-90ca2150d6a2"), Name: "3 for 2", Tier: promotions.TierLineItems,
	Active: true,
}

// plan gives every third piece of a line away.
func plan(_ context.Context, p *discounts.LinePlan) error {
	offer, ok := p.Named("3 for 2")
	if !ok {
		return nil
	}
	for _, line := range p.Lines() {
		gifts := int64(line.Quantity) / 3
		if gifts == 0 {
			continue
		}
		amount, err := discounts.Minor(gifts * line.Price.Decimal().Shift(2).IntPart())
		if err != nil {
			return err
		}
		p.Discount(offer, line, amount)
	}
	return nil
}

// A whole app: a plan, and where the promotions and the requests come from.
func ExampleHandler() {
	carts := &discounts.Handler{
		Plans: discounts.Plans{LineItems: plan},
		Promotions: &discounts.PromotionCache{Load: func(ctx context.Context, store client.ID) ([]promotions.Promotion, error) {
			return []promotions.Promotion{threeForTwo}, nil // v202503.Promotions(c).List().Collect(ctx)
		}},
		Secrets: []client.Secret{"5f2b1c9a7d3e4f60"},
	}
	if err := carts.Check(); err != nil {
		fmt.Println(err)
		return
	}
	defer carts.Promotions.Close()

	r := httptest.NewRequest(http.MethodPost, "/carts", strings.NewReader(cartOfThree))
	r.Header.Set(discounts.SignatureHeader, discounts.Sign("5f2b1c9a7d3e4f60", []byte(cartOfThree)))
	w := httptest.NewRecorder()
	carts.ServeHTTP(w, r)
	fmt.Println(w.Code, strings.ReplaceAll(w.Body.String(), `"specs"`, "\n\"specs\""))
	// Output:
	// 200 {"commands":[{"command":"create_or_update_discount",
	// "specs":{"promotion_id":"02aaa5c6-080a-40e9-a61f-90ca2150d6a2","currency":"ARS","line_items":[{"line_item":"101","discount_specs":{"type":"fixed","amount":"10.00"}}]}}]}
}

// A plan is a function, and is tried out like one.
func ExamplePlans_Evaluate() {
	plans := discounts.Plans{LineItems: plan}
	for _, cart := range []string{cartOfThree, strings.Replace(cartOfThree, `"quantity":3`, `"quantity":2`, 1)} {
		c, err := discounts.ReadCart([]byte(cart))
		if err != nil {
			fmt.Println(err)
			return
		}
		answer, err := plans.Evaluate(context.Background(), c, []promotions.Promotion{threeForTwo})
		fmt.Println(len(answer) > 0, err)
	}
	// Output:
	// true <nil>
	// false <nil>
}

func ExampleAmount() {
	twenty, err := discounts.BasisPoints(2000)
	fmt.Println(twenty, twenty.Percentage(), err)
	off, err := discounts.Fixed(client.MustMoney("12.5"))
	fmt.Println(off, off.Percentage(), err)
	_, err = discounts.Percent(client.MustMoney("120"))
	fmt.Println(err)
	// Output:
	// 20.00 true <nil>
	// 12.50 false <nil>
	// percentage: "120.00": must be above 0 and at most 100, and two decimals at most: validation
}
