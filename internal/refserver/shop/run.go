package shop

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Outcome is what became of the discounts of a cart.
type Outcome string

const (
	// Applied: the commands were executed.
	Applied Outcome = "applied"
	// Kept: nothing was to be done, or the answer was late and leaves the cart as it is.
	Kept Outcome = "kept"
	// Removed: all discounts were removed.
	Removed Outcome = "removed"
	// Uninstalled: the app says that the store has uninstalled it.
	Uninstalled Outcome = "uninstalled"
	// Ignored: the app is not installed, so nothing it answers counts.
	Ignored Outcome = "ignored"
)

// Run is a cart that was sent to an app, with the outcome.
type Run struct {
	// N counts the runs of the storefront from 1.
	N    int
	At   time.Time
	App  int64
	Cart int64
	Tier world.Tier
	URL  string
	// Request and Signature are what was sent; unsigned carts have no signature.
	Request   []byte
	Signature string
	// Status is 0 if there was no answer.
	Status   int
	Answer   []byte
	Late     bool
	Duration time.Duration
	// DecidedBy is the clock that decides Late: "virtual" or "real".
	DecidedBy string
	Wire      delivery.Wire
	// Commands has one for each command of the answer.
	Commands []Verdict
	Outcome  Outcome
	// Reason says why discounts were not applied, empty if they were.
	Reason string
	// Before is the cart as it was sent.
	Before, After View
	// Warnings are about the cart after the run: promotions on it that do not combine.
	Warnings []string
}

// Verdict is what is thought of a command.
type Verdict struct {
	// Err is why it is not valid.
	Err error
	// Turn is the place it was executed at, from 1; 0 if none was executed.
	Turn int
}

// asked is an app that is sent the carts of a tier.
type asked struct {
	app  world.App
	url  string
	gone bool // the store has uninstalled it
}

// ask sends a cart that has changed to every app that is to be asked.
func (s *Storefront) ask(ctx context.Context, cart int64) error {
	for _, tier := range world.Tiers() {
		apps, err := s.listeners(tier)
		if err != nil {
			return err
		}
		for _, a := range apps {
			r, err := s.run(ctx, cart, tier, a)
			if err != nil {
				return err
			}
			if r.Outcome == Removed {
				return nil
			}
		}
	}
	return nil
}

// listeners are the apps that carts are sent to, by id.
func (s *Storefront) listeners(tier world.Tier) ([]asked, error) {
	var out []asked
	err := s.world.View(0, s.store, func(tx *world.Tx) error {
		if severalCurrencies(tx.Store()) {
			return nil
		}
		for app, c := range tx.DiscountCallbacks.All() {
			registered := false
			for _, p := range tx.PromotionsOf(app) {
				registered = registered || p.Tier == tier
			}
			a := asked{url: c.URL, gone: !registered}
			a.app.ID = app
			out = append(out, a)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	kept := out[:0]
	for _, a := range out {
		_, installed := s.world.Installed(a.app.ID, s.store)
		if s.isAsked(a.app.ID, tier, installed, !a.gone) {
			app, _ := s.world.App(a.app.ID)
			kept = append(kept, asked{app: app, url: a.url, gone: !installed})
		}
	}
	return kept, nil
}

// isAsked decides about an app, and counts the carts that are sent although it is gone.
func (s *Storefront) isAsked(app int64, tier world.Tier, installed, registered bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if installed {
		delete(s.stragglers, app)
		return registered
	}
	if tier != world.LineItem || s.stragglers[app] >= s.options.Stragglers {
		return false
	}
	s.stragglers[app]++
	return true
}

// severalCurrencies reports whether a store sells in more than one.
func severalCurrencies(st world.Store) bool {
	for _, l := range st.Languages {
		if l.Active && l.Currency != st.MainCurrency {
			return true
		}
	}
	return false
}

// run sends a cart and does what the answer says. It fails only if the cart is gone
// or ctx has ended.
func (s *Storefront) run(ctx context.Context, cart int64, tier world.Tier, a asked) (Run, error) {
	r := Run{At: s.world.Clock().Now(), App: a.app.ID, Cart: cart, Tier: tier, URL: a.url}
	err := s.world.View(0, s.store, func(tx *world.Tx) error {
		c, err := load(tx, cart)
		if err != nil {
			return err
		}
		r.Before = view(tx, c)
		r.Request, err = s.payload(tx, c, tier)
		return err
	})
	if err != nil {
		return r, err
	}
	header := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"Commerce-Platform-Discounts"}}
	if s.options.Signed {
		r.Signature = delivery.Sign(a.app.Secret, r.Request)
		header.Set(s.options.Header, r.Signature)
	}
	reply := s.call(ctx, delivery.Call{
		URL: a.url, Header: header, Body: r.Request, Timeout: s.options.Timeout, Delay: s.options.Delay, Source: s.options.Source,
	})
	if err := ctx.Err(); err != nil && reply.Err != nil {
		return r, err
	}
	r.Status, r.Answer, r.Late, r.Duration, r.DecidedBy = reply.Status, reply.Body, reply.Late, reply.Duration, reply.DecidedBy
	r.Wire = reply.Wire
	err = s.world.Update(0, s.store, func(tx *world.Tx) error {
		c, err := load(tx, cart)
		if err != nil {
			return err
		}
		if err := s.settle(tx, &c, &r, reply.Err, a.gone); err != nil {
			return err
		}
		r.After, r.Warnings = view(tx, c), clashes(tx, c)
		return nil
	})
	if err != nil {
		return r, err
	}
	s.record(r)
	return r, nil
}

// settle does to a cart what an answer, or none, means.
func (s *Storefront) settle(tx *world.Tx, c *cart, r *Run, unanswered error, gone bool) error {
	switch {
	case gone:
		r.Outcome = Ignored
		if r.Status != statusUninstalled {
			r.Reason = fmt.Sprintf("the store has uninstalled the app: the status must be %d", statusUninstalled)
		}
		return nil
	case r.Late && s.options.Late == LateKeeps:
		r.Outcome, r.Reason = Kept, unanswered.Error()
		return nil
	case unanswered != nil:
		r.Outcome, r.Reason = Removed, unanswered.Error()
	case r.Status == http.StatusNoContent:
		r.Outcome = Kept
		return nil
	case r.Status == statusUninstalled:
		r.Outcome, r.Reason = Uninstalled, "the app says that the store has uninstalled it"
		if err := tx.DropPromotions(r.App); err != nil {
			return err
		}
		var err error
		if *c, err = load(tx, c.ID); err != nil {
			return err
		}
		return c.follow(tx)
	case r.Status != http.StatusOK:
		r.Outcome, r.Reason = Removed, wrongStatus(r.Status).Error()
	default:
		s.execute(tx, c, r)
	}
	if r.Outcome == Removed {
		c.Discounts = nil
	}
	if err := tx.KeepVisit(c.Visit); err != nil {
		return err
	}
	return c.follow(tx)
}

// statusUninstalled is the answer to a cart of a store that has uninstalled the app.
const statusUninstalled = 310
