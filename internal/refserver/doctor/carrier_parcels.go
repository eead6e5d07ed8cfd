package doctor

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	rating "github.com/commerceplatform/commerce-go/internal/refserver/carrier"
)

const (
	ruleParcel = "Shipping carrier, request: "
	ruleRate   = "Rate: "
)

// parcelChecks are the checks of parcels that the doctor makes from a genuine request.
func (c *carrier) parcelChecks() []check {
	all := []check{
		{
			name: "pieces", sent: "parcels of 2 kg, of 6 kg, of three pieces of 2 kg, and of 2 kg and 4 kg", run: c.pieces,
			rule: ruleParcel + "grams are those of one piece, and items have a quantity",
			fix:  "add grams times quantity of all items",
		},
		{
			name: "nulls", sent: "a request with null for cart_id, sku, cost, name, floor, locality and phone",
			rule: ruleParcel + "cart_id, sku and the parts of an address may be null",
			fix:  "expect null in what you do not need for a price", run: c.sameAs(nullParcel),
		},
		{
			name: "no size", sent: "a request whose dimensions are null, 0 or left out", run: c.judges(sizes),
			rule: ruleParcel + "dimensions are what the merchant has entered, if anything",
			fix:  "use a default box for what has no size, or answer 422",
		},
		{
			name: "letters", sent: "names and streets with letters beyond ASCII, quotes and emoji",
			rule: ruleParcel + "buyers write the texts, in UTF-8", run: c.sameAs(letters),
			fix: "read the body as UTF-8, and escape its texts where you insert them, such as in SQL or HTML",
		},
		{
			name: "any weight", sent: "parcels of 0 g, 1 g, 30 kg and 900 kg", run: c.judges(weights),
			rule: ruleParcel + "grams is a number, 0 for what has no weight",
			fix:  "give a rate, or answer 422 for what you do not carry",
		},
		{
			name: "postal codes", sent: "postal codes of other forms, and none", run: c.judges(postalCodes),
			rule: ruleParcel + "postal_code is what the buyer has written",
			fix:  "clean the text before you read it as a number, and answer 422 if you cannot",
		},
		{
			name: "options", sent: "a request without options, without origin's province, and with another origin", run: c.judges(origins),
			rule: ruleParcel + "options are the active ones, and a store has several origins",
			fix:  "answer for any origin, and no rates if no option is active",
		},
		{
			name: "many items", sent: "a request with 100 items, again if it is late", timed: true, run: c.judges(manyItems),
			rule: ruleParcel + "items has all items; the limit is 5 s", fix: "make one call for a parcel, not one for each item",
		},
		{
			name: "merchant settings", sent: "the same request with additional cost and days in its options", run: c.settings,
			rule: "Shipping carrier: the platform applies additional_cost and additional_days",
			fix:  "leave additional_cost and additional_days out of what you compute: they would be added twice",
		},
		{
			name: "dates to come", sent: "a request for rates", rule: ruleRate + "the dates are those of a future delivery", run: c.future,
			fix: "compute the dates from today",
		},
		{
			name: "requests at once", sent: "two requests that differ, at once, ten times", run: c.mixed,
			rule: "Caching: an answer belongs to its request alone",
			fix:  "keep nothing of a request in variables that calls share",
		},
	}
	for i := range all {
		all[i].after = append(all[i].after, "rates", "codes", "same request twice")
	}
	return all
}

// change is a way to change a request.
type change = func(o object)

func item(change func(i object)) change { return func(o object) { each(o, "items", change) } }

// parcel sends a request with one item of a weight, or with one for each weight.
func (e *exam) parcel(ctx context.Context, pieces int, grams ...int) string {
	x := e.sent(ctx, edited(e.posted().body, func(o object) {
		var items []object
		each(o, "items", func(i object) {
			for n, g := range grams {
				one := object{}
				for name, value := range i {
					one[name] = value
				}
				one["id"], one["grams"], one["quantity"] = n+1, g, pieces
				items = append(items, one)
			}
		})
		o["items"] = items
	}))
	return prices(x.answer)
}

// pieces compares parcels of the same weight, if the weight matters.
func (c *carrier) pieces(ctx context.Context, e *exam) (outcome, error) {
	light, heavy := e.parcel(ctx, 1, 2000), e.parcel(ctx, 1, 6000)
	if light == heavy || light == "" || heavy == "" {
		return pass("the weight makes no difference: %s", heavy)
	}
	if three := e.parcel(ctx, 3, 2000); three == light {
		return fail("three pieces of 2 kg: %s, as for one; 6 kg: %s", three, heavy)
	}
	if two := e.parcel(ctx, 1, 2000, 4000); two == light {
		return fail("2 kg and 4 kg: %s, as for the first alone; 6 kg: %s", two, heavy)
	}
	if two := e.parcel(ctx, 1, 4000, 2000); two == light {
		return fail("4 kg and 2 kg: %s, as for the last alone; 6 kg: %s", two, heavy)
	}
	return pass("2 kg: %s; 6 kg: %s", light, heavy)
}

// sameAs returns a check that a change of a request makes no difference.
func (c *carrier) sameAs(f change) func(ctx context.Context, e *exam) (outcome, error) {
	return func(ctx context.Context, e *exam) (outcome, error) {
		before, x := e.direct(ctx, e.posted()), e.sent(ctx, edited(e.posted().body, f))
		if x.err != nil || x.status != before.status {
			return fail("%s; the request without the change got status %d", x, before.status)
		}
		if was, is := prices(before.answer), prices(x.answer); was != is {
			return fail("%s became %s", was, is)
		}
		return pass("%s", x)
	}
}

// judges returns a check of the answers to changed requests: rates that are shown, or a refusal.
func (c *carrier) judges(all map[string]change) func(ctx context.Context, e *exam) (outcome, error) {
	return func(ctx context.Context, e *exam) (outcome, error) {
		for _, how := range slices.Sorted(maps.Keys(all)) {
			x := e.sent(ctx, edited(e.posted().body, all[how]))
			if x.err != nil {
				return fail("%s: %s", how, x)
			}
			if err := rating.Judge(x.body, x.status, x.answer); err != nil {
				return fail("%s: %s: %v", how, x, err)
			}
		}
		return pass("%d answers that the platform can use", len(all))
	}
}

func nullParcel(o object) {
	nulls(o, "cart_id")
	for _, end := range []string{"origin", "destination"} {
		nulls(part(o, end), "name", "floor", "locality", "phone")
	}
	item(func(i object) { nulls(i, "sku", "cost") })(o)
}

func letters(o object) {
	to := part(o, "destination")
	to["name"], to["address"], to["floor"] = `Ñandú "São" O'Higgins`, "東京 \\ 1-2-3 😀", "3º"
	item(func(i object) { i["name"] = "Té «ñ» %s <b>&amp; 😀" })(o)
}

var sizes = map[string]change{
	"dimensions null": item(func(i object) { i["dimensions"] = nil }),
	"dimensions left out": item(func(i object) {
		delete(i, "dimensions")
	}),
	"each dimension null": item(func(i object) { nulls(part(i, "dimensions"), "width", "height", "depth") }),
	"each dimension 0": item(func(i object) {
		i["dimensions"] = object{"width": 0, "height": 0, "depth": 0}
	}),
}

func heavy(grams int) change { return item(func(i object) { i["grams"] = grams }) }

var weights = map[string]change{"0 g": heavy(0), "1 g": heavy(1), "30 kg": heavy(30_000), "900 kg": heavy(900_000)}

func postal(code any) change {
	return func(o object) { part(o, "destination")["postal_code"] = code }
}

var postalCodes = map[string]change{
	"null": postal(nil), "empty": postal(""), "with letters": postal("C1425ABC"), "with a dash": postal("01310-100"),
	"with spaces": postal(" 2000 "), "long": postal("123456789012"),
}

var origins = map[string]change{
	"no options":           func(o object) { part(o, "carrier")["options"] = []any{} },
	"no province":          func(o object) { part(o, "origin")["province"], part(o, "destination")["province"] = nil, nil },
	"another origin":       func(o object) { part(o, "origin")["city"], part(o, "origin")["postal_code"] = "Ushuaia", "9410" },
	"an origin without id": func(o object) { nulls(part(o, "origin"), "location_id", "name") },
	"decimals":             func(o object) { o["total_price"] = json.Number("1234.5") },
}

var manyItems = map[string]change{"100 items": func(o object) {
	list, _ := o["items"].([]any)
	for len(list) > 0 && len(list) < 100 {
		list = append(list, list[0])
	}
	o["items"] = list
}}

// ratesJSON are the parts of an answer that are judged here.
type ratesJSON struct {
	Rates []struct {
		Code string `json:"code"`
		From string `json:"min_delivery_date"`
		To   string `json:"max_delivery_date"`
	} `json:"rates"`
}

func read(answer []byte) (r ratesJSON) {
	_ = json.Unmarshal(answer, &r) // what has no rates is judged elsewhere
	return r
}

// settings compares the rates with and without what the merchant adds.
func (c *carrier) settings(ctx context.Context, e *exam) (outcome, error) {
	with := func(cost, days int) exchange {
		return e.sent(ctx, edited(e.posted().body, func(o object) {
			each(part(o, "carrier"), "options", func(option object) {
				part(option, "additional_cost")["amount"], option["additional_days"] = cost, days
			})
		}))
	}
	without, added := with(0, 0), with(900, 9)
	if was, is := prices(without.answer), prices(added.answer); was != is {
		return fail("%s became %s", was, is)
	}
	first, then := read(without.answer).Rates, read(added.answer).Rates
	for i := range min(len(first), len(then)) {
		was, err := moment(first[i].To)
		is, wrong := moment(then[i].To)
		if err == nil && wrong == nil && is.Sub(was) > 3*24*time.Hour {
			return fail("code %q: until %s became until %s", then[i].Code, first[i].To, then[i].To)
		}
	}
	return pass("%s, with and without", prices(added.answer))
}

// moment reads a date in either form of the contract.
func moment(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Parse("2006-01-02T15:04:05-0700", s)
	}
	return t, err
}

// future looks for deliveries that were due before now, whichever clock the app goes by.
func (c *carrier) future(ctx context.Context, e *exam) (outcome, error) {
	clock, err := get[struct {
		Now time.Time `json:"now"`
	}](ctx, e.platform, "clock")
	if err != nil {
		return outcome{}, err
	}
	now := time.Now()
	if clock.Now.Before(now) {
		now = clock.Now
	}
	for _, r := range read(e.posted().answer).Rates {
		if to, err := moment(r.To); err == nil && to.Before(now.Add(-24*time.Hour)) {
			return fail("code %q: delivery by %s, which has passed", r.Code, r.To)
		}
	}
	return pass("no date has passed")
}

// mixed sends two requests at once, whose answers must not change because of that.
func (c *carrier) mixed(ctx context.Context, e *exam) (outcome, error) {
	light, full := edited(e.posted().body, heavy(1000)), edited(e.posted().body, heavy(9000))
	return apart(ctx, e, [2][]byte{light, full}, func(x exchange) string { return prices(x.answer) })
}
