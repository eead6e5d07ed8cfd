package refserver

import (
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// PayCharge is the merchant paying a charge of an app: charge/paid is sent. A charge
// that was paid before is an error.
func (s *Server) PayCharge(store int64, charge string) error {
	return s.world.Update(0, store, func(tx *world.Tx) error { return res.CloseCharge(tx, charge, "pay") })
}

// FailCharge is a payment of a charge that fails: charge/failed is sent. It may be
// paid later.
func (s *Server) FailCharge(store int64, charge string) error {
	return s.world.Update(0, store, func(tx *world.Tx) error { return res.CloseCharge(tx, charge, "fail") })
}
