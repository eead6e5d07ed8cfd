package control

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// carts lists the carts that can be changed.
func carts(c *call) (any, error) {
	f := c.front()
	var seen shop.View // by keep, which comes before show
	return records[cartRow]{
		in: c.cartRows, key: func(r cartRow) int64 { return r.id },
		keep: func(r cartRow) bool {
			var err error
			if r.open {
				seen, err = f.View(r.id)
			}
			return r.open && err == nil // otherwise it has just become an order
		},
		show: func(cartRow) any {
			shown := showView(seen)
			if by := c.shellOf(seen.ID); by != "" {
				shown["shell"] = by
			}
			return shown
		},
	}.page(c)
}

// cartRow is a cart, and whether it can be changed.
type cartRow struct {
	id   int64
	open bool
}

// cartRows are a part of the carts of the store.
func (c *call) cartRows(p work.Part) (out []cartRow) {
	_ = c.server.World().View(0, c.st.ID, func(tx *world.Tx) error { // without the store there are none
		all := tx.Carts.After(p.After)
		if p.Newest {
			all = tx.Carts.Before(p.After)
		}
		for id, k := range all {
			if len(out) == p.Most {
				break
			}
			out = append(out, cartRow{id, !k.Converted && shop.IsOpen(tx, id)})
		}
		return nil
	})
	return out
}

// cart is the storefront and the cart of the path as it is.
func (c *call) cart() (*front, shop.View, error) {
	f := c.front()
	id := c.id("cart")
	if one := c.cartRows(work.Part{After: id - 1, Most: 1}); len(one) == 0 || one[0] != (cartRow{id, true}) {
		open := slices.DeleteFunc(c.cartRows(lastKnown), func(r cartRow) bool { return !r.open })
		return nil, shop.View{}, unknown("cart", c.r.PathValue("cart"), ids(open, func(r cartRow) int64 { return r.id }))
	}
	v, err := f.View(id)
	return f, v, err
}

// basket is the storefront and what the path names: a cart that can be changed, or an abandoned checkout.
func (c *call) basket() (*front, int64, error) {
	if c.r.PathValue("checkout") == "" {
		f, v, err := c.cart()
		return f, v.ID, err
	}
	f := c.front()
	id := c.id("checkout")
	err := c.server.World().View(0, c.st.ID, func(tx *world.Tx) error {
		if tx.Checkouts.Has(id) {
			return nil
		}
		known := ids(tx.Checkouts.Values(), func(k world.Checkout) int64 { return k.ID })
		return unknown("checkout", c.r.PathValue("checkout"), known)
	})
	return f, id, err
}

type newCartJSON struct {
	Customer int64     `json:"customer"`
	Language string    `json:"language"`
	SoldBy   string    `json:"sold_by"`
	UTM      []utmJSON `json:"utm"`
}

type utmJSON struct {
	Source    string `json:"source"`
	Medium    string `json:"medium"`
	Campaign  string `json:"campaign"`
	Term      string `json:"term"`
	Content   string `json:"content"`
	Timestamp int64  `json:"timestamp"`
}

func newCart(c *call, in newCartJSON) (any, error) {
	f := c.front()
	by := shop.Customer{ID: in.Customer, Language: in.Language, SoldBy: in.SoldBy}
	for _, u := range in.UTM {
		by.UTM = append(by.UTM, world.UTM(u))
	}
	v, err := f.NewCart(by)
	if err != nil {
		return nil, err
	}
	if by := c.r.Header.Get(shellHeader); by != "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.shells[v.ID] = by
	}
	return showView(v), nil
}

// dropCart removes a cart that is empty, as after a first line that was refused.
func dropCart(c *call) (any, error) {
	f, v, err := c.cart()
	if err != nil {
		return nil, err
	}
	return map[string]any{"id": v.ID}, f.Drop(v.ID)
}

// shellHeader names the shell of a command, so that commands of two shells do not share a cart unless they name it.
const shellHeader = "Refserver-Shell"

// shellOf is the shell that began a cart; empty if no command did.
func (c *call) shellOf(cart int64) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shells[cart]
}

func showCart(c *call) (any, error) {
	_, v, err := c.cart()
	if err != nil {
		return nil, err
	}
	return showView(v), nil
}

// changed makes a change of the cart of the path and shows what came of it.
func (c *call) changed(f func(s *front, cart int64) (shop.View, error)) (any, error) {
	at, before, err := c.cart()
	if err != nil {
		return nil, err
	}
	last := len(at.Runs())
	if last > 0 {
		last = at.Runs()[last-1].N
	}
	after, err := f(at, before.ID)
	if err != nil {
		return nil, err
	}
	made := []any{}
	var runs []shop.Run
	for _, r := range at.Runs() {
		if r.N > last && r.Cart == before.ID {
			runs = append(runs, r)
			made = append(made, showRun(r))
		}
	}
	return map[string]any{
		"cart": showView(after), "before": showView(before), "runs": made, "vanished": vanished(before, after, runs),
	}, nil
}

type lineJSON struct {
	Variant  int64 `json:"variant"`
	Line     int64 `json:"line"`
	Quantity int64 `json:"quantity"`
}

func addLine(c *call, in lineJSON) (any, error) {
	return c.changed(func(s *front, cart int64) (shop.View, error) {
		return s.Add(c.ctx, cart, in.Variant, in.Quantity)
	})
}

func setQuantity(c *call, in lineJSON) (any, error) {
	return c.changed(func(s *front, cart int64) (shop.View, error) {
		return s.SetQuantity(c.ctx, cart, in.Line, in.Quantity)
	})
}

func removeLine(c *call, in lineJSON) (any, error) {
	return c.changed(func(s *front, cart int64) (shop.View, error) {
		return s.Remove(c.ctx, cart, in.Line)
	})
}

type couponJSON struct {
	Code string `json:"code"`
}

func applyCoupon(c *call, in couponJSON) (any, error) {
	return c.changed(func(s *front, cart int64) (shop.View, error) {
		return s.ApplyCoupon(c.ctx, cart, in.Code)
	})
}

func removeCoupon(c *call) (any, error) {
	return c.changed(func(s *front, cart int64) (shop.View, error) {
		return s.RemoveCoupon(c.ctx, cart, c.r.PathValue("code"))
	})
}

type customerJSON struct {
	Customer int64 `json:"customer"`
}

func setCustomer(c *call, in customerJSON) (any, error) {
	return c.changed(func(s *front, cart int64) (shop.View, error) {
		return s.SetCustomer(c.ctx, cart, in.Customer)
	})
}

type destinationJSON struct {
	Country string `json:"country"`
	City    string `json:"city"`
	Zipcode string `json:"zipcode"`
	Cost    amount `json:"cost"`
}

func setDestination(c *call, in destinationJSON) (any, error) {
	return c.changed(func(s *front, cart int64) (shop.View, error) {
		return s.SetDestination(c.ctx, cart, shop.Destination{
			Country: in.Country, City: in.City, Zipcode: in.Zipcode, Cost: in.Cost.Decimal,
		})
	})
}

type methodJSON struct {
	Method       string `json:"method"`
	Company      string `json:"company"`
	Installments int    `json:"installments"`
}

func setPayment(c *call, in methodJSON) (any, error) {
	return c.changed(func(s *front, cart int64) (shop.View, error) {
		return s.SetPayment(c.ctx, cart, shop.Payment{
			Method: in.Method, CreditCardCompany: in.Company, Installments: in.Installments,
		})
	})
}

func setContact(c *call, in contactJSON) (any, error) {
	return c.changed(func(s *front, cart int64) (shop.View, error) {
		return s.SetContact(c.ctx, cart, shop.Contact(in))
	})
}

// abandonCart leaves the cart of the path at the second step of the checkout.
func abandonCart(c *call) (any, error) {
	f, v, err := c.cart()
	if err != nil {
		return nil, err
	}
	if err := f.Abandon(c.ctx, v.ID); err != nil {
		return nil, err
	}
	return map[string]any{"checkout": v.ID}, nil
}

func replay(c *call) (any, error) {
	return c.changed(func(s *front, cart int64) (shop.View, error) {
		return s.Replay(c.ctx, cart)
	})
}

func runs(c *call) (any, error) {
	f := c.front()
	return records[shop.Run]{in: f.RunsIn, key: func(r shop.Run) int64 { return int64(r.N) }, show: showRun}.page(c)
}
