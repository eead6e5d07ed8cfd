package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// printChange shows the runs of a change and their outcomes, then the cart.
func printChange(w io.Writer, c reply) {
	runs := c.list("runs")
	if len(runs) == 0 {
		fmt.Fprint(w, "no app was asked for discounts, because none has an active promotion and a URL for carts\n\n")
	}
	for _, r := range runs {
		printRun(w, r)
	}
	printCart(w, c.at("cart"))
	for _, v := range c.list("vanished") {
		what := v.text("promotion") + v.text("code")
		if v.is("line") {
			what += " of line " + v.text("line")
		}
		fmt.Fprintf(w, "vanished: %s %s: %s\n", v.text("part"), strings.TrimSpace(what), v.text("why"))
	}
}

// printRun shows a cart that was sent to an app.
func printRun(w io.Writer, r reply) {
	fmt.Fprintf(w, "%s cart %s to %s\n", r.text("tier"), r.text("cart"), r.text("url"))
	printCall(w, r, fmt.Sprintf(" of %.0f", r.number("of_ms")))
	for _, c := range r.list("commands") {
		verdict := "valid"
		if !c.is("valid") {
			verdict = "invalid: " + c.text("error")
		}
		fmt.Fprintf(w, "%-7s %s: %s\n", c.text("n"), verdict, c.text("command"))
	}
	outcome := r.text("outcome")
	if outcome == "removed" {
		outcome = "its discounts were removed"
	}
	printOutcome(w, outcome, r, "reason")
	for _, text := range r.texts("warnings") {
		fmt.Fprintf(w, "warning %s\n", plain(text))
	}
	fmt.Fprintln(w)
}

// printCall shows what was sent in a call to an app, and the answer.
func printCall(w io.Writer, c reply, most string) {
	fmt.Fprintf(w, "sent    %s\n", c.body("request"))
	if !c.is("status") {
		fmt.Fprintf(w, "answer  none after %.0f ms%s\n", c.number("ms"), most)
		return
	}
	fmt.Fprintf(w, "answer  %s after %.0f ms%s: %s\n", c.text("status"), c.number("ms"), most, c.body("answer"))
}

// printOutcome shows the verdict on an answer, with the members that say why.
func printOutcome(w io.Writer, outcome string, c reply, why ...string) {
	fmt.Fprintf(w, "result  %s", outcome)
	for _, name := range why {
		if text := c.text(name); text != "" {
			fmt.Fprintf(w, ": %s", text)
		}
	}
	fmt.Fprintln(w)
}

func printCart(w io.Writer, c reply) {
	fmt.Fprintf(w, "cart %s\n", c.text("id"))
	for _, l := range c.list("lines") {
		fmt.Fprintf(w, "  line %s\tvariant %s\t%s x %s\t%s\t%s\n", l.text("id"), l.text("variant"), l.text("quantity"),
			l.text("name"), l.text("price"), traffic.Off(l.text("discount")))
	}
	for _, d := range c.list("discounts") {
		where := "cart"
		if d.is("line") {
			where = "line " + d.text("line")
		}
		fmt.Fprintf(w, "  discount\t%s\t%s\t%s\t-%s\n", d.text("promotion"), d.text("name"), where, d.text("amount"))
		shown := d.at("text")
		for _, language := range slices.Sorted(maps.Keys(shown.in)) {
			fmt.Fprintf(w, "    shown as %q in %s\n", shown.text(language), plain(language))
		}
	}
	for _, code := range c.texts("coupons") {
		fmt.Fprintf(w, "  coupon\t%s\n", plain(code))
	}
	printTotals(w, c)
}

// printTotals shows what a cart or an order costs.
func printTotals(w io.Writer, c reply) {
	fmt.Fprintf(w, "subtotal %s, promotions %s, coupon %s, shipping %s, total %s %s\n", c.text("subtotal"),
		traffic.Off(c.text("promotions")), traffic.Off(c.text("coupon")), c.text("shipping"), c.text("total"), c.text("currency"))
}
