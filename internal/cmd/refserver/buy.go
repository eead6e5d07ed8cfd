package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
)

func buyCommand() command {
	return command{
		name: "buy", does: "makes a cart or an abandoned checkout an order",
		lesson: `The order has the discounts of apps, the coupons and a rate of the last quote, and takes its pieces from the stock. The
webhooks of the order are sent. The payment app is called if --provider names one.

    refserver cart add
    refserver buy --email eva@mail.example
    refserver cart add
    refserver quote --to http://127.0.0.1:3000/rates
    refserver buy --rate standard

"refserver deliveries" shows the webhooks, "refserver pay" takes a payment of the order.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var in cartFlags
			var checkout, name, email, note, rate, provider, methodType, method string
			for _, one := range []struct {
				to          *string
				name, usage string
			}{
				{&in.cart, "cart", "`id` of the cart; the newest if empty"},
				{&checkout, "checkout", "`id` of an abandoned checkout, instead of a cart"},
				{&name, "name", "`name` of the customer; Ana Paz if empty"},
				{&email, "email", "`address` of the customer; ana.paz@mail.example if empty"},
				{&note, "note", "`text` of the customer"},
				{&rate, "rate", "`code` of a rate of the last quote"},
				{&provider, "provider", "`UUID` of the payment provider whose app is called"},
				{&methodType, "method-type", "`type` of the payment method, such as credit_card"},
				{&method, "method", "`id` of the payment method, such as visa"},
			} {
				f.StringVar(one.to, one.name, "", one.usage)
			}
			return func(ctx context.Context, e *env) error {
				path, err := in.purchase(ctx, e, checkout)
				if err != nil {
					return err
				}
				body := map[string]any{
					"contact": map[string]any{"name": cmp.Or(name, "Ana Paz"), "email": cmp.Or(email, "ana.paz@mail.example")}, "note": note, "provider": provider,
					"method_type": methodType, "method_id": method, "rate": map[string]any{"code": rate},
				}
				return call(ctx, e, http.MethodPost, path, body, printBought)
			}
		},
	}
}

// purchase returns the path of the cart or checkout to buy.
func (in cartFlags) purchase(ctx context.Context, e *env, checkout string) (string, error) {
	if checkout == "" {
		path, err := in.id(ctx, e)
		return path + "/buy", err
	}
	if in.cart != "" {
		return "", misused("--checkout", checkout, "must not be set together with --cart")
	}
	return e.inStore(ctx, "checkouts/"+escape(checkout)+"/buy")
}

// boughtJSON is the order that a cart became.
type boughtJSON struct {
	Order      int64        `json:"order"`
	Number     int64        `json:"number"`
	Currency   string       `json:"currency"`
	Subtotal   string       `json:"subtotal"`
	Promotions string       `json:"promotions"`
	Coupon     string       `json:"coupon"`
	Shipping   string       `json:"shipping"`
	Total      string       `json:"total"`
	Unpaid     string       `json:"unpaid"`
	Payment    *paymentJSON `json:"payment"`
}

func printBought(w io.Writer, b boughtJSON) {
	fmt.Fprintf(w, "order %d, number %d\n", b.Order, b.Number)
	fmt.Fprintf(w, "subtotal %s, promotions -%s, coupon -%s, shipping %s, total %s %s\n", b.Subtotal, b.Promotions, b.Coupon,
		b.Shipping, b.Total, b.Currency)
	if b.Payment != nil {
		printPayment(w, *b.Payment)
	}
	if b.Unpaid != "" {
		fmt.Fprintf(w, "unpaid: %s\n", plain(b.Unpaid))
	}
}

// paymentJSON is a call to a payment app.
type paymentJSON struct {
	N         int             `json:"n"`
	Kind      string          `json:"kind"`
	Provider  string          `json:"provider"`
	Attempt   string          `json:"attempt"`
	URL       string          `json:"url"`
	Request   json.RawMessage `json:"request"`
	Answer    json.RawMessage `json:"answer"`
	Status    int             `json:"status"`
	MS        float64         `json:"ms"`
	Outcome   string          `json:"outcome"`
	ErrorCode string          `json:"error_code"`
	Reason    string          `json:"reason"`
}

func printPayment(w io.Writer, p paymentJSON) {
	fmt.Fprintf(w, "call %d, %s, to %s\n", p.N, p.Kind, plain(p.URL))
	fmt.Fprintf(w, "sent    %s\n", bodyLine(p.Request))
	if p.Status == 0 {
		fmt.Fprintf(w, "answer  none after %.0f ms\n", p.MS)
	} else {
		fmt.Fprintf(w, "answer  %d after %.0f ms: %s\n", p.Status, p.MS, bodyLine(p.Answer))
	}
	fmt.Fprintf(w, "so      %s", p.Outcome)
	for _, text := range []string{p.ErrorCode, p.Reason} {
		if text != "" {
			fmt.Fprintf(w, ": %s", plain(text))
		}
	}
	fmt.Fprintln(w)
	if p.Attempt != "" {
		fmt.Fprintf(w, "attempt %s\n", plain(p.Attempt))
	}
}
