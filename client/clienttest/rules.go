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
	// ProviderID and ID are what rules.PaymentOption names: the payment provider, and its checkout option.
	ProviderID, ID string
	// ProviderName is that of the provider, Name that of the option.
	ProviderName, Name string
	MethodTypes        []string // such as credit_card
	Integration        string   // redirect or transparent
}

// PaymentOptions returns the ways to pay for the cart: those of enabled payment providers, the oldest provider first,
// without those that business rules hide. The apps are asked at the address that api.BusinessRules.Set has set,
// within 800 ms of the server's clock. It fails if the cart is gone or ctx ends, not because of what an app answers:
// that is in Server.RuleRuns.
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

// MayFinish asks the business rules whether the purchase may end. The reason says which app blocks it, and is empty if
// none does. It fails as PaymentOptions does.
func (b *Basket) MayFinish(ctx context.Context) (reason string, err error) {
	s := b.server
	if reason, err = reference(s).Rules().MayFinish(ctx, s.store, int64(b.ID)); err != nil {
		return "", fmt.Errorf("clienttest: %w", err)
	}
	return reason, nil
}

// Places returns the ids of the locations that the cart ships from, in the order in which their stock is taken: by
// priority, unless a business rule says otherwise. It is empty if a rule leaves no place to ship from. It fails as
// PaymentOptions does.
func (b *Basket) Places(ctx context.Context) ([]string, error) {
	s := b.server
	ids, err := reference(s).Rules().Places(ctx, s.store, int64(b.ID))
	if err != nil {
		return nil, fmt.Errorf("clienttest: %w", err)
	}
	return ids, nil
}

// RuleSettings settle what is documented of business rules in two ways, and what the merchant chooses. The zero value
// is the contract.
type RuleSettings struct {
	// Keep makes the options of an answer those that are kept, and hides all others. Otherwise they are taken away: the
	// documentation can be read both ways.
	Keep bool
	// FewestPlaces is the merchant's choice to ship from as few places as possible: a location that has everything
	// comes first, whatever an app answers.
	FewestPlaces bool
	// Timeout is how long an app may take. 0 means 800 ms.
	Timeout time.Duration
	// Delay is added to what each answer takes, as a slow network would. On the server's own clock nobody waits for it.
	Delay time.Duration
}

// SetRuleSettings changes the settings of business rules from the next question on.
func (s *Server) SetRuleSettings(r RuleSettings) { reference(s).Rules().Set(rules.Settings(r)) }

// RuleRun is a purchase that an app was asked about, and what came of it.
type RuleRun struct {
	At            time.Time // when it was asked, by the server's clock
	AppID, CartID client.ID // who was asked about which cart
	// Domain is payments, shipping, location or cart.
	Domain string
	URL    string // the app's address for the domain
	// Request and Answer are the bodies. Status is 0 if there was no answer in time; Late says that time was up.
	Request, Answer []byte
	Status          int
	Late            bool
	Duration        time.Duration // how long the answer took, by the server's clock
	// Command is that of the answer, such as block_checkout.
	Command string
	// Applied is set if the answer was a rule and counts. Otherwise Reason says why not; it is empty for an answer that
	// means that there is no rule.
	Applied bool
	Reason  string
	// Unmatched has the options of the answer that the checkout does not have, such as "acme/card".
	Unmatched []string
	// Unread names the members of the answer that nothing reads.
	Unread []string
}

// RuleRuns returns the last 10,000 questions to apps about purchases in the store, the oldest first.
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
