package refserver

import "github.com/commerceplatform/commerce-go/internal/refserver/shop"

// Storefront opens the storefront of a store. Its carts are in the world; what its apps
// were asked is remembered by each storefront for itself.
func (s *Server) Storefront(store int64, o shop.Options) *shop.Storefront {
	return shop.New(s.world, store, s.worker.Call, o)
}
