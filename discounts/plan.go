package discounts

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Plans are an app's functions that compute the discounts of a cart, one for each tier in which it has promotions. A
// plan always returns all intended discounts. The package derives the necessary changes. A promotion that a plan does
// not mention is removed from the cart.
//
// The functions must be safe for concurrent use, and must neither keep nor change their arguments. Their context ends
// Handler.Linger after the answer is due: see AnswerBy. If a function stops because its context ended, it must return
// an error. A result without an error is stored as the plan of the cart.
type Plans struct {
	// LineItems sets discounts on lines. If nil, the app has no discounts of that tier.
	LineItems func(ctx context.Context, p *LinePlan) error
	// CrossItems sets discounts on the cart as a whole. If nil, the app has no discounts of that tier.
	CrossItems func(ctx context.Context, p *CrossPlan) error
	// Raw creates the commands directly, for both tiers. LineItems and CrossItems must then be nil. Without commands
	// the cart keeps its discounts. Own are the app's promotions.
	Raw func(ctx context.Context, cart *Cart, own []promotions.Promotion, out *Commands) error
	// Clamp reduces an amount that exceeds the price of its line or the subtotal of its cart. If false, the promotion
	// is dropped, because a miscalculated amount could otherwise give goods away. The *Dropped error names promotion,
	// line, amount and limit. An amount on a line or cart with price 0 cannot be reduced. It always drops the
	// promotion from all lines, so a plan must skip such lines.
	Clamp bool
}

// ErrDropped is wrapped by the error for a promotion that was removed because its discount in the plan is not
// possible.
var ErrDropped = errors.New("promotion dropped")

// Dropped is the error for a promotion that a plan mentioned and that the answer removes. It wraps ErrDropped.
type Dropped struct {
	// Promotion is uuid.Nil if the plan mentioned a promotion that is not of this cart.
	Promotion uuid.UUID
	// Name is the name of the promotion. It is empty if Promotion is uuid.Nil.
	Name string
	// Reason describes the rule that the discount violates.
	Reason string
}

// Error names the promotion and the reason.
func (d *Dropped) Error() string {
	if d.Name == "" {
		return fmt.Sprintf("promotion %s dropped: %s", d.Promotion, d.Reason)
	}
	return fmt.Sprintf("promotion %s (%s) dropped: %s", d.Promotion, callback.Printable(d.Name, callback.MostShown), d.Reason)
}

// Unwrap returns ErrDropped.
func (d *Dropped) Unwrap() error { return ErrDropped }

// commands returns the app's commands for the cart.
func (p Plans) commands(ctx context.Context, cart *Cart, f *facts) (*Commands, []*Dropped, error) {
	if p.Raw != nil {
		out := &Commands{}
		return out, nil, p.Raw(ctx, cart, append([]promotions.Promotion(nil), f.own.list...), out)
	}
	wanted := newPlan(f, cart, p.Clamp)
	var err error
	switch {
	case f.tier == promotions.TierLineItems && p.LineItems != nil:
		err = p.LineItems(ctx, &LinePlan{wanted})
	case f.tier == promotions.TierCrossItems && p.CrossItems != nil:
		err = p.CrossItems(ctx, &CrossPlan{wanted})
	}
	if err != nil {
		return nil, nil, err
	}
	return wanted.commands(), wanted.dropped, nil
}

// plan is the common part of both kinds of plans. It belongs to one run.
type plan struct {
	*facts
	cart    *Cart
	clamp   bool
	wants   map[uuid.UUID]*want
	order   []uuid.UUID // keys of the map, in the order of the plan
	dropped []*Dropped
}

// The intended discount of one promotion.
type want struct {
	byLine []Amount // by line index; nil if no line is discounted
	cross  Amount
	text   map[string]string
	out    bool // dropped
}

func newPlan(f *facts, cart *Cart, clamp bool) *plan {
	return &plan{facts: f, cart: cart, clamp: clamp, wants: map[uuid.UUID]*want{}}
}

// promotion is the common part of the handles of promotions.
type promotion struct {
	record *promotions.Promotion
	of     *plan
}

// find returns the first active promotion of the tier for which passes returns true.
func (p *plan) find(passes func(*promotions.Promotion) bool) (promotion, bool) {
	for i := range p.own.list {
		if r := &p.own.list[i]; r.Active && r.Tier == p.tier && passes(r) {
			return promotion{r, p}, true
		}
	}
	return promotion{}, false
}

func (p *plan) usable() []promotion {
	var all []promotion
	p.find(func(r *promotions.Promotion) bool {
		all = append(all, promotion{r, p})
		return false
	})
	return all
}

// The intended discount of a promotion so far; nil if the promotion is not of this cart.
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

// drop removes the promotion from the plan, once.
func (p *plan) drop(of promotion, w *want, reason string) {
	if !w.out {
		w.out = true
		p.dropped = append(p.dropped, &Dropped{of.record.ID, of.record.Name, reason})
	}
}

// fit returns the amount within the cost in hundredths, or the reason why the discount is not possible. The parameter
// what is the name of the cost.
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
			p.drop(of, w, fmt.Sprintf("text in %q: must be a language such as es-ar and a text in UTF-8", callback.Printable(lang, callback.MostShown)))
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
