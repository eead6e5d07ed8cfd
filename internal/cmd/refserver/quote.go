package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
)

func quoteCommand() command {
	return command{
		name: "quote", does: "asks the carriers for the rates of a cart",
		lesson: `The command shows the request, the answer, the time that it took, of 5 seconds allowed, and which rates were hidden and why. It also shows
whether the answer came from the cache, and how it counts for the carrier's circuit. The last list
shows the options that the customer sees.

    refserver cart add
    refserver quote --to http://127.0.0.1:3000/rates/TOKEN --code standard
    refserver quote --country AR --zip 2000

--to makes a carrier with an option of that code, unless a carrier already has the address. A carrier that an app has
registered requires no --to. The status is 0 whatever the carriers answer.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var in cartFlags
			var code string
			f.StringVar(&in.cart, "cart", "", cartUsage)
			f.StringVar(&in.to, "to", "", "`URL` of an app that is asked for rates from now on")
			f.StringVar(&code, "code", "standard", "`code` of the option that --to makes")
			to := members{
				"to.country":     f.String("country", "AR", "`country` that the parcel goes to"),
				"to.city":        f.String("city", "", "`city`"),
				"to.postal_code": f.String("zip", "", "postal `code`"),
			}
			return func(ctx context.Context, e *env) error {
				if in.to != "" {
					if err := askForRatesAt(ctx, e, in.to, code); err != nil {
						return err
					}
				}
				cart, err := in.id(ctx, e, false)
				if err != nil {
					return err
				}
				return show(ctx, e, "carts.quote", of{cart}, to, printQuote)
			}
		},
	}
}

func printQuote(w io.Writer, q reply) {
	calls, options := q.list("calls"), q.list("options")
	if len(calls) == 0 {
		fmt.Fprint(w, "no carrier was asked; \"refserver quote --to URL\" asks one\n\n")
	}
	for _, c := range calls {
		fmt.Fprintf(w, "carrier %s at %s\n", c.text("carrier"), c.text("url"))
		fmt.Fprintf(w, "sent    %s\n", c.body("request"))
		fmt.Fprintf(w, "answer  %s from the %s after %.0f ms of 5000: %s\n", c.text("status"), c.text("source"), c.number("ms"),
			c.body("answer"))
		for _, h := range c.list("hidden") {
			fmt.Fprintf(w, "hidden  rate %.0f (%s): %s\n", h.number("index")+1, h.text("code"), h.text("why"))
		}
		if c.is("reason") {
			fmt.Fprintf(w, "reason  %s\n", c.text("reason"))
		}
		fmt.Fprintf(w, "counts  %s\n\n", cmp.Or(c.text("counts"), "-"))
	}
	for _, o := range options {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s %s\t%s\n", o.text("code"), o.text("name"), o.text("type"), o.text("price"),
			o.text("currency"), o.text("source"))
	}
	if len(options) == 0 {
		fmt.Fprintln(w, "the customer sees no option")
	}
}
