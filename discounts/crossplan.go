package discounts

import "github.com/google/uuid"

// CrossPlan is what an app wants of one cart as a whole. It exists while the function
// runs that it is given to.
type CrossPlan struct{ plan *plan }

// CrossPromotion is an active promotion of the tier CrossItems, as its plan gives it.
type CrossPromotion struct{ promotion }

// Cart returns the cart as it was sent.
func (p *CrossPlan) Cart() *Cart { return p.plan.cart }

// Promotions returns the active promotions of the tier, in the platform's order.
func (p *CrossPlan) Promotions() []CrossPromotion {
	var all []CrossPromotion
	for _, pr := range p.plan.usable() {
		all = append(all, CrossPromotion{pr})
	}
	return all
}

// Promotion returns the active promotion of the tier with an id. It reports false if there is none.
func (p *CrossPlan) Promotion(id uuid.UUID) (CrossPromotion, bool) {
	pr, ok := p.plan.find(func(r *Promotion) bool { return r.ID == id })
	return CrossPromotion{pr}, ok
}

// Named returns the first active promotion of the tier with a name. It reports false if there is none.
func (p *CrossPlan) Named(name string) (CrossPromotion, bool) {
	pr, ok := p.plan.find(func(r *Promotion) bool { return r.Name == name })
	return CrossPromotion{pr}, ok
}

// Discount takes an amount off the cart. The last one counts if it is called twice for
// one promotion. What cannot be done, as with an amount that is more than the subtotal,
// drops the promotion: it is taken off, and the others go on.
func (p *CrossPlan) Discount(pr CrossPromotion, a Amount) {
	w := p.plan.want(pr.promotion)
	if w == nil {
		return
	}
	a, flaw := p.plan.fit(a, "the subtotal", p.plan.base)
	if flaw != "" {
		p.plan.drop(pr.promotion, w, flaw)
		return
	}
	w.cross = a
}

// Show sets the text that the consumer sees, by language id such as es-ar. Without one
// the platform shows the promotion's name.
func (p *CrossPlan) Show(pr CrossPromotion, text map[string]string) { p.plan.show(pr.promotion, text) }
