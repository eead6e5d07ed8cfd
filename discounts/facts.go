package discounts

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
)

// facts are what the answer to a cart is made of, taken from it before the app's
// code sees it. They do not change.
type facts struct {
	own      *own
	tier     Tier
	currency string
	subtotal int64 // in hundredths, rounded down
	lines    []fact
	applied  []acting // promotions of ours, of this tier
}

// fact is a line.
type fact struct {
	id    client.ID
	total int64 // of all its pieces, in hundredths, rounded down
}

// acting is a promotion that acts on the cart already.
type acting struct {
	id   uuid.UUID
	line []bool // by the index of the line
}

func factsOf(c *Cart, o *own) *facts {
	f := &facts{own: o, tier: c.Tier, currency: c.Currency, lines: make([]fact, len(c.Products))}
	sum := int64(0)
	for i := range c.Products {
		l := &c.Products[i]
		f.lines[i] = fact{l.ID, floor(l.Price, int64(l.Quantity))}
		sum = min(sum+f.lines[i].total, mostFixed)
	}
	f.subtotal = floor(c.Totals.Subtotal, 1)
	if c.Totals.Subtotal.Cmp(client.Money{}) <= 0 {
		f.subtotal = sum // the cart came without
	}
	f.apply(c.Promotions)
	return f
}

// apply notes the promotions that are ours and of this tier. Others are never touched.
func (f *facts) apply(all Applied) {
	if len(all) == 0 {
		return
	}
	index := make(map[client.ID]int, len(f.lines))
	for i, l := range f.lines {
		index[l.id] = i
	}
	at := map[uuid.UUID]int{}
	for i := range all {
		id, ok := promotionID(string(all[i].ID))
		if r := f.own.byID[id]; !ok || r == nil || r.Tier != f.tier {
			continue
		}
		if _, ok := at[id]; !ok {
			at[id] = len(f.applied)
			f.applied = append(f.applied, acting{id, make([]bool, len(f.lines))})
		}
		for _, line := range all[i].LineItems {
			if n, ok := index[line]; ok {
				f.applied[at[id]].line[n] = true
			}
		}
	}
}

// promotionID reads a UUID in its usual form and no other.
func promotionID(s string) (uuid.UUID, bool) {
	if len(s) != 36 {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil
}

// own are the promotions of the app in one store, as they were at a time.
type own struct {
	list    []Promotion
	byID    map[uuid.UUID]*Promotion
	version uint64 // differs from that of any other content
}

func newOwn(list []Promotion, version uint64) *own {
	o := &own{list, make(map[uuid.UUID]*Promotion, len(list)), version}
	for i := range list {
		o.byID[list[i].ID] = &list[i]
	}
	return o
}
