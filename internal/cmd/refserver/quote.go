package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
)

func quoteCommand() command {
	return command{
		name: "quote", does: "asks the carriers for the rates of a cart",
		lesson: `The command shows the request, the answer, its time of 5 seconds, and which rates were hidden and why. It also shows
whether the answer came from the cache, and how it counts for the carrier's circuit. The options are the customer's.

    refserver cart add
    refserver quote --to http://127.0.0.1:3000/rates/TOKEN --code standard
    refserver quote --country AR --zip 2000

--to makes a carrier with an option of that code, unless a carrier already has the address. A carrier that an app has
registered requires no --to. The status is 0 whatever the carriers answer.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var in cartFlags
			var to struct{ country, city, zip string }
			var code string
			f.StringVar(&in.cart, "cart", "", "`id` of the cart; the newest if empty")
			f.StringVar(&in.to, "to", "", "`URL` of an app that is asked for rates from now on")
			f.StringVar(&code, "code", "standard", "`code` of the option that --to makes")
			f.StringVar(&to.country, "country", "AR", "`country` that the parcel goes to")
			f.StringVar(&to.city, "city", "", "`city`")
			f.StringVar(&to.zip, "zip", "", "postal `code`")
			return func(ctx context.Context, e *env) error {
				if in.to != "" {
					if err := askForRatesAt(ctx, e, in.to, code); err != nil {
						return err
					}
				}
				path, err := in.id(ctx, e)
				if err != nil {
					return err
				}
				body := map[string]any{"to": map[string]any{"country": to.country, "city": to.city, "postal_code": to.zip}}
				return call(ctx, e, http.MethodPost, path+"/quote", body, printQuote)
			}
		},
	}
}

// quoteJSON is the customer's options, and the calls to the carriers.
type quoteJSON struct {
	Options []struct {
		Source   string `json:"source"`
		Carrier  int64  `json:"carrier"`
		Code     string `json:"code"`
		Name     string `json:"name"`
		Type     string `json:"type"`
		Price    string `json:"price"`
		Currency string `json:"currency"`
	} `json:"options"`
	Calls []struct {
		N        int             `json:"n"`
		Carrier  int64           `json:"carrier"`
		URL      string          `json:"url"`
		Source   string          `json:"source"`
		Request  json.RawMessage `json:"request"`
		Answer   json.RawMessage `json:"answer"`
		Status   int             `json:"status"`
		MS       float64         `json:"ms"`
		Counts   string          `json:"counts"`
		Fallback bool            `json:"fallback"`
		Reason   string          `json:"reason"`
		Hidden   []struct {
			Index int    `json:"index"`
			Code  string `json:"code"`
			Why   string `json:"why"`
		} `json:"hidden"`
	} `json:"calls"`
}

func printQuote(w io.Writer, q quoteJSON) {
	if len(q.Calls) == 0 {
		fmt.Fprint(w, "no carrier was asked; \"refserver quote --to URL\" asks one\n\n")
	}
	for _, c := range q.Calls {
		fmt.Fprintf(w, "carrier %d at %s\n", c.Carrier, plain(c.URL))
		fmt.Fprintf(w, "sent    %s\n", bodyLine(c.Request))
		fmt.Fprintf(w, "answer  %d from the %s after %.0f ms of 5000: %s\n", c.Status, c.Source, c.MS, bodyLine(c.Answer))
		for _, h := range c.Hidden {
			fmt.Fprintf(w, "hidden  rate %d (%s): %s\n", h.Index+1, plain(h.Code), plain(h.Why))
		}
		if c.Reason != "" {
			fmt.Fprintf(w, "reason  %s\n", plain(c.Reason))
		}
		fmt.Fprintf(w, "counts  %s\n\n", orDash(c.Counts))
	}
	for _, o := range q.Options {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s %s\t%s\n", plain(o.Code), plain(o.Name), o.Type, o.Price, plain(o.Currency), o.Source)
	}
	if len(q.Options) == 0 {
		fmt.Fprintln(w, "the customer sees no option")
	}
}
