package discountstest_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/discounts/discountstest"
)

var outlet = promotions.Promotion{
	ID: uuid.MustParse("02aaa5c6-080a-40e9-a61f-90ca2150d6a2"), Name: "Outlet", Tier: promotions.TierCrossItems, Active: true,
}

// app takes a percentage off carts of more than an amount.
func app(above, percentage string) *discounts.Handler {
	return &discounts.Handler{
		Plans: discounts.Plans{CrossItems: func(_ context.Context, p *discounts.CrossPlan) error {
			offer, ok := p.Named("Outlet")
			if !ok || p.Cart().Totals.Subtotal.Cmp(client.MustMoney(above)) <= 0 {
				return nil
			}
			off, err := discounts.Percent(client.MustMoney(percentage))
			if err != nil {
				return err
			}
			p.Discount(offer, off)
			return nil
		}},
		Promotions: &discounts.PromotionCache{Load: func(context.Context, client.ID) ([]promotions.Promotion, error) {
			return []promotions.Promotion{outlet}, nil
		}},
		Guarded: true,
	}
}

// cart is one of a subtotal, with a customer's e-mail address, which is not recorded.
func cart(id int, subtotal string) string {
	return fmt.Sprintf(`{"cart_id":"%d","store_id":"123","execution_tier":"cross_items","currency":"ARS","products":[{"id":101,`+
		`"price":%q,"product_id":1,"variant_id":11,"quantity":1,"properties":{"Engraving":"For Ana"}}],"totals":{"subtotal":%[2]q},"promotions":[]}`, id, subtotal)
}

// After the change of a plan, the carts whose discounts changed are shown, and no others.
func ExampleReplay() {
	before, after := app("100.00", "10"), app("250.00", "10")
	defer before.Promotions.Close()
	defer after.Promotions.Close()
	var file bytes.Buffer
	recorder := &discountstest.Recorder{Handler: before, Out: &file}
	for i, subtotal := range []string{"80.00", "200.00", "300.00"} {
		r := httptest.NewRequest(http.MethodPost, "/carts", strings.NewReader(cart(i+1, subtotal)))
		recorder.ServeHTTP(httptest.NewRecorder(), r)
	}
	fmt.Println(strings.Contains(file.String(), "Ana"), recorder.Err())

	err := discountstest.Replay(context.Background(), &file, discountstest.Sender{Handler: after}, func(r discountstest.Result) error {
		for _, change := range r.Changes {
			fmt.Println(r.Record.Body[:14], change)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// false <nil>
	// {"cart_id":"2" status: 204, was 200
	// {"cart_id":"2" promotion 02aaa5c6-080a-40e9-a61f-90ca2150d6a2 on the cart: nothing, was 10 % off
	// <nil>
}
