package refserver

import (
	"context"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
)

// Storefront opens the storefront of a store. Its carts are in the world. Each storefront has its own log of the calls
// to its apps. Purchases are paid by the apps that Payments calls, and business rules may refuse them, after o.Finish.
func (s *Server) Storefront(store int64, o shop.Options) *shop.Storefront {
	o.Payments, o.Locks = s.payer, &s.carts
	first := o.Finish
	o.Finish = func(ctx context.Context, c shop.Checkout) error {
		if first != nil {
			if err := first(ctx, c); err != nil {
				return err
			}
		}
		return s.mayFinish(ctx, store, c)
	}
	front := shop.New(s.world, store, s.worker.Call, o)
	s.noteRuns(front.Log(), store)
	return front
}
