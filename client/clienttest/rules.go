package clienttest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/rules"
)

// PaymentOption is a way to pay that a customer can choose at the checkout.
type PaymentOption struct {
	// ProviderID and ID identify the option, as in rules.PaymentOption: the payment provider, and its checkout option.
	ProviderID, ID string
	// ProviderName is the name of the provider, Name that of the option.
	ProviderName, Name string
	MethodTypes        []string // such as credit_card
	Integration        string   // redirect or transparent
}

// PaymentOptions returns the ways to pay for the cart, without the options that business rules hide. They are those of
// enabled payment providers, the oldest provider first. The server asks each app at the address set by
// v202503.BusinessRules(c).Set, within 800 ms of the server's clock. PaymentOptions fails if the cart does not exist or
// ctx ends, not because of an app's answer. Answers are in Server.RuleRuns.
func (b *Basket) PaymentOptions(ctx context.Context) ([]PaymentOption, error) {
	s := b.server
	all, err := reference(s).Rules().PaymentOptions(ctx, s.store, int64(b.ID))
	if err != nil {
		return nil, fmt.Errorf("clienttest: %w", err)
	}
	var out []PaymentOption
	for _, o := range all {
		out = append(out, PaymentOption{
			ProviderID: o.Provider, ID: o.ID, ProviderName: o.ProviderName, Name: o.Name,
			MethodTypes: o.Types, Integration: o.Integration,
		})
	}
	return out, nil
}

// MayFinish asks the business rules whether the purchase may end. The reason names the app that blocks it; it is empty
// if none does. It fails as PaymentOptions does.
func (b *Basket) MayFinish(ctx context.Context) (reason string, err error) {
	s := b.server
	if reason, err = reference(s).Rules().MayFinish(ctx, s.store, int64(b.ID)); err != nil {
		return "", fmt.Errorf("clienttest: %w", err)
	}
	return reason, nil
}

// Places returns the ids of the locations that the cart ships from, in the order in which their stock is taken. The
// order is by priority, unless a business rule changes it. It is empty if a rule leaves no location. It fails as
// PaymentOptions does.
func (b *Basket) Places(ctx context.Context) ([]string, error) {
	s := b.server
	ids, err := reference(s).Rules().Places(ctx, s.store, int64(b.ID))
	if err != nil {
		return nil, fmt.Errorf("clienttest: %w", err)
	}
	return ids, nil
}

// RuleSettings select between two documented behaviours of business rules, and hold the merchant's choices. The zero
// value is the contract.
type RuleSettings struct {
	// Keep keeps the options of an answer, and hides all others. Otherwise the options of an answer are hidden. The
	// documentation allows both readings.
	Keep bool
	// FewestPlaces is the merchant's choice to ship from as few locations as possible. A location that has everything
	// then comes first, whatever an app answers.
	FewestPlaces bool
	// Timeout is how long an app may take. Zero means 800 ms.
	Timeout time.Duration
	// Delay is added to the duration of each answer, as by a slow network. With the server's own clock, nothing really
	// waits.
	Delay time.Duration
}

// SetRuleSettings changes the settings of business rules. It takes effect with the next request.
func (s *Server) SetRuleSettings(r RuleSettings) { reference(s).Rules().Set(rules.Settings(r)) }

// RuleRun is one request to an app about a purchase, and its outcome.
type RuleRun struct {
	At            time.Time // time of the request, by the server's clock
	AppID, CartID client.ID // the app, and the cart
	// Domain is payments, shipping, location or cart.
	Domain string
	URL    string // the app's address for the domain
	// Request and Answer are the bodies. Status is 0 if there was no answer in time; Late means that the time was over.
	Request, Answer []byte
	Status          int
	Late            bool
	Duration        time.Duration // time until the answer, by the server's clock
	// Command is the command of the answer, such as block_checkout.
	Command string
	// Applied is set if the answer was a rule and was applied. Otherwise Reason describes why not; it is empty if the
	// answer means that there is no rule.
	Applied bool
	Reason  string
	// Unmatched holds the options of the answer that the checkout does not have, such as "acme/card".
	Unmatched []string
	// Unread names the members of the answer that the platform does not read.
	Unread []string
}

// RuleRuns returns the last 10,000 requests to apps about purchases in the store, the oldest first.
func (s *Server) RuleRuns() []RuleRun {
	var all []RuleRun
	for _, r := range reference(s).Rules().Runs() {
		if r.Store != s.store {
			continue
		}
		all = append(all, RuleRun{
			At: r.At, AppID: client.ID(r.App), CartID: client.ID(r.Cart), Domain: string(r.Domain), URL: r.URL,
			Request: slices.Clone(r.Request), Answer: slices.Clone(r.Answer), Status: r.Status, Late: r.Late,
			Duration: r.Duration, Command: r.Command, Applied: r.Outcome == rules.Applied, Reason: r.Reason,
			Unmatched: slices.Clone(r.Unmatched), Unread: slices.Clone(r.Unread),
		})
	}
	return all
}
