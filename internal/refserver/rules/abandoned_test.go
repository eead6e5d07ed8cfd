package rules_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/rules"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Rules are asked about an abandoned checkout, with what it has, whether its cart can still be changed or not.
func TestAbandonedCheckout(t *testing.T) {
	c := open(t)
	ctx := t.Context()
	a := c.app(`{"command":"block_checkout","detail":{}}`)
	guest, err := c.front.NewCart(shop.Customer{})
	if err != nil {
		t.Fatal(err)
	}
	_, added := c.front.Add(ctx, guest.ID, 110, 2)
	_, sent := c.front.SetDestination(ctx, guest.ID, shop.Destination{Country: "AR", City: "Rosario", Zipcode: "2000"})
	_, met := c.front.SetContact(ctx, guest.ID, shop.Contact{Name: "Eva", Email: "eva@mail.example", Phone: "+54", Identification: "9"})
	if err := errors.Join(added, sent, met, c.front.Abandon(ctx, guest.ID)); err != nil {
		t.Fatal(err)
	}
	for _, hours := range []time.Duration{0, 7, 31 * 24} {
		c.clock.Advance(hours * time.Hour)
		if hours == 7 { // nothing but the checkout is left
			c.update(func(tx *world.Tx) error {
				k, _ := tx.Checkouts.Get(guest.ID)
				k.ShippingAddress.Province = "Santa Fe"
				tx.Carts.Delete(guest.ID)
				tx.Visits.Delete(guest.ID)
				return tx.Checkouts.Put(k.ID, k)
			})
		}
		a.got = nil
		if reason, err := c.desk.MayFinish(ctx, c.store.ID, guest.ID); err != nil || reason != fmt.Sprint("blocked by app ", a.ID) {
			t.Errorf("after %d h: %q, %v", hours, reason, err)
		}
		got, err := json.Marshal(object{"cart_id": a.got[0]["cart_id"], "customer": a.got[0]["customer"], "shipping": a.got[0]["shipping"], "totals": a.got[0]["totals"]})
		want := `{"cart_id":` + fmt.Sprint(guest.ID) + `,"customer":{"document":"9","email":"eva@mail.example","id":null,"name":"Eva","phone":"+54","zipcode":"2000"},` +
			`"shipping":{"city":"Rosario","cost":"0.0","country":"AR","postalcode":"2000"},"totals":{"subtotal":"20.00","total":"20.00","total_discount":"0.00"}}`
		if string(got) != want || err != nil {
			t.Errorf("after %d h: got %s, %v, want %s", hours, got, err, want)
		}
		_, err = c.front.Buy(ctx, guest.ID, shop.Purchase{})
		if !errors.Is(err, shop.ErrRefused) || !strings.Contains(err.Error(), "blocked by app") {
			t.Errorf("after %d h: bought: %v", hours, err)
		}
	}

	a.answer = "{}"
	if _, err := c.desk.Places(ctx, c.store.ID, guest.ID); err != nil || !strings.Contains(string(c.last().Request), `"province":"Santa Fe"`) {
		t.Errorf("asked %s, %v", c.last().Request, err)
	}
	c.desk.Set(rules.Settings{FewestPlaces: true})
	if all, err := c.desk.Places(ctx, c.store.ID, guest.ID); err != nil || all[0] != c.places[1] {
		t.Errorf("places %v, %v: the first has too little", all, err)
	}
	a.answer = `{"command":"location_prioritization","detail":{"location_prioritization":[]}}`
	if _, err := c.QuoteCart(ctx, c.store.ID, guest.ID, carrier.Address{Country: "AR"}); err == nil || !strings.Contains(err.Error(), "leave no location") {
		t.Errorf("a quote from nowhere: %v", err)
	}
	if _, err := c.front.Buy(ctx, guest.ID, shop.Purchase{}); !errors.Is(err, shop.ErrRefused) || !strings.Contains(err.Error(), "leave no location") {
		t.Errorf("bought from nowhere: %v", err)
	}
	a.answer = "{}"
	if _, err := c.front.Buy(ctx, guest.ID, shop.Purchase{}); err != nil {
		t.Fatal(err)
	}
	asked := len(a.got)
	if _, err := c.front.Buy(ctx, guest.ID, shop.Purchase{}); !errors.Is(err, shop.ErrNoCart) || len(a.got) != asked {
		t.Errorf("bought again: %v, asked %d times more", err, len(a.got)-asked)
	}
}
