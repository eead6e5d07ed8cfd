package main

import (
	"context"
	"flag"
	"fmt"
	"io"
)

func quoteCommand() command {
	return command{
		name: "quote", does: "asks the carriers for the rates of a cart",
		lesson: `The command shows the request, the answer and how much of the 5 seconds it took, which rates were hidden and why, and
whether the answer came from the platform's cache. "health" shows whether the call counts as a success or a failure.
After too many failures the platform does not call the carrier for a few minutes. The last list has the options that the
customer sees.

    refserver cart add
    refserver quote --to http://127.0.0.1:3000/rates/TOKEN --code standard
    refserver quote --country AR --zip 2000

--to creates a carrier at that URL with an option of the code in --code, unless a carrier already has the URL. Leave it out
if your app registers a carrier. The exit status is 0 whatever the carriers answer, and 2 if there is no carrier.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var in cartFlags
			var code string
			f.StringVar(&in.cart, "cart", "", cartUsage)
			f.StringVar(&in.to, "to", "", "`URL` of an app that is asked for rates from now on")
			f.StringVar(&code, "code", "standard", "`code` of the option that --to creates")
			to := members{
				"to.country":     f.String("country", "AR", "`country` of the destination"),
				"to.city":        f.String("city", "", "`city` of the destination"),
				"to.postal_code": f.String("zip", "", "postal `code` of the destination"),
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
				var q reply
				if err := e.do(ctx, "carts.quote", of{cart}, to, &q); err != nil {
					return err
				}
				if len(q.list("calls"))+len(q.list("options")) == 0 {
					return fmt.Errorf("the store has no carrier that can be asked: an app creates one with POST /shipping_carriers, and "+
						"\"refserver quote --to URL\" creates one for the demo app%w", silent{errUsage})
				}
				return printed(e, q.raw, printQuote)
			}
		},
	}
}

func printQuote(w io.Writer, q reply) {
	options := q.list("options")
	for _, c := range q.list("calls") {
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
		health := "does not count"
		if c.is("counts") {
			health = "counts as a " + c.text("counts")
		}
		fmt.Fprintf(w, "health  %s\n\n", health)
	}
	for _, o := range options {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s %s\t%s\n", o.text("code"), o.text("name"), o.text("type"), o.text("price"),
			o.text("currency"), o.text("source"))
	}
	if len(options) == 0 {
		fmt.Fprintln(w, "the customer sees no option")
	}
}
