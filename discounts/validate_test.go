package discounts

import (
	"errors"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

func TestValidate(t *testing.T) {
	c := readCorpus(t)
	if len(c.Invalid) < 80 {
		t.Errorf("%d invalid answers, want 80 at least", len(c.Invalid))
	}
	for _, v := range c.Valid {
		if err := Validate(c.cart(t, Tier(v.Cart)), c.Promotions, v.body()); err != nil {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
	for _, v := range c.Invalid {
		err := Validate(c.cart(t, Tier(v.Cart)), c.Promotions, v.body())
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), v.Rule) {
			t.Errorf("%s: got %v, want …%s…", v.Name, err, v.Rule)
		}
	}
}

// A valid answer is not valid for a cart that has changed.
func TestValidateKnowsTheCart(t *testing.T) {
	c := readCorpus(t)
	answer := c.Valid[0].body() // 5.00 off line 103, in ARS
	for name, change := range map[string]func(*Cart){
		"currency": func(c *Cart) { c.Currency = "USD" },
		"line":     func(c *Cart) { c.Products[2].ID = 104 },
		"tier":     func(c *Cart) { c.Tier = CrossItems },
		"price":    func(c *Cart) { c.Products[2].Price = client.MustMoney("2.4999") },
		"quantity": func(c *Cart) { c.Products[2].Quantity = 0 },
	} {
		cart := c.cart(t, LineItems)
		if change(cart); Validate(cart, c.Promotions, answer) == nil {
			t.Errorf("%s: the answer is still valid", name)
		}
	}
	if Validate(c.cart(t, LineItems), nil, answer) == nil {
		t.Error("valid for an app without promotions")
	}
}
