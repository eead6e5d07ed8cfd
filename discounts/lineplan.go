package discounts

import (
	"fmt"

	"github.com/google/uuid"
)

// LinePlan is what an app wants of the lines of one cart. It exists while the function
// runs that it is given to.
type LinePlan struct{ plan *plan }

// LinePromotion is an active promotion of the tier LineItems, as its plan gives it.
type LinePromotion struct{ promotion }

// Line is a line of the cart, as its plan gives it.
type Line struct {
	*LineItem
	index int
	of    *plan
}

// Cart returns the cart as it was sent.
func (p *LinePlan) Cart() *Cart { return p.plan.cart }

// Lines returns the lines of the cart, in its order.
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

// Promotion returns the active promotion of the tier with an id. It reports false if there is none.
func (p *LinePlan) Promotion(id uuid.UUID) (LinePromotion, bool) {
	pr, ok := p.plan.find(func(r *Promotion) bool { return r.ID == id })
	return LinePromotion{pr}, ok
}

// Named returns the first active promotion of the tier with a name. It reports false if there is none.
func (p *LinePlan) Named(name string) (LinePromotion, bool) {
	pr, ok := p.plan.find(func(r *Promotion) bool { return r.Name == name })
	return LinePromotion{pr}, ok
}

// Discount takes an amount off a line: off all of its pieces together. The last
// amount counts if a line is discounted twice by one promotion.
//
// What cannot be done, as with an amount that is more than the line costs or a line
// of another cart, drops the promotion: it is taken off, and the others go on.
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

// Show sets the text that the consumer sees, by language id such as es-ar. Without one
// the platform shows the promotion's name.
func (p *LinePlan) Show(pr LinePromotion, text map[string]string) { p.plan.show(pr.promotion, text) }

// ID returns the id of the promotion.
func (p promotion) ID() uuid.UUID { return p.Record().ID }

// Record returns a copy of the promotion; the zero Promotion for none.
func (p promotion) Record() Promotion {
	if p.record == nil {
		return Promotion{}
	}
	return *p.record
}
