package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

func cartCommand() command {
	return command{
		name: "cart", args: "[ACTION [ARGUMENTS]]", most: 3, does: "fills a cart as a customer does, and shows the apps' answers",
		lesson: `Each change sends the cart to the apps that have a discount callback. The command shows the request, the answer, its time
of 800 ms, the verdict on each command, and the cart after it. It also shows which parts vanished and why.

    refserver cart --to http://127.0.0.1:3000/carts add   # sends carts there, and puts the first variant into one
    refserver cart add 1000094 2                          # two pieces of a variant
    refserver cart quantity 1000145 3                     # three pieces of a line
    refserver cart remove 1000145                         # removes a line
    refserver cart coupon WELCOME10                       # applies a coupon
    refserver cart uncoupon WELCOME10                     # removes it
    refserver cart customer 0                             # logs a customer in; 0 logs out
    refserver cart destination AR --city Rosario --zip 2000 --cost 5.00
    refserver cart payment credit_card
    refserver cart replay                                 # sends the unchanged cart again, to code that was changed
    refserver cart runs                                   # lists the carts that were sent
    refserver cart                                        # shows the cart
    refserver cart new                                    # begins another cart

The cart is the newest one, or that of --cart. add begins one if there is none.

--to replaces the URL for carts of the demo app. If the app has no promotion, it also creates one for lines, so only a
plan for lines is called. An app that registers a URL and creates its promotions itself requires no --to: "refserver
serve --partner https://app.example=http://127.0.0.1:3000" connects its URL.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var in cartFlags
			f.StringVar(&in.cart, "cart", "", "`id` of the cart; the newest if empty")
			f.StringVar(&in.to, "to", "", "`URL` of an app that receives carts from now on")
			f.StringVar(&in.city, "city", "", "`city` of the destination")
			f.StringVar(&in.zip, "zip", "", "`code` of the destination")
			f.StringVar(&in.cost, "cost", "0.00", "`amount` of the shipping price")
			f.StringVar(&in.company, "company", "", "`company` of the card of a payment")
			f.IntVar(&in.installments, "installments", 0, "`number` of installments of a payment")
			return func(ctx context.Context, e *env) error { return useCart(ctx, e, in) }
		},
	}
}

// cartFlags are the flags of cart.
type cartFlags struct {
	cart, to, city, zip, cost, company string
	installments                       int
}

// cartAction is a change of a cart: its numbers of arguments, and the call.
type cartAction struct {
	least, most int
	call        func(args []string, in cartFlags) (method, path string, body map[string]any, err error)
}

// cartActions are the changes of a cart. add without an argument is completed before.
var cartActions = map[string]cartAction{
	"add": {1, 2, func(args []string, _ cartFlags) (string, string, map[string]any, error) {
		body, err := numbers(map[string]string{"variant": args[0], "quantity": cmp.Or(at(args, 1), "1")})
		return http.MethodPost, "add", body, err
	}},
	"quantity": {2, 2, func(args []string, _ cartFlags) (string, string, map[string]any, error) {
		body, err := numbers(map[string]string{"line": args[0], "quantity": args[1]})
		return http.MethodPost, "quantity", body, err
	}},
	"remove": {1, 1, func(args []string, _ cartFlags) (string, string, map[string]any, error) {
		body, err := numbers(map[string]string{"line": args[0]})
		return http.MethodPost, "remove", body, err
	}},
	"coupon": {1, 1, func(args []string, _ cartFlags) (string, string, map[string]any, error) {
		return http.MethodPost, "coupon", map[string]any{"code": args[0]}, nil
	}},
	"uncoupon": {1, 1, func(args []string, _ cartFlags) (string, string, map[string]any, error) {
		return http.MethodDelete, "coupon/" + escape(args[0]), nil, nil
	}},
	"customer": {1, 1, func(args []string, _ cartFlags) (string, string, map[string]any, error) {
		body, err := numbers(map[string]string{"customer": args[0]})
		return http.MethodPut, "customer", body, err
	}},
	"destination": {1, 1, func(args []string, in cartFlags) (string, string, map[string]any, error) {
		body := map[string]any{"country": args[0], "city": in.city, "zipcode": in.zip, "cost": in.cost}
		return http.MethodPut, "destination", body, nil
	}},
	"payment": {1, 1, func(args []string, in cartFlags) (string, string, map[string]any, error) {
		body := map[string]any{"method": args[0], "company": in.company, "installments": in.installments}
		return http.MethodPut, "payment", body, nil
	}},
	"replay": {0, 0, func([]string, cartFlags) (string, string, map[string]any, error) {
		return http.MethodPost, "replay", nil, nil
	}},
}

// at returns an argument; empty if there is none.
func at(args []string, i int) string {
	if i < len(args) {
		return args[i]
	}
	return ""
}

// numbers returns the members of a body that are whole numbers.
func numbers(of map[string]string) (map[string]any, error) {
	out := map[string]any{}
	for name, s := range of {
		n, err := number(strings.ToUpper(name), s)
		if err != nil {
			return nil, err
		}
		out[name] = n
	}
	return out, nil
}

func useCart(ctx context.Context, e *env, in cartFlags) error {
	action, args := cmp.Or(at(e.args, 0), "show"), e.args[min(1, len(e.args)):]
	if in.to != "" {
		if err := sendCartsTo(ctx, e, in.to); err != nil {
			return err
		}
	}
	switch {
	case action == "runs" && len(args) == 0:
		return listRuns(ctx, e)
	case action == "new" && len(args) == 0:
		return newCart(ctx, e)
	case action == "show" && len(args) == 0:
		cart, err := in.id(ctx, e)
		if err != nil {
			return err
		}
		return call(ctx, e, http.MethodGet, cart, nil, printCart)
	}
	change, ok := cartActions[action]
	if action == "add" && len(args) == 0 {
		variant, err := firstVariant(ctx, e)
		if err != nil {
			return err
		}
		args = []string{variant}
	}
	switch {
	case !ok:
		return misused("ACTION", action, "must be one that the help lists")
	case len(args) < change.least || len(args) > change.most:
		return misused("ACTION", action, fmt.Sprintf("must have %d to %d arguments", change.least, change.most))
	}
	method, path, body, err := change.call(args, in)
	if err != nil {
		return err
	}
	cart, err := in.id(ctx, e)
	if err != nil && action == "add" && in.cart == "" {
		cart, err = beginCart(ctx, e)
	}
	if err != nil {
		return err
	}
	var sent any
	if body != nil {
		sent = body
	}
	return call(ctx, e, method, cart+"/"+path, sent, printChange)
}

// id returns the path of the cart.
func (in cartFlags) id(ctx context.Context, e *env) (path string, err error) {
	if in.cart == "" {
		if in.cart, err = newest(ctx, e, "carts"); err != nil {
			return "", err
		}
	}
	if in.cart == "" {
		return "", fmt.Errorf("there is no cart yet: begin one with \"refserver cart add\"%w", silent{errUsage})
	}
	return e.inStore(ctx, "carts/"+escape(in.cart))
}

// beginCart makes a cart and returns its path.
func beginCart(ctx context.Context, e *env) (string, error) {
	path, err := e.inStore(ctx, "carts")
	if err != nil {
		return "", err
	}
	var made struct {
		ID json.Number `json:"id"`
	}
	if err := e.remote.Call(ctx, http.MethodPost, path, map[string]any{}, &made); err != nil {
		return "", err
	}
	return path + "/" + made.ID.String(), nil
}

func newCart(ctx context.Context, e *env) error {
	cart, err := beginCart(ctx, e)
	if err != nil {
		return err
	}
	return call(ctx, e, http.MethodGet, cart, nil, printCart)
}

// firstVariant returns the first variant of the store.
func firstVariant(ctx context.Context, e *env) (string, error) {
	path, err := e.inStore(ctx, "entities/variants?"+url.Values{"limit": {"1"}}.Encode())
	if err != nil {
		return "", err
	}
	page, err := get[struct {
		Items []struct {
			ID json.Number `json:"id"`
		} `json:"items"`
	}](ctx, e, path)
	if err != nil {
		return "", err
	}
	if len(page.Items) == 0 {
		return "", fmt.Errorf("the store has no variant yet: make one with \"refserver trigger product/created\"%w", silent{errUsage})
	}
	return page.Items[0].ID.String(), nil
}

func listRuns(ctx context.Context, e *env) error {
	path, err := e.inStore(ctx, "runs")
	if err != nil {
		return err
	}
	return list(ctx, e, path, "N APP CART TIER STATUS OUTCOME REASON TIME", func(r runJSON) []any {
		return []any{r.N, r.App, r.Cart, r.Tier, r.Status, r.Outcome, orDash(r.Reason), fmt.Sprintf("%.0f ms", r.MS)}
	})
}
