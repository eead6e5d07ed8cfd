package discounts

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
)

// commands returns the commands that change the cart to the plan. Their order does not matter, because no two of them
// are about the same promotion on the same line.
//
// Intended discounts are updated even if they are already applied, because a cart does not contain their amounts.
// Applied discounts that are not intended are removed.
func (p *plan) commands() *Commands {
	out := &Commands{}
	for _, id := range p.order {
		p.create(out, id)
	}
	var gone []uuid.UUID
	for _, a := range p.applied {
		w := p.wants[a.id]
		if w == nil || !w.wanted() {
			gone = append(gone, a.id)
			continue
		}
		p.release(out, a, w)
	}
	if len(gone) > 0 {
		out.Remove(gone...)
	}
	return out
}

// Reports whether the plan has any discount of the promotion.
func (w *want) wanted() bool { return !w.out && (w.byLine != nil || w.cross.hundredths > 0) }

func (p *plan) create(out *Commands, id uuid.UUID) {
	w := p.wants[id]
	if !w.wanted() {
		return
	}
	if p.tier == promotions.TierCrossItems {
		out.DiscountCart(id, p.currency, w.text, w.cross)
		return
	}
	lines := make([]LineDiscount, 0, len(w.byLine))
	for i, a := range w.byLine {
		if a.hundredths > 0 {
			lines = append(lines, LineDiscount{p.lines[i].id, a})
		}
	}
	out.DiscountLines(id, p.currency, w.text, lines...)
}

// release removes a promotion that stays in the cart from other lines than the plan's.
func (p *plan) release(out *Commands, a acting, w *want) {
	if p.tier == promotions.TierCrossItems {
		return
	}
	var lines []client.ID
	for i, acts := range a.line {
		if acts && w.byLine[i].hundredths == 0 {
			lines = append(lines, p.lines[i].id)
		}
	}
	if len(lines) > 0 {
		out.RemoveLines(a.id, lines...)
	}
}

// removeAll returns commands that remove the app's applied promotions from the cart.
func (f *facts) removeAll() *Commands {
	out := &Commands{}
	if len(f.applied) > 0 {
		gone := make([]uuid.UUID, len(f.applied))
		for i, a := range f.applied {
			gone[i] = a.id
		}
		out.Remove(gone...)
	}
	return out
}
