package res

import (
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func cartOps() []api.Op {
	return []api.Op{
		{ID: "carts.get", Method: "GET", Path: "/carts/{id}", Scopes: []string{"read_orders"}, Versions: []string{api.V202503, api.Unstable},
			Errors: []api.ErrCase{{Status: 404, Text: "null"}}, Provenance: api.Assumed, Handler: getCart},
	}
}

type cartJSON struct {
	ID        int64      `json:"id"`
	Token     string     `json:"token"`
	StoreID   int64      `json:"store_id"`
	Currency  string     `json:"currency"`
	Language  string     `json:"language"`
	Products  []lineJSON `json:"products"`
	Coupon    []any      `json:"coupon"`
	CreatedAt string     `json:"created_at"`
	UpdatedAt string     `json:"updated_at"`
}

// getCart answers in the shape of checkouts, because no other is known.
func getCart(tx *world.Tx, in *api.In) (any, error) {
	c, ok := tx.Carts.Get(in.ID("id"))
	if !ok {
		return nil, api.NotFound("")
	}
	out := cartJSON{
		ID:        c.ID,
		Token:     c.Token,
		StoreID:   tx.Store().ID,
		Currency:  c.Currency,
		Language:  c.Language,
		Products:  []lineJSON{},
		Coupon:    []any{},
		CreatedAt: api.Stamp(c.CreatedAt),
		UpdatedAt: api.Stamp(c.UpdatedAt),
	}
	for _, l := range c.Lines {
		out.Products = append(out.Products, lineOnWire(tx, in, l))
	}
	for _, id := range c.Coupons {
		if k, ok := tx.Coupons.Get(id); ok {
			out.Coupon = append(out.Coupon, showCoupon(tx, in, k))
		}
	}
	return out, nil
}
