package control

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// registration is an address that an app has registered for calls of a kind.
type registration struct {
	n    int64
	kind string // such as webhooks
	app  int64
	of   string // event, domain or carrier
	url  string
}

// registrations lists the addresses of apps that the platform calls.
func registrations(c *call) (any, error) {
	var all []registration
	add := func(kind string, app int64, of, url string) {
		if url != "" {
			all = append(all, registration{int64(len(all)) + 1, kind, app, of, url})
		}
	}
	err := c.server.World().View(0, c.st.ID, func(tx *world.Tx) error {
		for _, w := range tx.Webhooks.All() {
			add("webhooks", w.App, w.Event, w.URL)
		}
		for _, d := range tx.DiscountCallbacks.All() {
			add("discounts", d.AppID, "carts", d.URL)
		}
		for _, r := range tx.RuleCallbacks.All() {
			add("rules", r.AppID, string(r.Domain), r.URL)
		}
		for id, carrier := range tx.Carriers.All() {
			add("rates", carrier.AppID, text(id), carrier.RatesURL)
			add("labels", carrier.AppID, text(id), carrier.LabelsURL)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, in := range c.server.World().Installs(c.st.ID) {
		a, _ := c.server.World().App(in.App)
		for _, one := range []struct{ kind, of, url string }{
			{"payments", "process", a.Payments.Process}, {"payments", "cancel", a.Payments.Cancel},
			{"payments", "status", a.Payments.Status}, {"privacy", "store/redact", a.Settings.StoreRedactURL},
			{"privacy", "customers/redact", a.Settings.CustomersRedactURL},
			{"privacy", "customers/data_request", a.Settings.CustomersDataRequestURL},
		} {
			add(one.kind, a.ID, one.of, one.url)
		}
	}
	return page(c, all, func(r registration) int64 { return r.n }, func(r registration) any {
		return map[string]any{"n": r.n, "kind": r.kind, "app": r.app, "of": r.of, "url": r.url}
	})
}

type registrationJSON struct {
	Kind string `json:"kind"`
	Of   string `json:"of"`
	URL  string `json:"url"`
	App  int64  `json:"app"`
}

// addRegistration registers an address by the call of the API with which an app registers it.
func addRegistration(c *call, in registrationJSON) (any, error) {
	call, kinds := recordJSON{Store: c.st.ID, App: in.App}, []string{"webhooks", "discounts", "rules", "labels"}
	if slices.Contains(kinds, in.Kind+"s") {
		in.Kind += "s" // the log has the singular
	}
	switch in.Kind {
	case "webhooks":
		call.Path, call.Body = "/webhooks", bodyOf(map[string]any{"event": in.Of, "url": in.URL})
	case "discounts":
		call.Method, call.Path = http.MethodPut, "/discounts/callbacks"
		call.Body = bodyOf(map[string]any{"url": in.URL})
	case "rules":
		domain := world.RuleDomain(in.Of)
		if domains := world.RuleDomains(); !slices.Contains(domains, domain) {
			return nil, misnamed("of", in.Of, "a domain of business rules", textsOf(domains))
		}
		call.Method, call.Path = http.MethodPut, "/business_rules/integrations/"+url.PathEscape(in.Of)
		call.Body = bodyOf(map[string]any{"url": in.URL, "event": domain.Event()})
	case "labels":
		call.Method, call.Path = http.MethodPut, "/shipping_carriers/"+url.PathEscape(in.Of)
		call.Body = bodyOf(map[string]any{"callback_labels_url": in.URL})
	default:
		return nil, misnamed("kind", in.Kind, "a kind of address", kinds)
	}
	if _, _, err := c.act(call); err != nil {
		return nil, err
	}
	return map[string]any{"kind": in.Kind, "of": in.Of, "url": in.URL}, nil
}
