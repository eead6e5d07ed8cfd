package world

import (
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// RuleDomain is what a business rule is about.
type RuleDomain string

// The domains.
const (
	PaymentRules  RuleDomain = "payments"
	ShippingRules RuleDomain = "shipping"
	LocationRules RuleDomain = "location"
	CartRules     RuleDomain = "cart"
)

// RuleDomains returns all of them.
func RuleDomains() []RuleDomain {
	return []RuleDomain{PaymentRules, ShippingRules, LocationRules, CartRules}
}

// Event is the one that is sent about purchases of the domain; empty for a domain that does not exist.
func (d RuleDomain) Event() string {
	return map[RuleDomain]string{
		PaymentRules: "payments/before-filter", ShippingRules: "shipping/before-filter",
		LocationRules: "location/prioritization", CartRules: "cart/before-finish",
	}[d]
}

// RuleCallback is where an app is asked about the purchases of a store.
type RuleCallback struct {
	AppID     int64
	Domain    RuleDomain
	URL       string
	UpdatedAt time.Time
}

// Key is that of the callback: an app has one for each domain.
func (c RuleCallback) Key() string { return strconv.FormatInt(c.AppID, 10) + "/" + string(c.Domain) }

// Indexes find the callbacks of an app, and those about a domain.
func (c RuleCallback) Indexes() []table.Entry {
	return []table.Entry{table.Multi("app", strconv.FormatInt(c.AppID, 10)), table.Multi("domain", string(c.Domain))}
}
