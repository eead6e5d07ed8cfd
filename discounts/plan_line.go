package discounts

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client/promotions"
)

// LinePlan collects an app's discounts on the lines of a cart. It is valid only during the function call that
// receives it.
type LinePlan struct{ plan *plan }

// LinePromotion is an active promotion of the tier TierLineItems, obtained from a plan.
type LinePromotion struct{ promotion }

// Line is a line of the cart, obtained from a plan.
type Line struct {
	*LineItem
	index int
	of    *plan
}

// Cart returns the cart as the platform sent it.
func (p *LinePlan) Cart() *Cart { return p.plan.cart }

// Lines returns the lines of the cart, in their order.
func (p *LinePlan) Lines() []Line {
	lines := make([]Line, len(p.plan.lines))
	for i := range lines {
		lines[i] = Line{&p.plan.cart.Products[i], i, p.plan}
	}
	return lines
}

// Promotions returns the active promotions of the tier, in the platform's order.
func (p *LinePlan) Promotions() []LinePromotion {
	var all []LinePromotion
	for _, pr := range p.plan.usable() {
		all = append(all, LinePromotion{pr})
	}
	return all
}

// Promotion returns the active promotion of the tier with an id. The result ok is false if there is none.
func (p *LinePlan) Promotion(id uuid.UUID) (LinePromotion, bool) {
	pr, ok := p.plan.find(func(r *promotions.Promotion) bool { return r.ID == id })
	return LinePromotion{pr}, ok
}

// Named returns the first active promotion of the tier with a name. The result ok is false if there is none.
func (p *LinePlan) Named(name string) (LinePromotion, bool) {
	pr, ok := p.plan.find(func(r *promotions.Promotion) bool { return r.Name == name })
	return LinePromotion{pr}, ok
}

// Discount sets a discount on a line, for all its pieces together. A second call for the same promotion and line
// replaces the first amount.
//
// If the discount is not possible, for example because the amount exceeds the price of the line or the line is from
// another cart, the promotion is dropped. It is then removed from the cart, and the other promotions are not
// affected.
func (p *LinePlan) Discount(pr LinePromotion, line Line, a Amount) {
	w := p.plan.want(pr.promotion)
	if w == nil {
		return
	}
	if line.of != p.plan {
		p.plan.drop(pr.promotion, w, "the line is not one of this cart")
		return
	}
	a, flaw := p.plan.fit(a, "the price of the line", p.plan.lines[line.index].total)
	if flaw != "" {
		p.plan.drop(pr.promotion, w, fmt.Sprintf("line %d: %s", p.plan.lines[line.index].id, flaw))
		return
	}
	if w.byLine == nil {
		w.byLine = make([]Amount, len(p.plan.lines))
	}
	w.byLine[line.index] = a
}

// Show sets the text that the customer sees, by language id such as es-ar. By default the platform displays the
// promotion's name.
func (p *LinePlan) Show(pr LinePromotion, text map[string]string) { p.plan.show(pr.promotion, text) }

// ID returns the id of the promotion.
func (p promotion) ID() uuid.UUID { return p.Record().ID }

// Record returns a copy of the promotion. For the zero value it returns the zero Promotion.
func (p promotion) Record() promotions.Promotion {
	if p.record == nil {
		return promotions.Promotion{}
	}
	return *p.record
}
