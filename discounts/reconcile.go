package discounts

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
)

// commands returns what makes the cart as the plan wants it. Their order does not
// matter: no two of them are about the same promotion on the same line.
//
// What is wanted is created or updated also where it acts already, because a cart does
// not tell amounts. What acts and is not wanted is removed.
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

// wanted reports whether anything is wanted of the promotion.
func (w *want) wanted() bool { return !w.out && (w.byLine != nil || w.cross.hundredths > 0) }

func (p *plan) create(out *Commands, id uuid.UUID) {
	w := p.wants[id]
	if !w.wanted() {
		return
	}
	if p.tier == TierCrossItems {
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

// release removes a promotion that stays from the lines where it is not wanted.
func (p *plan) release(out *Commands, a acting, w *want) {
	if p.tier == TierCrossItems {
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

// removeAll returns what takes off the promotions of ours that act on the cart.
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
