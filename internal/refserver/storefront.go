package refserver

import "github.com/commerceplatform/commerce-go/internal/refserver/shop"

// Storefront opens the storefront of a store. Its carts are in the world; what its apps
// were asked is remembered by each storefront for itself. Purchases are paid by the apps that
// Payments calls.
func (s *Server) Storefront(store int64, o shop.Options) *shop.Storefront {
	o.Payments, o.Locks = s.payer, &s.carts
	return shop.New(s.world, store, s.worker.Call, o)
}
