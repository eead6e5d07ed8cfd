package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

func (c *carrier) checks() []check { return append(c.ownChecks(), c.parcelChecks()...) }

func (c *carrier) ownChecks() []check {
	const rate = "Rate: "
	return []check{
		{
			name: "rates", sent: "a request for rates", rule: rate + "the fields that a rate must have", run: c.hidden(""),
			fix: "fill the fields of each rate: name, code, price and currency (that of the request), type; address " +
				"and hours of a pickup rate",
		},
		{
			name: "codes",
			sent: "a request for rates",
			rule: rate + "code is that of an option of the carrier; ship rates do not repeat one",
			run:  c.hidden("code"),
			fix:  "give one ship rate for each code in carrier.options, spelled the same",
		},
		{
			name: "references",
			sent: "a request for rates",
			rule: rate + "the reference is saved with the order; by newer documentation, rates without it are hidden",
			run:  c.hidden("reference"),
			fix:  "give each rate a reference, a text by which you recognize the service",
		},
		{
			name: "dates",
			sent: "a request for rates",
			rule: rate + "min_delivery_date is not after max_delivery_date",
			run:  c.dates,
			fix:  "give the earlier date as min_delivery_date, both in ISO 8601 with an offset",
		},
		{
			name: "same request twice", sent: "the same request twice", run: c.twice, after: []string{"rates"},
			rule: "Caching: an answer is reused for identical requests",
			fix:  "compute rates from the request, however many requests came before it",
		},
		{
			name:  "stable prices",
			sent:  "the same parcel with another cart, language, product, price, total and free shipping",
			run:   c.stable,
			after: []string{"rates", "same request twice"},
			rule: "Caching: these are not part of the key, so buyers are shown a price that was " +
				"computed for others",
			fix: "compute prices from origin, destination, quantity, weight and size alone",
		},
		{
			name: "another store", sent: "a request of a store that does not have the app", run: c.stranger, after: []string{"rates"},
			rule: "an answer below 500", fix: "answer rates, or 422 if the app is not installed in the store of store_id",
		},
		{
			name: "refusals", sent: "a parcel of 900 kg to a country that does not exist", run: c.refusals,
			rule: "Shipping-carrier callback health: 4xx for business errors, so that the fallback is shown",
			fix:  "answer 422 if you do not go there or cannot carry it, 409 for a problem that is temporary, 429 if there is too much to do",
		},
	}
}

// hidden looks for rates that the platform hides, for a reason that begins with a word: the other reasons if it is
// empty.
func (c *carrier) hidden(word string) func(context.Context, *exam) (outcome, error) {
	return func(context.Context, *exam) (outcome, error) {
		shown := 0
		for _, q := range c.all {
			shown += len(q.Options)
			for _, call := range q.Calls {
				if call.Carrier != c.id {
					continue
				}
				if word == "" && call.Healthy && call.Reason != "" {
					return fail("%s", call.Reason)
				}
				for _, h := range call.Hidden {
					first, _, _ := strings.Cut(strings.ReplaceAll(h.Why, ":", ""), " ")
					special := first == "code" || first == "reference"
					switch {
					case strings.HasSuffix(h.Why, "the option is not active"): // the merchant's choice
					case first == word, word == "" && !special:
						return fail("rate %d is not shown: %s", h.Index+1, h.Why)
					}
				}
			}
		}
		return pass("%s shown", traffic.Count(shown, "option"))
	}
}

func (c *carrier) dates(context.Context, *exam) (outcome, error) {
	for _, q := range c.all {
		for _, o := range q.Options {
			if o.Carrier == c.id && o.From != nil && o.To != nil && o.From.After(*o.To) {
				return fail("code %q: from %s to %s", o.Code, o.From.Format(time.RFC3339), o.To.Format(time.RFC3339))
			}
		}
	}
	return pass("in order, where there are any")
}

// prices are the rates of an answer, by code and name.
func prices(answer []byte) string {
	var body struct {
		Rates []struct {
			Code  string          `json:"code"`
			Price json.RawMessage `json:"price"`
		} `json:"rates"`
	}
	_ = json.Unmarshal(answer, &body) // what has no rates has no prices
	var out []string
	for _, r := range body.Rates {
		out = append(out, r.Code+" "+string(r.Price))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func (c *carrier) twice(ctx context.Context, e *exam) (outcome, error) {
	first, then := e.direct(ctx, e.posted()), e.direct(ctx, e.posted())
	if first.status != then.status || prices(first.answer) != prices(then.answer) {
		return fail("first %d with %s, then %d with %s", first.status, prices(first.answer), then.status, prices(then.answer))
	}
	return pass("%s, both times", prices(then.answer))
}

func (c *carrier) stable(ctx context.Context, e *exam) (outcome, error) {
	raw := edited(e.posted().body, func(o object) {
		o["cart_id"], o["total_price"], o["language"] = "77", 9000.5, "pt"
		each(o, "items", func(i object) {
			i["price"], i["free_shipping"], i["name"], i["sku"] = 9000.5, true, "Teapot", "TEAPOT"
			i["product_id"] = 77
		})
	})
	x, _ := e.made(raw)
	one, other := e.direct(ctx, e.posted()), e.direct(ctx, x)
	if prices(one.answer) != prices(other.answer) {
		return fail("%s became %s", prices(one.answer), prices(other.answer))
	}
	return pass("%s", prices(one.answer))
}

func (c *carrier) refusals(ctx context.Context, e *exam) (outcome, error) {
	to := object{"name": "Ana", "address": "Nowhere", "city": "Nowhere", "country": "ZZ", "postal_code": "0"}
	v, err := c.ask(ctx, e, to, 900_000)
	if err != nil {
		return outcome{}, err
	}
	switch {
	case v.late, v.status == 0, v.status >= 500:
		return fail("%s: counted as a failure", v)
	case v.accepted && prices(v.ex.answer) == "" && !bytes.Contains(v.ex.answer, []byte(`"code"`)):
		return fail("%s and no rates: counted as healthy, and the fallback stays hidden", v)
	}
	return pass("%s", v)
}

// stranger asks for a store that the app was never installed in.
func (c *carrier) stranger(ctx context.Context, e *exam) (outcome, error) {
	return unharmed(e.sent(ctx, edited(e.posted().body, func(o object) { o["store_id"] = strangerStore })))
}
