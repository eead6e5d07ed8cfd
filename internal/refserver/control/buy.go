package control

import (
	"context"
	"errors"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type purchaseJSON struct {
	Contact    contactJSON `json:"contact"`
	Shipping   addressJSON `json:"shipping"`
	Billing    addressJSON `json:"billing"`
	Rate       rateJSON    `json:"rate"`
	Provider   string      `json:"provider"`
	MethodType string      `json:"method_type"`
	MethodID   string      `json:"method_id"`
	Note       string      `json:"note"`
}

type contactJSON struct {
	Name           string `json:"name"`
	Email          string `json:"email"`
	Phone          string `json:"phone"`
	Identification string `json:"identification"`
}

// rateJSON names a rate of the last quote by any of its members.
type rateJSON struct {
	Option    int64  `json:"option"`
	Code      string `json:"code"`
	Name      string `json:"name"`
	Reference string `json:"reference"`
}

func (a addressJSON) world() world.Address {
	return world.Address{
		Name: a.Name, Address: a.Address, Number: a.Number, Floor: a.Floor, Locality: a.Locality, City: a.City,
		Province: a.Province, Country: a.Country, Zipcode: a.PostalCode, Phone: a.Phone,
	}
}

func (in purchaseJSON) purchase() shop.Purchase {
	return shop.Purchase{
		Contact: shop.Contact(in.Contact), Shipping: in.Shipping.world(), Billing: in.Billing.world(), Rate: shop.Choice(in.Rate),
		Payment: shop.Charge{Provider: in.Provider, MethodType: in.MethodType, MethodID: in.MethodID}, Note: in.Note,
	}
}

// buy makes the cart of the path, or the abandoned checkout, an order. It answers with the order even if its payment
// could not be begun: then it says why.
func buy(c *call, in purchaseJSON) (any, error) {
	f, id, err := c.basket()
	if err != nil {
		return nil, err
	}
	if in.Provider == "" && (in.MethodType != "" || in.MethodID != "") {
		return nil, wrong("provider", "", "must be the UUID of a payment provider if a method is set")
	}
	b, err := f.Buy(c.ctx, id, in.purchase())
	if b.Order == 0 {
		return nil, hinted(err)
	}
	out := map[string]any{
		"order": b.Order, "number": b.Number, "customer": b.Customer, "sold_by": b.SoldBy, "currency": b.Currency,
		"subtotal": money(b.Subtotal), "promotions": money(b.Promotions), "coupon": money(b.Coupon),
		"shipping": money(b.Shipping), "total": money(b.Total), "payment": nil, "unpaid": "",
	}
	if b.Payment != nil {
		out["payment"] = showPayment(*b.Payment)
	}
	if err != nil {
		out["unpaid"] = err.Error()
	}
	return out, nil
}

// hinted says that a purchase that was refused has changed nothing.
func hinted(err error) error {
	if !errors.Is(err, shop.ErrRefused) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &Error{Message: message(err), Hint: "the cart is unchanged: correct it and buy again"}
}
