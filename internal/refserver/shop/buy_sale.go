package shop

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// basket is what can be bought: a cart, an abandoned checkout, or both under one id.
type basket struct {
	cart     cart
	isCart   bool
	checkout world.Checkout // its ID is 0 for none
}

// find returns what can be bought under an id. Of a cart that was abandoned, the cart is what
// counts for as long as it can be changed.
func find(tx *world.Tx, id int64) (basket, error) {
	var b basket
	k, abandoned := tx.Checkouts.Get(id)
	if abandoned && k.OrderID != 0 {
		return b, fmt.Errorf("%w: %d, which became order %d", ErrNoCart, id, k.OrderID)
	}
	b.checkout, b.isCart = k, tx.Carts.Has(id) && (!abandoned || res.IsRevivable(tx, k))
	if b.isCart || !abandoned {
		var err error
		b.cart, err = load(tx, id)
		return b, err
	}
	v, _ := tx.Visits.Get(id)
	v.CartID = id
	b.cart = cart{world.Cart{
		ID: id, Token: k.Token, Lines: k.Lines, Coupons: k.Coupons, Currency: k.Currency, Language: k.Language,
	}, v}
	b.cart.ShippingCost, b.cart.Discounts = k.ShippingCostCustomer, nil
	for _, p := range k.Promotions {
		b.cart.Discounts = granted(b.cart.Discounts, p)
	}
	return b, nil
}

// granted adds what a promotion takes off a sale to discounts.
func granted(to []world.CartDiscount, p world.SalePromotion) []world.CartDiscount {
	at := slices.IndexFunc(to, func(d world.CartDiscount) bool { return d.PromotionID == p.PromotionID })
	if at < 0 {
		at = len(to)
		to = append(to, world.CartDiscount{AppID: p.AppID, PromotionID: p.PromotionID, Tier: p.Tier})
	}
	to[at] = to[at].With(p.LineID, p.Reduction)
	return to
}

// left is the sale of an abandoned checkout. If it has a cart, the bill follows the address, and the address follows
// the contact, which may change.
func (b basket) left() world.Sale {
	s := b.checkout.Sale
	if !b.isCart {
		return s
	}
	if s.Billing == s.ShippingAddress.Billing() {
		s.Billing = world.Billing{}
	}
	if a := &s.ShippingAddress; a.Name == s.ContactName && a.Phone == s.ContactPhone {
		a.Name, a.Phone = "", ""
	}
	return s
}

// sell is the order that a basket becomes, without what PlaceOrder does, and the origins
// of its lines.
func (b basket) sell(tx *world.Tx, p Purchase) (world.Order, map[int64]string, error) {
	o := world.Order{Sale: b.left(), SoldBy: b.cart.SoldBy}
	chosen, err := b.choose(tx, p.Rate)
	if err != nil {
		return o, nil, err
	}
	o.Rates, o.Note = chosen.rates, cmp.Or(p.Note, o.Note)
	o.Token, o.Currency, o.Language = b.cart.Token, b.cart.Currency, b.cart.Language
	o.Coupons = slices.Clone(b.cart.Coupons)
	if o.Lines, err = b.lines(tx); err != nil {
		return o, nil, err
	}
	b.discount(tx, &o.Sale)
	b.ship(&o.Sale, chosen)
	if o, err = b.contact(tx, o, p); err != nil {
		return o, nil, err
	}
	if err := b.address(tx, &o, p, chosen); err != nil {
		return o, nil, err
	}
	b.pay(tx, &o.Sale, p.Payment)
	if b.cart.SoldBy != "" {
		seller, _ := json.Marshal(b.cart.SoldBy) // a text can be written
		o.Extra = maps.Clone(o.Extra)
		if o.Extra == nil {
			o.Extra = map[string]json.RawMessage{}
		}
		o.Extra["sold_by"] = seller
	}
	return o, chosen.origins, nil
}

// lines are those of the basket as they are sold: at the price that the customer saw. Deleted products are not sold.
func (b basket) lines(tx *world.Tx) ([]world.Line, error) {
	var out []world.Line
	for _, l := range b.cart.Lines {
		l = own(l)
		if !tx.Variants.Has(l.VariantID) {
			return nil, fmt.Errorf("line %d: variant %d was deleted: remove the line", l.ID, l.VariantID)
		}
		if part, ok := b.cart.Kits[l.ID]; ok {
			at := slices.IndexFunc(out, func(o world.Line) bool { return o.Kit != nil && o.Kit.OrderKitID == part.Order })
			if at >= 0 {
				l.Kit = out[at].Kit
			} else if l.Kit, ok = res.SoldKit(tx, part.Catalog, part.Order, b.cart.Language); !ok {
				return nil, fmt.Errorf("line %d: kit %d is not valid any more: remove the line", l.ID, part.Catalog)
			}
		}
		out = append(out, l)
	}
	return out, nil
}

// discount puts what apps take off a cart into a sale. Of an abandoned checkout it leaves
// what was taken off then.
func (b basket) discount(tx *world.Tx, s *world.Sale) {
	if !b.isCart {
		return
	}
	v := view(tx, b.cart)
	s.Discount, s.DiscountCoupon, s.Excess = v.Promotions, decimal.Decimal{}, decimal.Decimal{}
	s.Promotions = nil
	for _, d := range v.Discounts {
		s.Promotions = append(s.Promotions, world.SalePromotion{
			AppID: d.App, PromotionID: d.Promotion, Name: d.Name, Tier: d.Tier, LineID: d.Line, Amount: d.Amount,
			Reduction: world.Reduction{Percentage: d.Percentage, Amount: d.Value, Text: d.Text},
		})
	}
}

// contact says who buys.
func (b basket) contact(tx *world.Tx, o world.Order, p Purchase) (world.Order, error) {
	known, ok := tx.Customers.Get(b.cart.CustomerID)
	if ok {
		o.CustomerID = known.ID
	}
	if !ok && b.isCart && tx.Store().CustomerAccounts == "mandatory" {
		return o, errors.New("customer: the store requires an account: log in (SetCustomer) first")
	}
	b.meet(&o.Sale, p.Contact, known)
	if !res.IsEmail(o.ContactEmail) {
		return o, fmt.Errorf("contact: email %q: must be an email address", o.ContactEmail)
	}
	for _, r := range o.Rates {
		switch {
		case r.IDRequired && o.ContactIdentification == "":
			return o, fmt.Errorf("contact: identification: rate %q requires one", r.Name)
		case r.PhoneRequired && o.ContactPhone == "":
			return o, fmt.Errorf("contact: phone: rate %q requires one", r.Name)
		}
	}
	return o, nil
}

// meet fills in who buys: as is said now, then as the cart has it, then the customer who has
// logged in. A checkout without a cart goes by who left it.
func (b basket) meet(s *world.Sale, now Contact, known world.Customer) {
	account := Contact{Name: known.Name, Email: known.Email, Phone: known.Phone, Identification: known.Identification}
	first, last := b.cart.Contact, Contact{
		Name: s.ContactName, Email: s.ContactEmail, Phone: s.ContactPhone, Identification: s.ContactIdentification,
	}
	if !b.isCart {
		first, last = last, first
	}
	s.ContactName = cmp.Or(strings.TrimSpace(now.Name), first.Name, account.Name, last.Name)
	s.ContactEmail = cmp.Or(strings.TrimSpace(now.Email), first.Email, account.Email, last.Email)
	s.ContactPhone = cmp.Or(now.Phone, first.Phone, account.Phone, last.Phone)
	s.ContactIdentification = cmp.Or(now.Identification, first.Identification, account.Identification, last.Identification)
}

// address says where the order and its bill go.
func (b basket) address(tx *world.Tx, o *world.Order, p Purchase, c chosen) error {
	to := p.Shipping
	if len(c.rates) > 0 && to != (world.Address{}) && (to.Country != c.to.Country || to.Zipcode != c.to.Zipcode) {
		return fmt.Errorf("shipping: %s %s: the rates were quoted for %s %s: ask for a quote for the address",
			to.Country, to.Zipcode, c.to.Country, c.to.Zipcode)
	}
	known, _ := tx.Customers.Get(b.cart.CustomerID)
	var usual world.Address
	if i := slices.IndexFunc(known.Addresses, func(a world.CustomerAddress) bool { return a.Default }); i >= 0 {
		usual = known.Addresses[i].Address
	}
	left := o.ShippingAddress
	visited := world.Address{Country: b.cart.Country, City: b.cart.City, Zipcode: b.cart.Zipcode}
	if b.isCart && (left.Country != visited.Country || left.City != visited.City || left.Zipcode != visited.Zipcode) {
		left = cmp.Or(visited, left)
	}
	o.ShippingAddress = cmp.Or(to, c.to, left, visited, usual)
	if a := &o.ShippingAddress; *a != (world.Address{}) {
		a.Name, a.Phone = cmp.Or(a.Name, o.ContactName), cmp.Or(a.Phone, o.ContactPhone)
	}
	o.Billing = cmp.Or(p.Billing.Billing(), o.Billing, o.ShippingAddress.Billing(), known.Billing)
	return nil
}

// ship says how a sale without a rate is shipped: as the checkout has it, or as the merchant
// likes, for what the cart says.
func (b basket) ship(s *world.Sale, c chosen) {
	switch {
	case c.digital:
		s.Shipping, s.ShippingOption, s.ShippingPickupType = "not-provided", "", world.NonShippable
		s.ShippingCostCustomer, s.ShippingCostOwner = b.cart.ShippingCost, decimal.Decimal{}
	case len(c.rates) > 0: // PlaceOrder goes by them
	case b.checkout.ID == 0:
		s.Shipping, s.ShippingPickupType, s.ShippingCostCustomer = "not-provided", world.Ship, b.cart.ShippingCost
	default:
		s.ShippingCostCustomer = b.cart.ShippingCost
	}
}

// pay says how a sale is to be paid: by the app or, without one, as the cart has it.
func (b basket) pay(tx *world.Tx, s *world.Sale, by Charge) {
	if m := b.cart.PaymentMethod; m != "" {
		s.PaymentMethod, s.CreditCardCompany, s.Installments = m, b.cart.CreditCardCompany, b.cart.Installments
	}
	if by.Provider == "" {
		return
	}
	p, _ := tx.PaymentProviders.Get(by.Provider)
	s.Gateway, s.GatewayName, s.PaymentMethod, s.CreditCardCompany = p.ID, p.Name, by.MethodType, ""
	if by.MethodType == "credit_card" {
		s.CreditCardCompany = by.MethodID
	}
}

// close notes that a basket has become an order, and forgets what only a cart needs.
func (b basket) close(tx *world.Tx, o world.Order) error {
	id := b.cart.ID
	tx.Visits.Delete(id)
	tx.Quotes.Delete(id)
	if c, ok := tx.Carts.Get(id); ok {
		c.Converted, c.OrderID, c.UpdatedAt = true, o.ID, tx.Now()
		if err := tx.Carts.Put(id, c); err != nil {
			return err
		}
	}
	if b.checkout.ID == 0 {
		return nil
	}
	k := b.checkout
	k.CompletedAt, k.OrderID, k.UpdatedAt = tx.Now(), o.ID, tx.Now()
	return tx.Checkouts.Put(id, k)
}
