package res

import (
	"net/http"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// businessRuleOps have neither a list nor a deletion. How an address is refused is assumed: as that of discount
// callbacks.
func businessRuleOps() []api.Op {
	return []api.Op{
		{ID: "business_rules.replace", Method: "PUT", Path: "/business_rules/integrations/{domain}",
			Feature: ruleApps, Success: 204,
			ScopeNote:  "per domain (read_payment_options+read_payments | read_shipping | read_locations | none)",
			Provenance: api.Supplement, Errors: businessRuleFaults(), Handler: replaceRuleCallback},
	}
}

// ruleApps is the feature of apps that may register business rules.
const ruleApps = "business_rules"

// ruleScopes are the permissions that a domain demands, all of them.
func ruleScopes(d world.RuleDomain) world.Scopes {
	return map[world.RuleDomain]world.Scopes{
		world.PaymentRules:  {"read_payment_options", "read_payments"},
		world.ShippingRules: {"read_shipping"},
		world.LocationRules: {"read_locations"},
	}[d]
}

// Refusals of business rules. The words are assumed.
const noSuchDomain = "Business rule domain does not exist"

func beEvent(d world.RuleDomain) string { return "must be " + d.Event() }

func missingRuleScopes(d world.RuleDomain) string {
	return "Missing a required scope: " + strings.Join(ruleScopes(d), " and ")
}

func businessRuleFaults() []api.ErrCase {
	texts := []string{"url " + body.BeString, "url " + body.BePublic, "event " + body.BeString}
	out := append(refusals(http.StatusBadRequest, texts),
		api.ErrCase{Status: http.StatusNotFound, Text: noSuchDomain})
	for _, d := range world.RuleDomains() {
		out = append(out, api.ErrCase{Status: http.StatusBadRequest, Text: "event " + beEvent(d)})
		if len(ruleScopes(d)) > 0 {
			out = append(out, api.ErrCase{Status: http.StatusForbidden, Text: missingRuleScopes(d)})
		}
	}
	return out
}

// replaceRuleCallback sets the address at which the app is asked about the purchases of the store.
func replaceRuleCallback(tx *world.Tx, in *api.In) (any, error) {
	c, err := readRuleCallback(tx, in)
	if err != nil {
		return nil, assumed(err)
	}
	return nil, tx.RuleCallbacks.Put(c.Key(), c)
}

func readRuleCallback(tx *world.Tx, in *api.In) (world.RuleCallback, error) {
	c := world.RuleCallback{AppID: in.App.ID, Domain: world.RuleDomain(in.Var("domain")), UpdatedAt: tx.Now()}
	if !slices.Contains(world.RuleDomains(), c.Domain) {
		return c, api.NotFound(noSuchDomain)
	}
	if !in.Scopes.Covers(ruleScopes(c.Domain)) {
		return c, api.Exception(http.StatusForbidden, "ForbiddenException", missingRuleScopes(c.Domain))
	}
	b, err := body.Read(in)
	if err != nil {
		return c, err
	}
	b = b.Solid()
	if !b.Has("url") {
		b.Refuse("url", body.BeString)
	} else if b.Text("url", &c.URL) && in.CheckURL(c.URL) != nil {
		b.Refuse("url", body.BePublic)
	}
	event := ""
	if !b.Has("event") {
		b.Refuse("event", body.BeString)
	} else if b.Text("event", &event) && event != c.Domain.Event() {
		b.Refuse("event", beEvent(c.Domain))
	}
	return c, b.Done(in).Exception()
}
