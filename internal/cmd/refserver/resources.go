package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
)

// resourceCommand completes a command whose words are acts. Without a word it performs the act of the empty word.
func resourceCommand(c command) command {
	c.args, c.most, c.facts = "[ACT [ARGUMENTS]]", 1, true
	c.bind = func(f *flag.FlagSet) func(context.Context, *env) error {
		first, _ := act.Find(acts(), c.acts[""])
		do := c.performs(f, first)
		return func(ctx context.Context, e *env) error {
			if len(e.args) > 0 {
				return noAct(e.args[0], c.acts)
			}
			return do(ctx, e)
		}
	}
	return c
}

func labelsCommand() command {
	return resourceCommand(command{
		name: "labels", does: "asks carriers for labels and changes them, as the merchant does, and lists the calls", acts: actsOf("labels"),
		lesson: `The store must have the feature fulfillment_order_label_api: see "refserver serve --feature". The order must have a rate of
a carrier with an address for labels. "refserver registrations add --kind labels" sets that address. "refserver do entities fulfillment_orders" shows the ids.

    refserver labels
    refserver labels generate --help`,
	})
}

func disputesCommand() command {
	return resourceCommand(command{
		name: "disputes", does: "opens and moves disputes of payments, and lists them", acts: actsOf("disputes"),
		lesson: `A dispute is about a paid transaction, which "refserver sale" makes. open is about the newest transaction, unless one is
named.

    refserver sale 120.00
    refserver disputes open --amount 20.00
    refserver disputes
    refserver disputes move --status under_review "$(refserver disputes --json | sed 's/.*"id":"\([^"]*\)".*/\1/')"`,
	})
}

func rulesCommand() command {
	return resourceCommand(command{
		name: "rules", does: "asks the business rules of apps about a cart, and lists the calls",
		acts: map[string]string{
			"": "rule-runs", "settings": "rule-settings", "set": "rule-settings.set", "places": "carts.places",
			"payment-options": "carts.payment-options", "may-finish": "carts.may-finish",
		},
		lesson: `"refserver registrations add --kind rules" registers the address of an app for a domain: payments, shipping, location or
cart. The command shows the result of the rules. Without an ACT it lists the calls, with each answer's status and outcome.

    refserver cart add
    refserver rules may-finish
    refserver rules places
    refserver rules set --fewest-places
    refserver rules`,
	})
}

func registrationsCommand() command {
	return resourceCommand(command{
		name: "registrations", does: "lists the addresses that apps have registered, and registers one", acts: actsOf("registrations"),
		lesson: `A row has the app, the kind of the calls, their event, domain or carrier, and the URL. If your app is missing here, it has registered
nothing. add registers an address in the name of the demo app, for webhooks of an event, rules of a domain, labels of a
carrier, or discounts. It connects an address of this machine to an https origin, because the platform calls only https.

    refserver registrations add --kind webhooks --of order/paid --url http://127.0.0.1:3000/hooks
    refserver registrations add --kind rules --of cart --url http://127.0.0.1:3000/rules
    refserver registrations`,
	})
}

// columnsOf returns the columns of a list: the members of the element in its example.
func columnsOf(a act.Act) (of columns) {
	var page struct {
		Items []json.RawMessage `json:"items"`
	}
	if json.Unmarshal([]byte(a.Answer), &page) != nil || len(page.Items) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(page.Items[0]))
	_, _ = d.Token() // the brace; the example is JSON
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		_ = d.Decode(&value)
		column := fmt.Sprintf("%s %s", strings.ToUpper(fmt.Sprint(name)), name)
		if name == "ms" {
			column += "~"
		}
		of = append(of, column)
	}
	return of
}

// printAnswer prints the members of an answer that are set. If none is, it prints which lists are empty.
func printAnswer(w io.Writer, answer reply) {
	var out strings.Builder
	if printFacts(&out, "", answer); out.Len() == 0 {
		for _, name := range slices.Sorted(maps.Keys(answer.in)) {
			if answer.text(name) == "[]" {
				fmt.Fprintf(w, "%s\tnone\n", name)
			}
		}
	}
	fmt.Fprint(w, out.String())
}

// printFacts prints the members of an answer that are set, one on a line. Objects in an array are
// indented. A body stays on its line.
func printFacts(w io.Writer, indent string, answer reply) {
	for _, name := range slices.Sorted(maps.Keys(answer.in)) {
		all := answer.list(name)
		switch {
		case name == "ms":
			fmt.Fprintf(w, "%stime\t%s\n", indent, answer.cell("ms~"))
		case name == "request" || name == "answer":
			fmt.Fprintf(w, "%s%s\t%s\n", indent, name, answer.body(name))
		case len(all) > 0 && len(all[0].in) > 0:
			for i, one := range all {
				fmt.Fprintf(w, "%s%s %d\n", indent, name, i+1)
				printFacts(w, indent+"  ", one)
			}
		case len(all) > 0:
			fmt.Fprintf(w, "%s%s\t%s\n", indent, name, plain(strings.Join(answer.texts(name), ", ")))
		case answer.text(name) != "" && answer.text(name) != "[]":
			fmt.Fprintf(w, "%s%s\t%s\n", indent, name, answer.text(name))
		}
	}
}
