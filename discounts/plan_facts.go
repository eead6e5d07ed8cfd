package discounts

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
)

// facts are the properties of a cart that its answer requires. They are copied before the app's code receives the
// cart, and do not change.
type facts struct {
	own      *own
	tier     promotions.Tier
	currency string
	subtotal client.Money // 0 or less if the cart has none
	lines    []fact
	applied  []acting // the app's promotions of this tier
}

// fact is a line.
type fact struct {
	id     client.ID
	price  client.Money
	pieces int64
}

// total returns the price of all pieces, in hundredths, rounded down.
func (f fact) total() int64 { return floor(f.price, f.pieces) }

// base returns the price of the cart before discounts, in hundredths, rounded down.
func (f *facts) base() int64 {
	if f.subtotal.Cmp(client.Cents(0)) > 0 {
		return floor(f.subtotal, 1)
	}
	sum := int64(0)
	for _, l := range f.lines {
		sum = min(sum+l.total(), mostFixed)
	}
	return sum
}

// acting is a promotion that is already applied to the cart.
type acting struct {
	id   uuid.UUID
	line []bool // by the index of the line
}

func factsOf(c *Cart, o *own) facts {
	f := facts{own: o, tier: c.Tier, currency: c.Currency, subtotal: c.Totals.Subtotal, lines: make([]fact, len(c.Products))}
	for i := range c.Products {
		l := &c.Products[i]
		f.lines[i] = fact{l.ID, l.Price, int64(l.Quantity)}
	}
	f.apply(c.Promotions)
	return f
}

// apply records the app's promotions of this tier. Others are never changed.
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

// promotionID reads a UUID in its usual form only.
func promotionID(s string) (uuid.UUID, bool) {
	if len(s) != 36 {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil
}

// own are the app's promotions in one store at some time.
type own struct {
	list    []promotions.Promotion
	byID    map[uuid.UUID]*promotions.Promotion
	version uint64 // unique for each content
}

func newOwn(list []promotions.Promotion, version uint64) *own {
	o := &own{list, make(map[uuid.UUID]*promotions.Promotion, len(list)), version}
	for i := range list {
		o.byID[list[i].ID] = &list[i]
	}
	return o
}
