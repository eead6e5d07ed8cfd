package discounts

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Plans are what an app wants of a cart: a function for each tier in which it has
// promotions. A plan says what should be, every time anew; what that means for the cart
// as it is, is worked out from there. A promotion that is not mentioned is taken off.
//
// The functions must be safe for concurrent use, and neither keep nor change what they
// are given. Their context ends Handler.Linger after the answer is due, see AnswerBy. A function that
// stops when its context ends must return an error, because a result without an error is kept as the plan of the cart.
type Plans struct {
	// LineItems discounts lines. If nil, the app wants nothing of that tier.
	LineItems func(ctx context.Context, p *LinePlan) error
	// CrossItems discounts the cart as a whole. If nil, the app wants nothing of that tier.
	CrossItems func(ctx context.Context, p *CrossPlan) error
	// Raw makes the commands by hand, for both tiers; LineItems and CrossItems must be
	// nil then. None keep the cart as it is. Own are the app's promotions.
	Raw func(ctx context.Context, cart *Cart, own []Promotion, out *Commands) error
	// Clamp lowers an amount that is above the price of its line or the subtotal of its cart. If false, the promotion
	// of such an amount is dropped, because an app that has miscounted would otherwise give goods away; the *Dropped
	// names promotion, line, amount and limit. An amount off a line or a cart that costs nothing cannot be lowered: it
	// drops the promotion from all lines in any case, so a plan must leave such lines out.
	Clamp bool
}

// ErrDropped is reported of a promotion that was taken off, because the plan wanted of it
// what cannot be.
var ErrDropped = errors.New("promotion dropped")

// Dropped is a promotion that a plan mentioned and that the answer takes off. It wraps
// ErrDropped.
type Dropped struct {
	// Promotion is uuid.Nil if what the plan mentioned is no promotion of this cart.
	Promotion uuid.UUID
	// Name is that of the promotion. It is empty if Promotion is uuid.Nil.
	Name string
	// Reason says why.
	Reason string
}

// Error says what was dropped and why.
func (d *Dropped) Error() string {
	if d.Name == "" {
		return fmt.Sprintf("promotion %s dropped: %s", d.Promotion, d.Reason)
	}
	return fmt.Sprintf("promotion %s (%s) dropped: %s", d.Promotion, callback.Printable(d.Name, callback.MostShown), d.Reason)
}

// Unwrap returns ErrDropped.
func (d *Dropped) Unwrap() error { return ErrDropped }

// plan is what both kinds of plans are made of. It belongs to one run.
type plan struct {
	*facts
	cart    *Cart
	clamp   bool
	wants   map[uuid.UUID]*want
	order   []uuid.UUID // of wants, as the plan mentioned them
	dropped []*Dropped
}

// want is what is wanted of one promotion.
type want struct {
	byLine []Amount // by the index of the line; nil if none was discounted
	cross  Amount
	text   map[string]string
	out    bool // dropped
}

func newPlan(f *facts, cart *Cart, clamp bool) *plan {
	return &plan{facts: f, cart: cart, clamp: clamp, wants: map[uuid.UUID]*want{}}
}

// promotion is what handles of promotions are made of.
type promotion struct {
	record *Promotion
	of     *plan
}

// find returns the first active promotion of the tier that passes.
func (p *plan) find(passes func(*Promotion) bool) (promotion, bool) {
	for i := range p.own.list {
		if r := &p.own.list[i]; r.Active && r.Tier == p.tier && passes(r) {
			return promotion{r, p}, true
		}
	}
	return promotion{}, false
}

func (p *plan) usable() []promotion {
	var all []promotion
	p.find(func(r *Promotion) bool {
		all = append(all, promotion{r, p})
		return false
	})
	return all
}

// want returns what is wanted of a promotion so far, or nil if it cannot be had.
func (p *plan) want(of promotion) *want {
	if of.of != p {
		p.dropped = append(p.dropped, &Dropped{Reason: "it is not one of this cart"})
		return nil
	}
	id := of.record.ID
	w := p.wants[id]
	if w == nil {
		w = &want{}
		p.wants[id], p.order = w, append(p.order, id)
	}
	return w
}

// drop takes the promotion out of the plan, once.
func (p *plan) drop(of promotion, w *want, reason string) {
	if !w.out {
		w.out = true
		p.dropped = append(p.dropped, &Dropped{of.record.ID, of.record.Name, reason})
	}
}

// fit returns the amount as it can be taken off what costs so many hundredths, or why it cannot. What names that.
func (p *plan) fit(a Amount, what string, cost func() int64) (Amount, string) {
	if a.hundredths <= 0 {
		return a, "it has no amount"
	}
	if a.percentage {
		return a, ""
	}
	base := cost()
	switch {
	case a.hundredths <= base:
		return a, ""
	case p.clamp && base > 0:
		return Amount{hundredths: base}, ""
	}
	const remedy = "lower the amount, or set Plans.Clamp to have it lowered"
	if base == 0 {
		return a, fmt.Sprintf("the amount is %s, but %s is 0.00: leave it out of the plan", a, what)
	}
	return a, fmt.Sprintf("the amount is %s, but must be at most %s, %s: %s", a, Amount{hundredths: base}, what, remedy)
}

// show sets the text of a promotion.
func (p *plan) show(of promotion, text map[string]string) {
	w := p.want(of)
	if w == nil {
		return
	}
	for lang, s := range text {
		if !isLanguage(lang) || s == "" || !utf8.ValidString(s) {
			p.drop(of, w, fmt.Sprintf("text in %q: want a language such as es-ar and a text in UTF-8", callback.Printable(lang, callback.MostShown)))
			return
		}
	}
	w.text = text
}

// isLanguage reports whether s is a language id such as es or es-ar.
func isLanguage(s string) bool {
	for i := range len(s) {
		if dash := s[i] == '-'; dash != (i == 2) || !dash && (s[i] < 'a' || s[i] > 'z') {
			return false
		}
	}
	return len(s) == 2 || len(s) == 5
}
