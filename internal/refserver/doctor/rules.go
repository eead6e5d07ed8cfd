package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/rules"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// businessRules is an endpoint for business rules. It is asked about each domain that the app has registered at the
// address, or about all domains if there is none.
type businessRules struct {
	domains []world.RuleDomain
	cart    int64
	runs    []ruleRunJSON
	asked   map[world.RuleDomain][]byte // a genuine body of each domain
	left    map[world.RuleDomain]int    // what is left after the rules of a domain
}

func (*businessRules) limit() time.Duration { return rules.Timeout }

func (*businessRules) signs(*exam) bool { return false }

func (*businessRules) sign(_ *exam, like exchange, _ []byte) (http.Header, bool) {
	return like.header.Clone(), true
}

func (r *businessRules) foreign(e *exam, at *url.URL) bool { return at.Path != e.to.Path }

// own answers calls that are for the doctor.
func (r *businessRules) own(at *url.URL) (answer []byte, ok bool) {
	if at.Path != ratesPath {
		return nil, false
	}
	return []byte(`{"rates":[{"code":"standard","name":"Doctor's option","price":10,"currency":"ARS","type":"ship",` +
		`"reference":"doctor"}]}`), true
}

// ratesPath is where the doctor's carrier is asked for rates.
const ratesPath = "/rates-of-the-doctor"

// inOrder are the domains, with those first that need neither a provider nor a carrier.
var inOrder = []world.RuleDomain{world.CartRules, world.LocationRules, world.PaymentRules, world.ShippingRules}

// prepare has the app asked about a cart.
func (r *businessRules) prepare(ctx context.Context, e *exam) error {
	r.asked, r.left = map[world.RuleDomain][]byte{}, map[world.RuleDomain]int{}
	if err := r.register(ctx, e); err != nil {
		return err
	}
	if err := r.offer(ctx, e); err != nil {
		return err
	}
	variants, err := e.variants(ctx)
	if err != nil {
		return err
	}
	if r.cart, err = e.newCart(ctx); err != nil {
		return err
	}
	to := object{"country": "AR", "city": "Rosario", "zipcode": "2000", "cost": "0"}
	if err := e.platform.put(ctx, e.platform.in("carts/%d/destination", r.cart), to); err != nil {
		return err
	}
	line := object{"variant": variants[0], "quantity": 1}
	return e.platform.Call(ctx, http.MethodPost, e.platform.in("carts/%d/add", r.cart), line, nil)
}

// register has the platform ask at the endpoint.
func (r *businessRules) register(ctx context.Context, e *exam) error {
	known, err := all[struct {
		App    int64            `json:"app_id"`
		Domain world.RuleDomain `json:"domain"`
		URL    string           `json:"url"`
	}](ctx, e.platform, e.platform.in("entities/rule_callbacks"))
	if err != nil {
		return err
	}
	before := map[world.RuleDomain]string{}
	for _, k := range known {
		if k.App != e.platform.app {
			continue
		}
		if before[k.Domain] = k.URL; k.URL == e.address() {
			r.domains = append(r.domains, k.Domain)
		}
	}
	if len(r.domains) > 0 {
		slices.SortFunc(r.domains, func(a, b world.RuleDomain) int {
			return slices.Index(inOrder, a) - slices.Index(inOrder, b)
		})
		return nil
	}
	for _, d := range inOrder {
		if was := before[d]; was != "" {
			e.restore = append(e.restore, func(ctx context.Context) error { return e.integrate(ctx, d, was) })
		}
		if err := e.integrate(ctx, d, e.address()); err != nil {
			return err
		}
		r.domains = append(r.domains, d)
	}
	return nil
}

// integrate sets where the app is asked about a domain.
func (e *exam) integrate(ctx context.Context, d world.RuleDomain, at string) error {
	body := object{"url": at, "event": d.Event()}
	_, err := e.platform.act(ctx, http.MethodPut, "/business_rules/integrations/"+string(d), body)
	return err
}

// offersJSON are the ways to pay of a provider.
type offersJSON struct {
	Options []json.RawMessage `json:"options"`
}

// offer gives the checkout a way to pay and one of delivery, which rules order.
func (r *businessRules) offer(ctx context.Context, e *exam) error {
	known, err := all[offersJSON](ctx, e.platform, e.platform.in("entities/payment_providers"))
	if err != nil {
		return err
	}
	offered := slices.ContainsFunc(known, func(p offersJSON) bool { return len(p.Options) > 0 })
	if slices.Contains(r.domains, world.PaymentRules) && !offered {
		raw, err := e.platform.act(ctx, http.MethodPost, "/payment_providers", provider(e.o.Origin))
		if err != nil {
			return err
		}
		var id string
		if err := json.Unmarshal(raw, &id); err != nil {
			return err
		}
		e.restore = append(e.restore, func(ctx context.Context) error {
			_, err := e.platform.act(ctx, http.MethodDelete, "/payment_providers/"+id, nil)
			return err
		})
	}
	if !slices.Contains(r.domains, world.ShippingRules) {
		return nil
	}
	_, err = e.addCarrier(ctx, object{"callback_url": e.o.Origin + ratesPath})
	return err
}

// provider is a payment provider with two options.
func provider(origin string) object {
	option := func(id, name string) object {
		return object{
			"id": id, "name": name, "supported_billing_countries": []string{"AR", "BR"},
			"supported_payment_method_types": []string{"cash"}, "integration_type": "redirect",
		}
	}
	return object{
		"name": "Doctor", "description": "Of an examination", "supported_currencies": []string{"ARS", "BRL", "USD"},
		"logo_urls":                 object{"400x120": origin + "/wide.png", "160x100": origin + "/small.png"},
		"supported_payment_methods": []object{{"payment_method_type": "cash", "payment_methods": []string{"cash"}}},
		"checkout_js_url":           origin + "/checkout.js",
		"checkout_payment_options": []object{
			option("6a3f7b0e-2f3b-4c5d-9d8c-0f5a3a1a7c01", "Cash"), option("6a3f7b0e-2f3b-4c5d-9d8c-0f5a3a1a7c02", "Cash on delivery"),
		},
	}
}

// ruleRunJSON is a call about a purchase, with the platform's judgement of the answer.
type ruleRunJSON struct {
	N         int64            `json:"n"`
	App       int64            `json:"app"`
	Cart      int64            `json:"cart"`
	Domain    world.RuleDomain `json:"domain"`
	Request   json.RawMessage  `json:"request"`
	Status    int              `json:"status"`
	Late      bool             `json:"late"`
	MS        float64          `json:"ms"`
	Outcome   string           `json:"outcome"`
	Reason    string           `json:"reason"`
	Unmatched []string         `json:"unmatched"`
}

// ask has the platform ask about a domain.
func (r *businessRules) ask(ctx context.Context, e *exam, domain world.RuleDomain) (verdict, error) {
	var answer struct {
		Options   []json.RawMessage `json:"options"`
		Locations []string          `json:"locations"`
	}
	method, path, body := http.MethodGet, "", any(nil)
	switch domain {
	case world.CartRules:
		path = "may-finish"
	case world.PaymentRules:
		path = "payment-options"
	case world.LocationRules:
		path = "places"
	case world.ShippingRules:
		method, path = http.MethodPost, "quote"
		body = object{"to": object{"name": "Ana", "address": "Mitre", "number": "1200", "city": "Rosario", "country": "AR", "postal_code": "2000"}}
	}
	if err := e.platform.Call(ctx, method, e.platform.in("carts/%d/%s", r.cart, path), body, &answer); err != nil {
		return verdict{}, err
	}
	r.left[domain] = len(answer.Options) + len(answer.Locations)
	return r.last(ctx, e, domain)
}

// last is the verdict about the last call of a domain that the examination has caused.
func (r *businessRules) last(ctx context.Context, e *exam, domain world.RuleDomain) (verdict, error) {
	page, err := get[struct {
		Items []ruleRunJSON `json:"items"`
	}](ctx, e.platform, e.platform.in("rule-runs?order=newest&limit=100"))
	if err != nil {
		return verdict{}, err
	}
	at := slices.IndexFunc(page.Items, func(run ruleRunJSON) bool {
		return run.App == e.platform.app && run.Cart == r.cart && run.Domain == domain
	})
	own := fmt.Sprintf(`"cart_id":%d,`, r.cart)
	x, arrived := e.relay.find(ctx, func(x exchange) bool {
		return contains(x.body, own) && contains(x.body, fmt.Sprintf(`"domain":%q`, domain))
	})
	if at < 0 || !arrived {
		return verdict{}, errNothing
	}
	run := page.Items[at]
	r.runs, r.asked[domain] = append(r.runs, run), x.body
	return verdict{
		status: run.Status, accepted: run.Status >= 200 && run.Status < 300, late: run.Late, says: run.Reason, ex: x,
		took: time.Duration(run.MS * float64(time.Millisecond)),
	}, nil
}

func (r *businessRules) call(ctx context.Context, e *exam) (verdict, error) {
	return r.ask(ctx, e, r.domains[0])
}
