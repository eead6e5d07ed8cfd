package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// cartJSON is a cart as its customer sees it.
type cartJSON struct {
	ID       int64  `json:"id"`
	Currency string `json:"currency"`
	Lines    []struct {
		ID       int64  `json:"id"`
		Variant  int64  `json:"variant"`
		Name     string `json:"name"`
		Quantity int64  `json:"quantity"`
		Price    string `json:"price"`
		Discount string `json:"discount"`
	} `json:"lines"`
	Discounts []struct {
		Promotion string `json:"promotion"`
		Name      string `json:"name"`
		Tier      string `json:"tier"`
		Line      int64  `json:"line"`
		Amount    string `json:"amount"`
	} `json:"discounts"`
	Coupons    []string `json:"coupons"`
	Subtotal   string   `json:"subtotal"`
	Promotions string   `json:"promotions"`
	Coupon     string   `json:"coupon"`
	Shipping   string   `json:"shipping"`
	Total      string   `json:"total"`
}

// runJSON is a cart that was sent to an app, and its outcome.
type runJSON struct {
	N        int             `json:"n"`
	App      int64           `json:"app"`
	Cart     int64           `json:"cart"`
	Tier     string          `json:"tier"`
	URL      string          `json:"url"`
	Request  json.RawMessage `json:"request"`
	Answer   json.RawMessage `json:"answer"`
	Status   int             `json:"status"`
	Late     bool            `json:"late"`
	MS       float64         `json:"ms"`
	OfMS     float64         `json:"of_ms"`
	Outcome  string          `json:"outcome"`
	Reason   string          `json:"reason"`
	Warnings []string        `json:"warnings"`
	Commands []struct {
		N       int             `json:"n"`
		Command json.RawMessage `json:"command"`
		Valid   bool            `json:"valid"`
		Error   string          `json:"error"`
	} `json:"commands"`
}

// changeJSON is a change of a cart.
type changeJSON struct {
	Cart     cartJSON  `json:"cart"`
	Runs     []runJSON `json:"runs"`
	Vanished []struct {
		Part      string `json:"part"`
		Line      int64  `json:"line"`
		Promotion string `json:"promotion"`
		Code      string `json:"code"`
		Why       string `json:"why"`
	} `json:"vanished"`
}

// printChange shows the runs of a change and their outcomes, then the cart.
func printChange(w io.Writer, c changeJSON) {
	if len(c.Runs) == 0 {
		fmt.Fprint(w, "no app was asked for discounts: it must have an active promotion and register a URL for carts\n\n")
	}
	for _, r := range c.Runs {
		printRun(w, r)
	}
	printCart(w, c.Cart)
	for _, v := range c.Vanished {
		what := strings.TrimSpace(v.Promotion + v.Code)
		if v.Line != 0 {
			what += fmt.Sprintf(" of line %d", v.Line)
		}
		fmt.Fprintf(w, "vanished: %s %s: %s\n", v.Part, plain(strings.TrimSpace(what)), plain(v.Why))
	}
}

// printRun shows a cart that was sent to an app.
func printRun(w io.Writer, r runJSON) {
	fmt.Fprintf(w, "%s cart %d to %s\n", r.Tier, r.Cart, plain(r.URL))
	fmt.Fprintf(w, "sent    %s\n", bodyLine(r.Request))
	switch {
	case r.Status == 0:
		fmt.Fprintf(w, "answer  none after %.0f ms of %.0f\n", r.MS, r.OfMS)
	default:
		fmt.Fprintf(w, "answer  %d after %.0f ms of %.0f: %s\n", r.Status, r.MS, r.OfMS, bodyLine(r.Answer))
	}
	for _, c := range r.Commands {
		verdict := "valid"
		if !c.Valid {
			verdict = "invalid: " + plain(c.Error)
		}
		fmt.Fprintf(w, "%d       %s: %s\n", c.N, verdict, oneLine(c.Command))
	}
	fmt.Fprintf(w, "so      %s", r.Outcome)
	if r.Reason != "" {
		fmt.Fprintf(w, ": %s", plain(r.Reason))
	}
	fmt.Fprintln(w)
	for _, text := range r.Warnings {
		fmt.Fprintf(w, "warning %s\n", plain(text))
	}
	fmt.Fprintln(w)
}

func printCart(w io.Writer, c cartJSON) {
	fmt.Fprintf(w, "cart %d\n", c.ID)
	for _, l := range c.Lines {
		fmt.Fprintf(w, "  line %d\tvariant %d\t%d x %s\t%s\t-%s\n", l.ID, l.Variant, l.Quantity, plain(l.Name), l.Price, l.Discount)
	}
	for _, d := range c.Discounts {
		where := "cart"
		if d.Line != 0 {
			where = fmt.Sprintf("line %d", d.Line)
		}
		fmt.Fprintf(w, "  discount\t%s\t%s\t%s\t-%s\n", d.Promotion, plain(d.Name), where, d.Amount)
	}
	for _, code := range c.Coupons {
		fmt.Fprintf(w, "  coupon\t%s\n", plain(code))
	}
	fmt.Fprintf(w, "subtotal %s, promotions -%s, coupon -%s, shipping %s, total %s %s\n", c.Subtotal, c.Promotions, c.Coupon,
		c.Shipping, c.Total, c.Currency)
}
