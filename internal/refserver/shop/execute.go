package shop

import (
	"cmp"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// execute judges the commands of an answer and, if all of them are valid, executes
// them in an order of its own.
func (s *Storefront) execute(tx *world.Tx, c *cart, r *Run) {
	is := rules{app: r.App, tier: r.Tier, currency: c.Currency, lines: map[int64]bool{}, promotion: tx.Promotions.Get}
	for _, l := range c.Lines {
		is.lines[l.ID] = true
	}
	commands, faults, err := is.read(r.Answer)
	for _, fault := range faults {
		r.Commands = append(r.Commands, Verdict{Err: fault})
		err = cmp.Or(err, fault)
	}
	if err != nil {
		r.Outcome, r.Reason = Removed, err.Error()
		return
	}
	r.Outcome = Applied
	for turn, i := range s.shuffled(len(commands)) {
		r.Commands[i].Turn = turn + 1
		commands[i].apply(&c.Visit)
	}
	c.prune()
}

// apply changes what is taken off a cart.
func (c command) apply(v *world.Visit) {
	discounts := slices.Clone(v.Discounts)
	for n, t := range c.targets {
		i := slices.IndexFunc(discounts, func(d world.CartDiscount) bool { return d.PromotionID == t.promotion })
		switch {
		case c.remove && i < 0:
		case c.remove && t.line == 0:
			discounts = slices.Delete(discounts, i, i+1)
		case c.remove:
			discounts[i].Lines = without(discounts[i].Lines, func(line int64) bool { return line != t.line })
		default:
			if i < 0 {
				i = len(discounts)
				discounts = append(discounts, world.CartDiscount{AppID: c.app, PromotionID: t.promotion, Tier: c.tier})
			}
			discounts[i] = discounts[i].With(t.line, c.reductions[n])
		}
	}
	v.Discounts = discounts
}
