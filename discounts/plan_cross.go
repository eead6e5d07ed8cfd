package discounts

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client/promotions"
)

// CrossPlan collects an app's discounts on a cart as a whole. It is valid only during the function call that receives
// it.
type CrossPlan struct{ plan *plan }

// CrossPromotion is an active promotion of the tier TierCrossItems, obtained from a plan.
type CrossPromotion struct{ promotion }

// Cart returns the cart as the platform sent it.
func (p *CrossPlan) Cart() *Cart { return p.plan.cart }

// Promotions returns the active promotions of the tier, in the platform's order.
func (p *CrossPlan) Promotions() []CrossPromotion {
	var all []CrossPromotion
	for _, pr := range p.plan.usable() {
		all = append(all, CrossPromotion{pr})
	}
	return all
}

// Promotion returns the active promotion of the tier with an id. The result ok is false if there is none.
func (p *CrossPlan) Promotion(id uuid.UUID) (CrossPromotion, bool) {
	pr, ok := p.plan.find(func(r *promotions.Promotion) bool { return r.ID == id })
	return CrossPromotion{pr}, ok
}

// Named returns the first active promotion of the tier with a name. The result ok is false if there is none.
func (p *CrossPlan) Named(name string) (CrossPromotion, bool) {
	pr, ok := p.plan.find(func(r *promotions.Promotion) bool { return r.Name == name })
	return CrossPromotion{pr}, ok
}

// Discount sets a discount on the cart. The contract does not say of which price a percentage is; the reference server
// takes the price after the discounts of lines. A second call for the same promotion replaces the first amount. If the
// discount is not possible, for example because the amount exceeds the subtotal, the promotion is dropped. It is then
// removed from the cart, and the other promotions are not affected.
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

// Show sets the text that the customer sees, by language id such as es-ar. By default the platform displays the
// promotion's name.
func (p *CrossPlan) Show(pr CrossPromotion, text map[string]string) { p.plan.show(pr.promotion, text) }
