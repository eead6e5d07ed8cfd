package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/rules"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

const ruleRules = "Business rules: "

func (r *businessRules) checks() []check {
	all := append(r.checkoutChecks(), r.bodyChecks()...)
	for i := range all {
		if all[i].section == "" {
			all[i].section = "answers"
		}
		if all[i].name != "rules" {
			all[i].after = append(all[i].after, "rules")
		}
	}
	return all
}

// checkoutChecks are those of genuine calls.
func (r *businessRules) checkoutChecks() []check {
	return []check{
		{
			name: "rules", sent: "a purchase, in each domain that is registered", run: r.judged,
			rule: ruleRules + "an answer with one mistake is ignored entirely; ids are texts, and priorities are numbers",
			fix:  "answer with the command of details.domain and its detail, or 204",
		},
		{
			name: "offered options", sent: "a purchase, in each domain that is registered", run: r.matched, section: "traps",
			rule: ruleRules + "an option is named by the ids that the checkout has; others are ignored",
			fix:  "read the ids of options from the API, and copy id, option_id and code letter by letter",
		},
		{
			name: "a way is left", sent: "a purchase, in each domain that is registered", run: r.possible, section: "traps",
			rule: ruleRules + "a purchase without a way to pay, a way of delivery and a location cannot be completed",
			fix:  "leave at least one, or answer 204; to prevent the purchase, answer block_checkout",
		},
		{
			name: "same purchase twice", sent: "a purchase, six times", run: r.twice,
			rule: ruleRules + "a purchase is asked about at each step, as often as the buyer goes there",
			fix:  "compute the answer from the request, however many calls came before it",
		},
		{
			name: "purchases at once", sent: "two purchases that differ, at once, ten times", run: r.mixed,
			after: []string{"same purchase twice"}, rule: ruleRules + "an answer belongs to its purchase alone",
			fix: "keep nothing of a purchase in variables that calls share",
		},
		{
			name: "other domain", sent: "a purchase of a domain that you do not know", run: r.domain,
			rule: ruleRules + "details.domain says which command is asked for", fix: "answer 204 to a domain that you do not know",
		},
		{
			name: "another store", sent: "a purchase in a store that does not have the app", run: r.stranger,
			rule: "an answer below 500", fix: "answer 204 or 4xx if the app is not installed in the store of store_id",
		},
	}
}

// bodyChecks are those of purchases that the doctor makes from genuine ones.
func (r *businessRules) bodyChecks() []check {
	const request = ruleRules + "the request: "
	return []check{
		{
			name: "buyers", sent: "purchases of a known and of an unknown buyer", run: r.judges(nobody, member),
			rule: request + "customer.id is a number, or null; the other members are there if they are known",
			fix:  "expect both: most buyers are not known before they pay",
		},
		{
			name: "no address", sent: "purchases without country, city, postal code and weight", run: r.judges(nowhere),
			rule: request + "the parts of shipping are null until the buyer has entered them", fix: "answer 204 if a part that you require is null",
		},
		{
			name: "stock", sent: "products with no stock, unlimited stock, and some", run: r.judges(stock(nil), stock(0), stock(5)),
			rule: request + "stock is a number, or null for unlimited goods", fix: "expect null",
		},
		{
			name: "categories", sent: "products with categories that have a parent, or none", run: r.judges(categories),
			rule: request + "parent is null for a category at the top", fix: "expect null, and a product without categories",
		},
		{
			name: "amounts", sent: "totals such as 0.10, 33.33 and 123456789.89", run: r.judges(totals("0.10"), totals("33.33"), totals("123456789.89")),
			rule: request + "amounts are texts with two decimals", fix: "compute with decimals",
		},
		{
			name: "other currency", sent: "a purchase in another currency", run: r.judges(func(o object) { o["currency"] = "CLP" }),
			rule: request + "currency is that of the purchase", fix: "answer 204 to a currency that you have no rule for",
		},
		{
			name: "letters", sent: "a city and names with letters beyond ASCII", run: r.judges(abroad),
			rule: request + "buyers write the texts, in UTF-8", fix: "read the body as UTF-8",
		},
		{
			name: "no products", sent: "a purchase without products", run: r.judges(func(o object) { o["products"] = []any{} }),
			rule: request + "products is a list, which can be empty", fix: "answer 204 if there is none",
		},
		{
			name: "many products", sent: "a purchase of 120 lines, again if it is late", timed: true, run: r.judges(manyProducts),
			rule: request + "products has all lines; the limit is 800 ms", fix: "compute in memory, with no call for each line",
		},
		{
			name: "places", sent: "purchases with one location, with others, with a hundred, and with none", run: r.places,
			rule:    request + "locations are those of the store now; an answer with another location is ignored entirely",
			section: "traps", fix: "order the locations of the request, each once, and answer 204 if there is none",
		},
	}
}

func contains(body []byte, text string) bool { return bytes.Contains(body, []byte(text)) }

// judged asks about each domain.
func (r *businessRules) judged(ctx context.Context, e *exam) (outcome, error) {
	for _, d := range r.domains {
		if d == world.ShippingRules && r.nowhere() {
			continue // without a location there is no quote
		}
		before := len(r.runs)
		if _, err := e.twice(ctx, func() (verdict, error) {
			r.runs = r.runs[:before]
			return r.ask(ctx, e, d)
		}); err != nil {
			return outcome{}, fmt.Errorf("%s: %w", d, err)
		}
	}
	applied := 0
	for _, run := range r.runs {
		if run.Reason != "" {
			return fail("%s: status %d: %s", run.Domain, run.Status, run.Reason)
		}
		if run.Outcome == string(rules.Applied) {
			applied++
		}
	}
	return pass("%d answers, of which %d are rules", len(r.runs), applied)
}

// nowhere reports whether rules leave no location to ship from.
func (r *businessRules) nowhere() bool {
	return slices.ContainsFunc(r.runs, func(run ruleRunJSON) bool {
		return run.Domain == world.LocationRules && run.Outcome == string(rules.Applied) && r.left[run.Domain] == 0
	})
}

func (r *businessRules) matched(context.Context, *exam) (outcome, error) {
	for _, run := range r.runs {
		if len(run.Unmatched) > 0 {
			return note("%s: the checkout does not have %s", run.Domain, strings.Join(run.Unmatched, ", "))
		}
	}
	return pass("each is one of the checkout")
}

func (r *businessRules) possible(context.Context, *exam) (outcome, error) {
	for _, run := range r.runs {
		if run.Domain != world.CartRules && run.Outcome == string(rules.Applied) && r.left[run.Domain] == 0 {
			return note("%s: no option is left for a purchase of one piece", run.Domain)
		}
	}
	return pass("the purchase can be completed")
}

// made sends each genuine body with a change.
func (r *businessRules) made(ctx context.Context, e *exam, change change) []exchange {
	var out []exchange
	for _, d := range slices.Sorted(maps.Keys(r.asked)) {
		out = append(out, e.sent(ctx, edited(r.asked[d], change)))
	}
	return out
}

// judges returns a check of the answers to changed purchases.
func (r *businessRules) judges(changes ...change) func(ctx context.Context, e *exam) (outcome, error) {
	return func(ctx context.Context, e *exam) (outcome, error) {
		all := 0
		for _, change := range changes {
			for _, x := range r.made(ctx, e, change) {
				if x.err != nil {
					return fail("%s", x)
				}
				if err := rules.Judge(x.body, x.status, x.answer); err != nil {
					return fail("%s: %v", x, err)
				}
				all++
			}
		}
		return pass("%d answers that the platform can use", all)
	}
}

func (r *businessRules) twice(ctx context.Context, e *exam) (outcome, error) {
	same := func(object) {}
	first := effects(r.made(ctx, e, same))
	for range 5 {
		if now := effects(r.made(ctx, e, same)); now != first {
			return fail("first %s, then %s", first, now)
		}
	}
	return pass("the same answers")
}

// effects are answers as a text.
func effects(all []exchange) string {
	var out []string
	for _, x := range all {
		out = append(out, effect(x))
	}
	return strings.Join(out, ", ")
}

func (r *businessRules) mixed(ctx context.Context, e *exam) (outcome, error) {
	for _, d := range slices.Sorted(maps.Keys(r.asked)) {
		small, large := edited(r.asked[d], totals("1.00")), edited(r.asked[d], totals("987654.00"))
		if o, err := apart(ctx, e, [2][]byte{small, large}, effect); o.state == Failed || err != nil {
			return o, err
		}
	}
	return pass("the same answers as alone")
}

func (r *businessRules) domain(ctx context.Context, e *exam) (outcome, error) {
	for _, x := range r.made(ctx, e, func(o object) {
		part(o, "details")["domain"], part(o, "details")["event"] = "gifts", "gifts/before-filter"
	}) {
		if o, err := unharmed(x); o.state == Failed || err != nil {
			return o, err
		}
		if e.means(x) {
			return fail("%s, which is not a command of the domain", x)
		}
	}
	return pass("no rule")
}

// stranger sends purchases of a store that the app was never installed in. The platform makes no such call, so a rule
// that knows no stores is right.
func (r *businessRules) stranger(ctx context.Context, e *exam) (outcome, error) {
	for _, x := range r.made(ctx, e, func(o object) { o["store_id"] = strconv.Itoa(strangerStore) }) {
		if o, err := unharmed(x); o.state == Failed || err != nil {
			return o, err
		}
	}
	return pass("an answer below 500")
}

func nobody(o object) { o["customer"] = object{"id": nil} }

func member(o object) {
	o["customer"] = object{
		"id": 4711, "name": "Ana", "email": "ana@mail.example", "phone": "+5491100000000", "document": "1", "zipcode": "2000",
	}
}

func nowhere(o object) {
	if s, ok := o["shipping"].(object); ok {
		s["country"], s["city"], s["postalcode"], s["cost"] = nil, nil, nil, "0.0"
		nulls(s, "province")
		o["package"] = object{"weight": "0.000"}
	}
}

// stock returns what sets the stock of each product.
func stock(n any) change {
	return func(o object) { each(o, "products", func(p object) { p["stock"] = n }) }
}

func categories(o object) {
	each(o, "products", func(p object) {
		p["categories"] = []object{
			{"id": 12, "parent": nil, "subcategories": []int{31}}, {"id": 31, "parent": 12, "subcategories": []int{}},
		}
	})
}

// totals returns what sets the price of a purchase of one piece.
func totals(price string) change {
	return func(o object) {
		each(o, "products", func(p object) { p["price"], p["quantity"] = price, 1 })
		o["totals"] = object{"subtotal": price, "total_discount": "0.00", "total": price}
	}
}

func abroad(o object) {
	if s, ok := o["shipping"].(object); ok {
		s["city"] = `São "Ñandú" 東京 😀`
	}
	if c := part(o, "customer"); c["name"] != nil {
		c["name"] = "Zoë O'Higgins"
	}
}

func manyProducts(o object) {
	list, _ := o["products"].([]any)
	for len(list) > 0 && len(list) < 120 {
		list = append(list, list[0])
	}
	o["products"] = list
}

// places changes the locations of the request, of which an answer must be an order.
func (r *businessRules) places(ctx context.Context, e *exam) (outcome, error) {
	if !slices.Contains(r.domains, world.LocationRules) {
		return skip("the app is not asked about locations")
	}
	genuine := r.asked[world.LocationRules]
	for _, n := range []int{1, 2, 100, 0} {
		x := e.sent(ctx, edited(genuine, func(o object) { o["locations"] = others(o, n) }))
		if x.err != nil {
			return fail("%d locations: %s", n, x)
		}
		if err := rules.Judge(x.body, x.status, x.answer); err != nil {
			return fail("%d locations: %s: %v", n, x, err)
		}
	}
	return pass("the locations of the request in an order")
}

// others are n locations like those of a purchase, with other ids and gaps in their addresses.
func others(o object, n int) (out []json.RawMessage) {
	list, _ := json.Marshal(o["locations"]) // of what was decoded
	i := 0
	changed := editedList(list, n, func(l object) {
		l["id"], l["priority"] = fmt.Sprintf("01GQ2ZHK064BQRHGDB7CC%05d", i), n-i
		nulls(part(l, "address"), "region", "province", "floor", "locality", "reference", "between_streets")
		i++
	})
	_ = json.Unmarshal(changed, &out) // none of none
	return out
}
