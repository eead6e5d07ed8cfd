package discounts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
)

func TestValidate(t *testing.T) {
	c := readCorpus(t)
	if len(c.Invalid) < 80 {
		t.Errorf("%d invalid answers, want 80 at least", len(c.Invalid))
	}
	for _, v := range c.Valid {
		if err := Validate(c.cart(t, promotions.Tier(v.Cart)), c.Promotions, v.body()); err != nil {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
	for _, v := range c.Invalid {
		err := Validate(c.cart(t, promotions.Tier(v.Cart)), c.Promotions, v.body())
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), v.Rule) {
			t.Errorf("%s: got %v, want …%s…", v.Name, err, v.Rule)
		}
	}
}

// A Handler sends no invalid command that a plan made by hand. The cart keeps its discounts whatever the policy, and
// OnFailure is called once with the reason.
func TestHandlerSendsNothingInvalid(t *testing.T) {
	c := readCorpus(t)
	for name, policy := range map[string]Policy{"keep": PolicyKeep, "remove": PolicyRemoveOwn} {
		var made Commands
		p := newProbe(t, Plans{Raw: func(_ context.Context, _ *Cart, _ []promotions.Promotion, out *Commands) error {
			for _, command := range made.list {
				out.Add(command.Command, command.Specs)
			}
			return nil
		}}, func(h *Handler) { h.Late = policy })
		refused, unwritten := 0, 0
		for _, v := range c.Invalid {
			var ok bool
			if made.list, ok = commandsOf(v.body()); !ok {
				continue
			}
			p.failed, p.answers = nil, nil
			w := post(p, c.Carts[v.Cart])
			if w.Code != 204 || w.Body.Len() > 0 || len(p.failed) != 1 || len(p.answers) != 1 || p.answers[0].Status != 204 ||
				p.answers[0].Commands != 0 {
				t.Errorf("%s, %s: got %d %s, reported %v, told %+v; want 204 and one report", name, v.Name, w.Code, w.Body,
					p.failed, p.answers)
				continue
			}
			rule := v.Rule
			if _, err := made.MarshalJSON(); err != nil {
				rule = err.Error()
				unwritten++
			}
			refused++
			for _, err := range []error{p.failed[0], p.answers[0].Err} {
				if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), rule) {
					t.Errorf("%s, %s: got %v, want …%s…", name, v.Name, err, rule)
				}
			}
		}
		if refused < 76 || unwritten == 0 {
			t.Errorf("%s: %d refused, %d of them because they cannot be written; want 76 at least, and one at least", name,
				refused, unwritten)
		}
		t.Logf("%s: %d of %d answers refused, %d because they cannot be written", name, refused, len(c.Invalid), unwritten)
	}
}

// commandsOf returns the commands of an answer, if Commands can say all that is in it.
func commandsOf(answer []byte) ([]command, bool) {
	var made struct {
		Commands []struct {
			Command string          `json:"command"`
			Specs   json.RawMessage `json:"specs"`
		} `json:"commands"`
	}
	var want bytes.Buffer
	if json.Unmarshal(answer, &made) != nil || json.Compact(&want, answer) != nil || len(made.Commands) == 0 {
		return nil, false // none is a good answer: nothing to do
	}
	got, err := json.Marshal(made)
	var list []command
	for _, c := range made.Commands {
		list = append(list, command{c.Command, c.Specs})
	}
	return list, err == nil && bytes.Equal(got, want.Bytes())
}

// A valid answer is not valid for a cart that has changed.
func TestValidateKnowsTheCart(t *testing.T) {
	c := readCorpus(t)
	answer := c.Valid[0].body() // 5.00 off line 103, in ARS
	for name, change := range map[string]func(*Cart){
		"currency": func(c *Cart) { c.Currency = "USD" },
		"line":     func(c *Cart) { c.Products[2].ID = 104 },
		"tier":     func(c *Cart) { c.Tier = promotions.TierCrossItems },
		"price":    func(c *Cart) { c.Products[2].Price = client.MustMoney("2.4999") },
		"quantity": func(c *Cart) { c.Products[2].Quantity = 0 },
	} {
		cart := c.cart(t, promotions.TierLineItems)
		if change(cart); Validate(cart, c.Promotions, answer) == nil {
			t.Errorf("%s: the answer is still valid", name)
		}
	}
	if Validate(c.cart(t, promotions.TierLineItems), nil, answer) == nil {
		t.Error("valid for an app without promotions")
	}
}
