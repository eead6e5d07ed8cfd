package doctor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

func (d *discounts) checks() []check {
	return slices.Concat(signatureChecks(), d.ownChecks(), d.cartChecks())
}

func (d *discounts) ownChecks() []check {
	return []check{
		{
			name: "commands", sent: "carts of several products and quantities", run: d.commands,
			rule: "Discount commands and Errors: one command that is not valid removes all " +
				"discounts of the cart",
			fix: "name promotions of this store and app, lines of this cart and its currency; write amounts as " +
				"texts with two decimals",
		},
		{
			name: "same cart twice", sent: "a cart, and the same cart again", run: d.twice, after: []string{"commands"},
			rule: "Discount application: a cart is sent after each change, in no order that is promised",
			fix:  "compute what the cart should have from the cart alone, not from what was answered before",
		},
		{
			name: "removes", sent: "carts from which lines were removed, and new carts with the same lines", run: d.removes,
			rule:  "Errors: the partner must remove a discount that is no longer valid, through a command",
			after: []string{"commands", "same cart twice"},
			fix:   "send remove_discount for each discount in promotions that the cart should no longer have; 204 leaves them",
		},
		{
			name: "310", sent: "a cart of a store that does not have the app", run: d.stranger,
			rule: "Uninstall effect: carts of a store that has uninstalled the app are answered 310",
			fix:  "answer 310 without a body if the app is not installed in the store of store_id",
		},
	}
}

// broken is what the platform found wrong with an answer, empty if nothing.
func broken(runs []runJSON) string {
	for _, r := range runs {
		for i, c := range r.Commands {
			if !c.Valid {
				return fmt.Sprintf("tier %s, command %d: %s", r.Tier, i+1, c.Error)
			}
		}
		if r.Outcome == string(shop.Removed) {
			return fmt.Sprintf("tier %s: %s", r.Tier, r.Reason)
		}
	}
	return ""
}

// commands fills the cart and empties it again.
func (d *discounts) commands(ctx context.Context, e *exam) (outcome, error) {
	var made changeJSON
	var err error
	for _, v := range d.variants {
		if made, err = d.change(ctx, e, d.cart, "add", object{"variant": v, "quantity": 3}); err != nil {
			return outcome{}, err
		}
	}
	d.lines = made.Cart.Lines
	for _, l := range d.lines {
		if _, err = d.change(ctx, e, d.cart, "quantity", object{"line": l.ID, "quantity": 8}); err != nil {
			return outcome{}, err
		}
	}
	x, _ := d.sent(ctx, e, d.cart) // which was filled above
	d.full = x.body
	if wrong := broken(d.runs); wrong != "" {
		return fail("%s", wrong)
	}
	commands := 0
	for _, r := range d.runs {
		commands += len(r.Commands)
	}
	return pass("%s answered with %s, all valid", traffic.Count(len(d.runs), "cart"), traffic.Count(commands, "command"))
}

// due are the discounts of the app on a cart, with lines by their variants.
func due(e *exam, c cartJSON) string {
	variants := map[int64]int64{}
	for _, l := range c.Lines {
		variants[l.ID] = l.Variant
	}
	var out []string
	for _, d := range c.Discounts {
		if d.App == e.platform.app {
			part := "the cart"
			if d.Line != 0 {
				part = fmt.Sprintf("variant %d", variants[d.Line])
			}
			out = append(out, fmt.Sprintf("%s of %s on %s", d.Amount, d.Promotion, part))
		}
	}
	slices.Sort(out)
	return cmp.Or(strings.Join(out, ", "), "no discount")
}

func (d *discounts) twice(ctx context.Context, e *exam) (outcome, error) {
	before := ""
	for range 3 {
		made, err := d.change(ctx, e, d.cart, "replay", object{})
		if err != nil {
			return outcome{}, err
		}
		if now := due(e, made.Cart); before != "" && now != before {
			return fail("first %s, then %s", before, now)
		} else {
			before = now
		}
	}
	return pass("%s, each time", before)
}

// removes takes pieces and lines out of the cart, and compares it each time with a cart that was filled so.
func (d *discounts) removes(ctx context.Context, e *exam) (outcome, error) {
	made, err := d.change(ctx, e, d.cart, "quantity", object{"line": d.lines[0].ID, "quantity": 1})
	for last := len(d.lines) - 1; err == nil; last-- {
		var fresh changeJSON
		if fresh, err = d.filled(ctx, e, made.Cart.Lines); err != nil {
			break
		}
		if was, is := due(e, made.Cart), due(e, fresh.Cart); was != is {
			return fail("the cart that was fuller has %s, the one that was not has %s", was, is)
		}
		if last == 0 {
			return pass("both have %s", due(e, fresh.Cart))
		}
		made, err = d.change(ctx, e, d.cart, "remove", object{"line": d.lines[last].ID})
	}
	return outcome{}, err
}

// filled returns a new cart with lines like others.
func (d *discounts) filled(ctx context.Context, e *exam, like []lineJSON) (made changeJSON, err error) {
	fresh, err := e.newCart(ctx)
	for _, l := range like {
		if err == nil {
			made, err = d.change(ctx, e, fresh, "add", object{"variant": l.Variant, "quantity": l.Quantity})
		}
	}
	return made, err
}

// stranger sends a cart of a store that the app was never installed in.
func (d *discounts) stranger(ctx context.Context, e *exam) (outcome, error) {
	x, _ := e.made(edited(e.posted().body, func(o object) { o["store_id"] = strconv.Itoa(strangerStore) }))
	x = e.direct(ctx, x)
	if x.err != nil || x.status != statusUninstalled {
		return fail("%s; must be 310", x)
	}
	return pass("%s", x)
}
