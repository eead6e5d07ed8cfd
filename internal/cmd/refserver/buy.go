package main

import (
	"context"
	"flag"
	"fmt"
	"io"
)

func buyCommand() command {
	return command{
		name: "buy", does: "completes the purchase of a cart or an abandoned checkout",
		lesson: `The platform creates an order with the discounts of apps, the coupons and, with --rate, a rate of the last quote. It
reduces the stock, sends the webhooks of the order and, with --provider, calls the payment app.

    refserver cart add
    refserver buy --email eva@mail.example
    refserver cart add
    refserver quote --to http://127.0.0.1:3000/rates
    refserver buy --rate standard

"refserver deliveries" shows the webhooks, "refserver pay" takes a payment of the order.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var in cartFlags
			f.StringVar(&in.cart, "cart", "", cartUsage)
			checkout := f.String("checkout", "", "`id` of an abandoned checkout, instead of a cart")
			body := members{
				"contact.name":  f.String("name", "", "`name` of the customer; Ana Paz if empty"),
				"contact.email": f.String("email", "", "`address` of the customer; ana.paz@mail.example if empty"),
				"note":          f.String("note", "", "`text` that the customer writes to the merchant"),
				"rate.code":     f.String("rate", "", "`code` of a rate of the last quote"),
				"provider":      f.String("provider", "", "`UUID` of the payment provider whose app is called"),
				"method_type":   f.String("method-type", "", "`type` of the payment method, such as credit_card"),
				"method_id":     f.String("method", "", "`id` of the payment method, such as visa"),
			}
			return func(ctx context.Context, e *env) error {
				body.orElse("contact.name", "Ana Paz")
				body.orElse("contact.email", "ana.paz@mail.example")
				if *checkout != "" {
					if in.cart != "" {
						return misused("--checkout", *checkout, "must not be set together with --cart")
					}
					return show(ctx, e, "checkouts.buy", of{*checkout}, body, printBought)
				}
				cart, err := in.id(ctx, e, false)
				if err != nil {
					return err
				}
				return show(ctx, e, "carts.buy", of{cart}, body, printBought)
			}
		},
	}
}

func printBought(w io.Writer, b reply) {
	fmt.Fprintf(w, "order %s, number %s\n", b.text("order"), b.text("number"))
	printTotals(w, b)
	if p := b.at("payment"); len(p.in) > 0 {
		printPayment(w, p)
	}
	if b.is("unpaid") {
		fmt.Fprintf(w, "unpaid: %s\n", b.text("unpaid"))
	}
}

func printPayment(w io.Writer, p reply) {
	fmt.Fprintf(w, "call %s, %s, to %s\n", p.text("n"), p.text("kind"), p.text("url"))
	printCall(w, p, "")
	printOutcome(w, p.text("outcome"), p, "error_code", "reason")
	if p.is("attempt") {
		fmt.Fprintf(w, "attempt %s\n", p.text("attempt"))
	}
}
