package shop_test

import (
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
)

// Judge has the rules of the storefront for an answer that is known with its cart alone.
func TestJudge(t *testing.T) {
	const cart = `{"execution_tier":"line_item","currency":"ARS","products":[{"id":7},{"id":8}]}`
	line := func(id, currency, amount string) string {
		return `{"command":"create_or_update_discount","specs":{"promotion_id":"P","currency":"` + currency +
			`","line_items":[{"line_item":"` + id + `","discount_specs":{"type":"fixed","amount":"` + amount + `"}}]}}`
	}
	for name, tc := range map[string]struct {
		status       int
		answer, want string
	}{
		"keeps":       {204, "x", ""},
		"uninstalled": {310, "", ""},
		"commands":    {200, `{"commands":[` + line("7", "ARS", "1.00") + `]}`, ""},
		"none":        {200, `{"commands":[]}`, ""},
		"status":      {500, "", "status 500: must be 200, 204 or 310"},
		"other line":  {200, `{"commands":[` + line("9", "ARS", "1.00") + `]}`, `line item "9" is not in the cart`},
		"currency":    {200, `{"commands":[` + line("7", "BRL", "1.00") + `]}`, "is not the currency of the cart"},
		"two faults":  {200, `{"commands":[` + line("7", "BRL", "1.00") + `,` + line("7", "ARS", "1") + `]}`, "; "},
		"twice":       {200, `{"commands":[` + line("7", "ARS", "1.00") + `,` + line("7", "ARS", "1.00") + `]}`, "twice"},
		"tier":        {200, `{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":"P","currency":"ARS","discount_specs":{"type":"fixed","amount":"1.00"}}}]}`, "member"},
		"no JSON":     {200, "<html>", "not JSON"},
	} {
		err := shop.Judge([]byte(cart), tc.status, []byte(tc.answer))
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", name, err, tc.want)
		}
	}
	for _, cart := range []string{"", `{"products":[{"id":"x"}]}`, `{"products":[{"id":1.5}]}`} {
		if err := shop.Judge([]byte(cart), 200, []byte(`{"commands":[]}`)); err == nil || !strings.HasPrefix(err.Error(), "the cart: ") {
			t.Errorf("the cart %q: got %v", cart, err)
		}
	}
}
