package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
)

const (
	ruleCart = "Cart callback payload: "
	ruleOff  = "Discount commands: "
)

// cartChecks are the checks of carts that the doctor makes from a genuine one.
func (d *discounts) cartChecks() []check {
	all := []check{
		{
			name: "empty cart", sent: "a cart without products", rule: ruleCart + "products is an array, which can be empty",
			fix: "answer 204, or 200 without commands for lines, if there are no products",
			run: d.judges(func(o object) { o["products"], o["promotions"] = []any{}, []any{} }),
		},
		{
			name: "buyers", sent: "a cart of a known buyer with an address and a card, and one of an unknown buyer, with null for all that",
			rule: ruleCart + "customer.id, shipping, payment, sold_by and the fields of kits are values or null",
			fix:  "expect both: most buyers are not known before they pay", run: d.judges(nobodys, known),
		},
		{
			name: "other currency", sent: "a cart in another currency", rule: ruleOff + "currency is that of the cart",
			fix: "copy the currency of the cart into each command",
			run: d.judges(func(o object) { o["currency"] = map[bool]string{true: "CLP", false: "PEN"}[o["currency"] != "CLP"] }),
		},
		{
			name: "other language", sent: "carts in Spanish, Portuguese, English and a language that you do not have",
			rule: ruleCart + "language is a string; amounts have a decimal point in each language",
			fix:  "fall back to a language that you have, or send no display_text, and write amounts without a locale",
			run:  d.judges(spoken("es"), spoken("pt"), spoken("en"), spoken("tlh")),
		},
		{
			name: "cents", sent: "a cart with prices such as 0.10, 33.33 and 1234567.89",
			rule: ruleOff + "amount is a string with two decimals and a point, and is at most the price of its line",
			fix:  "compute with decimals, not with floats, round to two, and limit each discount to the price of its line",
			run:  d.judges(cents),
		},
		{
			name: "coupons", sent: "a cart with coupons, sources of visits and a seller",
			rule: ruleCart + "coupons, utm and sold_by say how the cart came about",
			fix:  "read these members, or ignore them", run: d.judges(visited),
		},
		{
			name: "no pieces", sent: "a cart with a line of 0 pieces", rule: ruleCart + "quantity is a number",
			fix: "do not divide by a quantity before you know that it is above 0",
			run: d.judges(func(o object) { each(o, "products", func(l object) { l["quantity"] = 0 }) }),
		},
		{
			name: "many lines", sent: "a cart of 120 lines, again if it is late", timed: true, run: d.judges(manyLines),
			rule: ruleCart + "products has all lines; " + ruleOff + "the limit is 800 ms",
			fix:  "compute in memory what a cart has, with no call for each line",
		},
		{
			name: "promotions of others", sent: "a cart that has a promotion of another app",
			rule: ruleOff + "promotions are those of the app; those of other apps make the command invalid",
			fix:  "change only promotions whose ids you received when you created them", run: d.judges(othersToo),
		},
		{
			name: "other tier", sent: "a cart of a tier that you do not know", run: d.tier,
			rule: ruleCart + "execution_tier says which of your promotions are asked for",
			fix:  "answer 204 to a tier that you do not serve",
		},
		{
			name: "carts at once", sent: "two carts that differ, at once, ten times", run: d.mixed,
			rule:  "Discount application: each answer belongs to its cart alone",
			after: []string{"same cart twice"},
			fix:   "keep nothing of a cart in variables that calls share",
		},
	}
	for i := range all {
		all[i].after = append(all[i].after, "commands")
	}
	return all
}

// spoken sets the language of a cart.
func spoken(language string) func(o object) { return func(o object) { o["language"] = language } }

func nobodys(o object) {
	part(o, "customer")["id"] = nil
	nulls(part(o, "shipping"), "country", "city", "postalcode", "state", "province")
	nulls(part(o, "payment"), "credit_card_company", "method", "installments")
	nulls(o, "sold_by")
	each(o, "products", func(l object) {
		nulls(l, "catalog_kit_id", "order_kit_id", "kit_quantity", "quantity_per_kit")
	})
}

func known(o object) {
	part(o, "customer")["id"], o["sold_by"] = "4711", "12"
	s, p := part(o, "shipping"), part(o, "payment")
	s["country"], s["city"], s["postalcode"], s["cost"] = "AR", "Córdoba", "X5000", "10.50"
	p["credit_card_company"], p["method"], p["installments"] = "visa", "credit_card", 3
}

func cents(o object) {
	prices, i := []string{"0.10", "33.33", "1234567.89", "19.99"}, 0
	each(o, "products", func(l object) {
		l["price"] = prices[i%len(prices)]
		i++
	})
	settle(o)
}

// settle makes the totals right.
func settle(o object) {
	sum := decimal.Zero
	each(o, "products", func(l object) { sum = sum.Add(worth(l)) })
	t := part(o, "totals")
	t["subtotal"], t["total_discount"], t["total"] = sum.StringFixed(2), "0.00", sum.StringFixed(2)
}

// worth is the price of all pieces of a line.
func worth(line object) decimal.Decimal {
	price, _ := decimal.NewFromString(fmt.Sprint(line["price"])) // 0 is right for none
	pieces, _ := decimal.NewFromString(fmt.Sprint(line["quantity"]))
	return price.Mul(pieces)
}

func visited(o object) {
	o["coupons"], o["sold_by"] = []string{"SUMMER", "ÑANDÚ-10"}, "12345"
	o["utm"] = []object{{"utm_source": "mail", "utm_medium": "mail", "utm_campaign": "a", "utm_term": nil, "timestamp": 1700000000}}
}

func manyLines(o object) {
	lines, _ := o["products"].([]any)
	if len(lines) == 0 {
		return
	}
	like, _ := lines[0].(object)
	for n := range 120 {
		line := object{}
		for name, value := range like {
			line[name] = value
		}
		line["id"] = 8_000_000 + n
		lines = append(lines, line)
	}
	o["products"] = lines
	settle(o)
}

// foreign is a promotion of nobody.
const foreign = "0b8fd4c2-5f0e-4d3a-9a55-3c1d6c1f7a10"

func othersToo(o object) {
	single(o)
	var lines []string
	each(o, "products", func(l object) { lines = append(lines, fmt.Sprint(l["id"])) })
	o["promotions"] = []object{{"id": foreign, "line_items": lines}}
}

// single leaves one piece in a cart.
func single(o object) {
	lines, _ := o["products"].([]any)
	o["products"] = lines[:min(1, len(lines))]
	each(o, "products", func(l object) { l["quantity"] = 1 })
	settle(o)
}

// made sends a changed cart in each tier that the app gets.
func (d *discounts) made(ctx context.Context, e *exam, change func(o object)) []exchange {
	var out []exchange
	for _, tier := range d.tiers() {
		if body := edited(d.full, func(o object) { o["execution_tier"] = tier; change(o) }); body != nil {
			out = append(out, e.sent(ctx, body))
		}
	}
	return out
}

// tiers are those of the carts that the app got.
func (d *discounts) tiers() []string {
	var out []string
	for _, r := range d.runs {
		out = append(out, r.Tier)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// judges returns a check of the answers to changed carts.
func (d *discounts) judges(changes ...func(o object)) func(ctx context.Context, e *exam) (outcome, error) {
	return func(ctx context.Context, e *exam) (outcome, error) {
		var all []exchange
		for _, change := range changes {
			all = append(all, d.made(ctx, e, change)...)
		}
		for _, x := range all {
			if x.err != nil {
				return fail("%s", x)
			}
			if err := shop.Judge(x.body, x.status, x.answer); err != nil {
				return fail("%s: %v", x, err)
			}
			if wrong := excess(x); wrong != "" {
				return fail("%s: %s", x, wrong)
			}
		}
		return pass("%d answers that the platform can use", len(all))
	}
}

// commandsJSON are the parts of an answer that the cart limits.
type commandsJSON struct {
	Commands []struct {
		Specs struct {
			Promotion  string   `json:"promotion_id"`
			Promotions []string `json:"promotion_ids"`
			Off        offJSON  `json:"discount_specs"`
			Lines      []any    `json:"line_items"`
		} `json:"specs"`
	} `json:"commands"`
}

type offJSON struct {
	Type   string `json:"type"`
	Amount string `json:"amount"`
}

// excess is what an answer does to what is not the app's, or takes off beyond what there is; empty if nothing.
func excess(x exchange) string {
	var answer commandsJSON
	if x.status != http.StatusOK || json.Unmarshal(x.answer, &answer) != nil {
		return ""
	}
	worths, total := map[string]decimal.Decimal{}, decimal.Zero
	edited(x.body, func(o object) {
		each(o, "products", func(l object) {
			worths[fmt.Sprint(l["id"])] = worth(l)
			total = total.Add(worth(l))
		})
	})
	for _, c := range answer.Commands {
		if c.Specs.Promotion == foreign || slices.Contains(c.Specs.Promotions, foreign) {
			return "the promotion " + foreign + " does not belong to the app"
		}
		if above(c.Specs.Off, total) {
			return fmt.Sprintf("%s %s off a cart of %s", c.Specs.Off.Amount, c.Specs.Off.Type, total.StringFixed(2))
		}
		for _, element := range c.Specs.Lines {
			line, _ := element.(object)
			specs, _ := line["discount_specs"].(object)
			taken := offJSON{fmt.Sprint(specs["type"]), fmt.Sprint(specs["amount"])}
			if limit := worths[fmt.Sprint(line["line_item"])]; specs != nil && above(taken, limit) {
				return fmt.Sprintf("%s %s off a line of %s", taken.Amount, taken.Type, limit.StringFixed(2))
			}
		}
	}
	return ""
}

// above reports whether a discount takes off more than a limit.
func above(off offJSON, limit decimal.Decimal) bool {
	amount, err := decimal.NewFromString(off.Amount)
	if off.Type == "percentage" {
		limit = decimal.NewFromInt(100)
	}
	return err == nil && amount.GreaterThan(limit)
}

func (d *discounts) tier(ctx context.Context, e *exam) (outcome, error) {
	x := e.sent(ctx, edited(d.full, func(o object) { o["execution_tier"] = "shipping_line" }))
	if x.err != nil || x.status != http.StatusOK && x.status != http.StatusNoContent {
		return fail("%s; must be 204, or 200 without commands", x)
	}
	return pass("%s", x)
}

// mixed sends two carts at once, whose answers must not change because of that.
func (d *discounts) mixed(ctx context.Context, e *exam) (outcome, error) {
	smaller := func(o object) {
		single(o)
		o["promotions"] = []any{}
	}
	for _, tier := range d.tiers() {
		full := edited(d.full, func(o object) { o["execution_tier"] = tier })
		if o, err := apart(ctx, e, [2][]byte{full, edited(full, smaller)}, effect); o.state == Failed {
			return o, err
		}
	}
	return pass("the same answers as alone")
}

// apart sends two bodies at once, ten times, whose answers must not change because of that.
func apart(ctx context.Context, e *exam, bodies [2][]byte, of func(exchange) string) (outcome, error) {
	var alone [2]string
	for i, body := range bodies {
		alone[i] = of(e.sent(ctx, body))
	}
	var both sync.WaitGroup
	got := make([]exchange, 20)
	for i := range got {
		both.Go(func() { got[i] = e.sent(ctx, bodies[i%2]) })
	}
	both.Wait()
	for i, x := range got {
		if now := of(x); x.err == nil && now != alone[i%2] {
			return fail("%s alone, and %s with another at once", alone[i%2], now)
		}
	}
	return pass("the same answers as alone")
}

// effect is an answer without what a second answer may have in another way.
func effect(x exchange) string {
	if x.err != nil {
		return x.String()
	}
	return fmt.Sprintf("%d %s", x.status, strings.TrimSpace(string(x.answer)))
}
