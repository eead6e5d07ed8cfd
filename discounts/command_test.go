package discounts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// The four examples of the documentation, but for the ids of promotions.
func TestCommandsAreTheContracts(t *testing.T) {
	u1 := uuid.MustParse("11111111-1111-4111-8111-111111111111")
	u2 := uuid.MustParse("22222222-2222-4222-8222-222222222222")
	off := func(n int64) Amount {
		a, err := Minor(n)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	text := map[string]string{"es-ar": "t"}
	for want, make := range map[string]func(*Commands){
		`{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":"11111111-1111-4111-8111-111111111111","currency":"ARS","display_text":{"es-ar":"t"},"line_items":[{"line_item":"717394929","discount_specs":{"type":"fixed","amount":"250.00"}}]}}]}`: func(c *Commands) {
			c.DiscountLines(u1, "ARS", text, LineDiscount{717394929, off(25000)})
		},
		`{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":"22222222-2222-4222-8222-222222222222","currency":"ARS","display_text":{"es-ar":"t"},"discount_specs":{"type":"fixed","amount":"20.00"}}}]}`: func(c *Commands) {
			c.DiscountCart(u2, "ARS", text, off(2000))
		},
		`{"commands":[{"command":"remove_discount","specs":{"scope":"line_item","promotion_id":"11111111-1111-4111-8111-111111111111","line_items":["717394929"]}}]}`: func(c *Commands) {
			c.RemoveLines(u1, 717394929)
		},
		`{"commands":[{"command":"remove_discount","specs":{"scope":"cart","promotion_ids":["22222222-2222-4222-8222-222222222222"]}}]}`: func(c *Commands) {
			c.Remove(u2)
		},
		`{"commands":[{"command":"newer_command","specs":{"a":1}}]}`: func(c *Commands) {
			c.Add("newer_command", map[string]int{"a": 1})
		},
		`{"commands":[]}`: func(*Commands) {},
	} {
		var c Commands
		make(&c)
		got, err := c.MarshalJSON()
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v\nwant %s", got, err, want)
		}
	}
}

// Names of languages are those of the contract's example.
func TestShowTakesLanguages(t *testing.T) {
	for lang, want := range map[string]bool{"es": true, "es-ar": true, "pt-br": true, "es-AR": false, "es_ar": false,
		"": false, "e": false, "esp": false, "es-": false, "es-a": false, "e-ar-": false} {
		if got := isLanguage(lang); got != want {
			t.Errorf("%q: got %v", lang, got)
		}
		cart := &Cart{ID: "1", StoreID: 1, Tier: promotions.TierCrossItems, Currency: "ARS", Totals: Totals{Subtotal: client.Cents(100)}}
		answer := `{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":"11111111-1111-4111-8111-111111111111","currency":"ARS","display_text":{"` + lang + `":"t"},"discount_specs":{"type":"fixed","amount":"1.00"}}}]}`
		own := []promotions.Promotion{{ID: uuid.MustParse("11111111-1111-4111-8111-111111111111"), Tier: promotions.TierCrossItems}}
		if got := Validate(cart, own, []byte(answer)) == nil; got != want {
			t.Errorf("%q: valid: %v", lang, got)
		}
	}
}

// Lines are written without an encoder, and as an encoder writes them.
func TestCommandsAreWrittenAsByTheEncoder(t *testing.T) {
	promotion := uuid.MustParse("11111111-1111-4111-8111-111111111111")
	amount := func(a Amount, err error) Amount {
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	tenth, ten := amount(BasisPoints(1000)), amount(Minor(1000))
	for name, add := range map[string]func(*Commands){
		"no line": func(c *Commands) { c.DiscountLines(promotion, "ARS", nil) },
		"lines of equal and other amounts": func(c *Commands) {
			c.DiscountLines(promotion, "ARS", nil, LineDiscount{1, ten}, LineDiscount{2, ten}, LineDiscount{3, tenth},
				LineDiscount{-1 << 63, ten}, LineDiscount{1<<63 - 1, tenth})
		},
		"text": func(c *Commands) {
			c.DiscountLines(promotion, `A"\<é`, map[string]string{"es": "]}}", "pt": `"`}, LineDiscount{1, ten})
		},
		"no UTF-8": func(c *Commands) { c.DiscountLines(promotion, "\xff", nil, LineDiscount{1, ten}) },
		"several": func(c *Commands) {
			c.DiscountLines(promotion, "ARS", nil, LineDiscount{1, ten})
			c.Remove(promotion)
			c.DiscountLines(promotion, "ARS", nil, LineDiscount{2, ten})
			c.Add(`"x`, nil)
		},
		"unwritable": func(c *Commands) { c.Add("x", func() {}) },
	} {
		c := &Commands{}
		add(c)
		got, err := c.MarshalJSON()
		want, wantErr := wire.Marshal(struct {
			Commands []command `json:"commands"`
		}{c.list})
		if string(got) != string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%s: got %s, %v, want %s, %v", name, got, err, want, wantErr)
		}
	}

	c := &Commands{}
	c.DiscountLines(promotion, "ARS", nil, LineDiscount{1, ten}, LineDiscount{2, ten}, LineDiscount{3, tenth})
	got, err := c.MarshalJSON()
	const want = `[{"line_item":"1","discount_specs":{"type":"fixed","amount":"10.00"}},` +
		`{"line_item":"2","discount_specs":{"type":"fixed","amount":"10.00"}},` +
		`{"line_item":"3","discount_specs":{"type":"percentage","amount":"10.00"}}]`
	if err != nil || !strings.Contains(string(got), want) {
		t.Errorf("got %s, %v, want lines %s", got, err, want)
	}
}
