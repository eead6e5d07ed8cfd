package res

import (
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func checkoutOps() []api.Op {
	read := []string{"read_orders"}
	return []api.Op{
		{ID: "checkouts.list", Method: "GET", Path: "/checkouts", Scopes: read,
			Query: api.Recurring(), Handler: api.Collection(findCheckouts, showCheckout)},
		{ID: "checkouts.get", Method: "GET", Path: "/checkouts/{checkout_id}", Scopes: read,
			Errors: []api.ErrCase{{Status: 404, Text: "null"}}, Handler: getCheckout},
	}
}

type checkoutJSON struct {
	ID      int64 `json:"id"`
	StoreID int64 `json:"store_id"`
	saleJSON
	shippingJSON
	ShippingName         *string `json:"shipping_name"`
	ShippingPhone        *string `json:"shipping_phone"`
	ShippingAddress      *string `json:"shipping_address"`
	ShippingNumber       *string `json:"shipping_number"`
	ShippingFloor        *string `json:"shipping_floor"`
	ShippingLocality     *string `json:"shipping_locality"`
	ShippingZipcode      *string `json:"shipping_zipcode"`
	ShippingCity         *string `json:"shipping_city"`
	ShippingProvince     *string `json:"shipping_province"`
	ShippingCountry      *string `json:"shipping_country"`
	CompletedAt          any     `json:"completed_at"`
	AbandonedCheckoutURL string  `json:"abandoned_checkout_url"`
}

func showCheckout(tx *world.Tx, in *api.In, c world.Checkout) any {
	a := c.Sale.ShippingAddress
	return checkoutJSON{
		ID:                   c.ID,
		StoreID:              tx.Store().ID,
		saleJSON:             saleOnWire(tx, in, c.ID, c.Sale),
		shippingJSON:         shippingOnWire(c.Sale, "noop"),
		ShippingName:         orNull(a.Name),
		ShippingPhone:        orNull(a.Phone),
		ShippingAddress:      orNull(a.Address),
		ShippingNumber:       orNull(a.Number),
		ShippingFloor:        orNull(a.Floor),
		ShippingLocality:     orNull(a.Locality),
		ShippingZipcode:      orNull(a.Zipcode),
		ShippingCity:         orNull(a.City),
		ShippingProvince:     orNull(a.Province),
		ShippingCountry:      orNull(a.Country),
		AbandonedCheckoutURL: c.AbandonedURL,
	}
}

// findCheckouts lists those of the last 30 days.
func findCheckouts(tx *world.Tx, in *api.In) ([]world.Checkout, error) {
	var out []world.Checkout
	for _, c := range tx.Checkouts.All() {
		if readable(tx, c) && in.Selects(c.ID, c.CreatedAt, c.UpdatedAt) {
			out = append(out, c)
		}
	}
	return out, nil
}

func getCheckout(tx *world.Tx, in *api.In) (any, error) {
	c, ok := tx.Checkouts.Get(in.ID("checkout_id"))
	if !ok || !readable(tx, c) {
		return nil, api.NotFound("")
	}
	return showCheckout(tx, in, c), nil
}

func readable(tx *world.Tx, c world.Checkout) bool {
	return tx.Now().Sub(c.CreatedAt) <= tx.Limits().CheckoutReadable
}
