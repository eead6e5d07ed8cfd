package main

import (
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
)

// Every act is a command, with a flag for each member, and the arguments of its path.
func TestDo(t *testing.T) {
	d := openDesk(t)
	for _, one := range []struct{ line, want string }{
		{"refserver do rule-settings.set --fewest-places --timeout 300ms", `"timeout": "300ms"`},
		{"refserver do shipping-rules.set --plain-cost --no-carrier --json", `"plain_cost":true,"no_carrier":true`},
		{"refserver do stores.add --id 1777", `"id": 1777`},
		{"refserver do stores.install --store 1777 --scopes read_products,write_orders", `"access_token"`},
		{"refserver do faults.add --operation 'POST /products' --status 503", `"operation": "products.create"`},
		{"refserver do faults.remove 1", `"ended": 1`},
		{"refserver do entities products --limit 1", `"next": "`},
		{"refserver do labels.generate --help", "--fulfillment-orders list"},
		{"refserver help do payments.refund", "usage: refserver do payments.refund"},
		{"refserver help do", "labels.generate"},
	} {
		if out, ok := d.shell(one.line); !ok || !strings.Contains(out, one.want) {
			t.Errorf("%s:\n%s\nwant %s", one.line, out, one.want)
		}
	}
	for _, one := range []struct{ line, want string }{
		{"refserver do labels.generte", "the nearest is labels.generate"},
		{"refserver do payments.refund --transacton x", "the nearest is --transaction"},
		{"refserver do faults.remove", "FAULT is missing"},
	} {
		if out, ok := d.shell(one.line); ok || !strings.Contains(out, one.want) {
			t.Errorf("%s:\n%s\nwant a refusal with %s", one.line, out, one.want)
		}
	}
}

// The words of every command are acts, and a list that is shown as text has columns.
func TestActWords(t *testing.T) {
	words := 0
	for _, c := range commands() {
		for word, name := range c.acts {
			words++
			a, ok := act.Find(acts(), name)
			if !ok {
				t.Errorf("%s %s: there is no act %q", c.name, word, name)
			}
			if c.facts && a.Lists && len(columnsOf(a)) < 3 {
				t.Errorf("%s %s: the example of %s has the columns %v", c.name, word, name, columnsOf(a))
			}
		}
	}
	if words < 130 {
		t.Errorf("got %d words", words)
	}
}
