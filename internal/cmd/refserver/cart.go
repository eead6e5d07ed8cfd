package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

func cartCommand() command {
	return command{
		name: "cart", args: "[ACT [ARGUMENTS]]", most: 3, does: "fills a cart as a customer does, and shows the apps' answers",
		lesson: `Each change sends the cart to the apps that have a discount callback. The command shows the request, the answer and how
much of the 800 ms it took, and which commands of the answer are valid. Then it shows the cart, and which discounts and
coupons vanished and why.

    refserver cart --to http://127.0.0.1:3000/carts add   # sends carts there, and adds the store's first variant
    refserver cart add 1000094 2                          # two pieces of a variant
    refserver cart quantity 1000152 3                     # three pieces of a line
    refserver cart remove 1000152                         # removes a line
    refserver cart coupon WELCOME10                       # applies a coupon
    refserver cart uncoupon WELCOME10                     # removes it
    refserver cart customer 0                             # logs the customer out; an id logs one in
    refserver cart destination AR --city Rosario --zip 2000 --cost 5.00
    refserver cart payment credit_card
    refserver cart replay                                 # sends the unchanged cart again, to test changed code
    refserver cart runs                                   # lists the carts that were sent
    refserver cart                                        # shows the cart
    refserver cart new                                    # begins another cart

The command uses the cart of --cart or of the variable REFSERVER_CART, otherwise the newest that a command of this shell
has begun. If there is none, the newest of all is used if the shell that began it has ended. Otherwise add begins a
cart, and the other acts use the newest if no command began it. A script names its cart, so that it can run at the same
time as others:

    export REFSERVER_CART="$(refserver cart new --id)"

--to registers a URL for the carts of the demo app. If the app has no promotion, it also creates one in the tier line_item,
so the app receives carts of this tier only. Leave --to out if your app registers its URL and creates its promotions. Then
connect the URL to your program with "refserver serve --partner https://app.example=http://127.0.0.1:3000".`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var in cartFlags
			f.StringVar(&in.cart, "cart", "", cartUsage)
			f.BoolVar(&in.alone, "id", false, "print the id of a new cart and nothing else")
			f.StringVar(&in.to, "to", "", "`URL` of an app that receives carts from now on")
			f.StringVar(&in.city, "city", "", "`city` of the destination")
			f.StringVar(&in.zip, "zip", "", "postal `code` of the destination")
			f.StringVar(&in.cost, "cost", "0.00", "`amount` of the shipping price")
			f.StringVar(&in.company, "company", "", "`company` of the payment's card")
			f.IntVar(&in.installments, "installments", 0, "`number` of the payment's installments")
			return func(ctx context.Context, e *env) error { return useCart(ctx, e, in) }
		},
	}
}

// cartFlags are the flags of cart.
type cartFlags struct {
	cart, to, city, zip, cost, company string
	installments                       int
	alone                              bool
}

// cartAction is a change of a cart: its act, and the members that arguments and flags set.
type cartAction struct {
	act       string
	arguments []string // the member of each
	least     int      // of the arguments
	flags     func(in cartFlags) members
}

// cartActions are the changes of a cart. add without an argument is completed before.
var cartActions = map[string]cartAction{
	"add":      {act: "carts.add", arguments: []string{"variant", "quantity"}, least: 1},
	"quantity": {act: "carts.quantity", arguments: []string{"line", "quantity"}, least: 2},
	"remove":   {act: "carts.remove", arguments: []string{"line"}, least: 1},
	"coupon":   {act: "carts.coupon", arguments: []string{"code"}, least: 1},
	"uncoupon": {act: "carts.uncoupon", arguments: []string{""}, least: 1},
	"customer": {act: "carts.customer", arguments: []string{"customer"}, least: 1},
	"destination": {act: "carts.destination", arguments: []string{"country"}, least: 1, flags: func(in cartFlags) members {
		return members{"city": in.city, "zipcode": in.zip, "cost": in.cost}
	}},
	"payment": {act: "carts.payment", arguments: []string{"method"}, least: 1, flags: func(in cartFlags) members {
		return members{"company": in.company, "installments": in.installments}
	}},
	"replay": {act: "carts.replay"},
}

// cartActionNames are the acts of the command.
func cartActionNames() []string {
	return append(slices.Sorted(maps.Keys(cartActions)), "new", "runs", "show")
}

// body returns the members that arguments and flags set.
func (c cartAction) body(args []string, in cartFlags) (members, error) {
	body := members{}
	if c.flags != nil {
		body = c.flags(in)
	}
	declared, _ := act.Find(acts(), c.act)
	for i, name := range c.arguments[:min(len(args), len(c.arguments))] {
		m, ok := declared.Member(name)
		if !ok { // of the path
			continue
		}
		if body[name] = args[i]; m.Kind == act.Number {
			n, err := number(strings.ToUpper(name), args[i])
			if err != nil {
				return nil, err
			}
			body[name] = n
		}
	}
	return body, nil
}

// usage is the rule for the number of arguments.
func (c cartAction) usage() string {
	words := strings.ToUpper(strings.Join(c.arguments, " "))
	switch {
	case words == "":
		return "must have no arguments"
	case c.least < len(c.arguments):
		return "must have at most the arguments " + words
	}
	return "must have the arguments " + words
}

// at returns an argument; empty if there is none.
func at(args []string, i int) string {
	if i < len(args) {
		return args[i]
	}
	return ""
}

func useCart(ctx context.Context, e *env, in cartFlags) error {
	action, args := cmp.Or(at(e.args, 0), "show"), e.args[min(1, len(e.args)):]
	if in.to != "" {
		if err := sendCartsTo(ctx, e, in.to); err != nil {
			return err
		}
	}
	switch {
	case in.alone && action != "new":
		return misused("ACT", action, "must be new with --id")
	case action == "runs" && len(args) == 0:
		return listRuns(ctx, e)
	case action == "new" && len(args) == 0:
		return newCart(ctx, e, in.alone)
	case action == "show" && len(args) == 0:
		cart, err := in.id(ctx, e, false)
		if err != nil {
			return err
		}
		return show(ctx, e, "carts.show", of{cart}, nil, printCart)
	}
	change, ok := cartActions[action]
	if action == "add" && len(args) == 0 {
		variant, err := firstVariant(ctx, e)
		if err != nil {
			return err
		}
		args = []string{variant}
	}
	if action == "add" && len(args) == 1 {
		args = append(args, "1")
	}
	switch {
	case ok && (len(args) < change.least || len(args) > len(change.arguments)):
		return misused("ACT", action, change.usage())
	case !ok && slices.Contains(cartActionNames(), action):
		return misused("ACT", action, change.usage())
	case !ok:
		return misused("ACT", action, "must be one of "+strings.Join(cartActionNames(), ", "))
	}
	body, err := change.body(args, in)
	if err != nil {
		return err
	}
	cart, err := in.id(ctx, e, action == "add")
	begun := errors.Is(err, errNoCart) && action == "add"
	if begun {
		cart, err = beginCart(ctx, e)
	}
	if err != nil {
		return err
	}
	path := of{cart}
	if action == "uncoupon" {
		path = append(path, args[0])
	}
	err = show(ctx, e, change.act, path, body, printChange)
	if _, refused := errors.AsType[*control.Refusal](err); refused && begun {
		err = errors.Join(err, e.do(ctx, "carts.drop", of{cart}, nil, nil))
	}
	return err
}

// cartVariable is the environment variable that names a cart, as --cart does, for scripts that run at the same time.
const cartVariable = "REFSERVER_CART"

// cartUsage is the usage of --cart.
const cartUsage = "`id` of the cart; if empty, that of the variable " + cartVariable + ", otherwise the newest of this shell"

// id returns the id of the cart; with begun, of one that a command has begun.
func (in cartFlags) id(ctx context.Context, e *env, begun bool) (id string, err error) {
	if id = cmp.Or(in.cart, os.Getenv(cartVariable)); id == "" {
		id, err = ownCart(ctx, e, begun)
	}
	if err == nil && id == "" {
		err = fmt.Errorf("%w: begin one with \"refserver cart add\"%w", errNoCart, silent{errUsage})
	}
	return id, err
}

// ownCart returns the newest cart that a command of this shell has begun. Without one, it returns the newest of all,
// unless a running shell has begun it; empty if there is none. With begun, a cart that no command has begun is none.
func ownCart(ctx context.Context, e *env, begun bool) (id string, err error) {
	var mine, last, by string
	err = e.elements(ctx, "carts", nil, nil, func(one reply) error {
		if last, by = one.text("id"), one.text("shell"); by == e.remote.Shell {
			mine = last
		}
		return nil
	})
	switch {
	case err != nil || mine != "":
		return mine, err
	case by != "" && runs(by):
		return "", fmt.Errorf("%w in this shell: cart %s is that of another; name it by --cart, or begin one with \"refserver cart new\"%w",
			errNoCart, last, silent{errUsage})
	case by == "" && begun:
		return "", nil
	}
	return last, nil
}

// errNoCart is the error of a store without a cart.
var errNoCart = errors.New("there is no cart yet")

// beginCart makes a cart and returns its id.
func beginCart(ctx context.Context, e *env) (string, error) {
	var made reply
	err := e.do(ctx, "carts.new", nil, nil, &made)
	return made.text("id"), err
}

func newCart(ctx context.Context, e *env, alone bool) error {
	cart, err := beginCart(ctx, e)
	if err != nil {
		return err
	}
	if alone {
		_, err := fmt.Fprintln(e.stdout, cart)
		return err
	}
	return show(ctx, e, "carts.show", of{cart}, nil, printCart)
}

// errEnough ends a list that is read no further.
var errEnough = errors.New("enough")

// firstVariant returns the first variant of the store.
func firstVariant(ctx context.Context, e *env) (id string, err error) {
	err = e.elements(ctx, "entities", of{"variants"}, nil, func(v reply) error {
		id = v.text("id")
		return errEnough
	})
	switch {
	case err != nil && !errors.Is(err, errEnough):
		return "", err
	case id == "":
		return "", fmt.Errorf("the store has no variant yet: make one with \"refserver trigger product/created\"%w", silent{errUsage})
	}
	return id, nil
}

func listRuns(ctx context.Context, e *env) error {
	return list(ctx, e, "runs", nil, columns{"N n", "APP app", "CART cart", "TIER tier", "STATUS status", "OUTCOME outcome",
		"REASON reason", "TIME ms~"})
}
