package clienttest

import "github.com/google/uuid"

// PayCharge is the merchant paying a charge that the app made in the store:
// charge/paid is sent. A charge that does not exist, or was paid before, is an error.
func (s *Server) PayCharge(charge uuid.UUID) error {
	return s.platform.PayCharge(s.store, charge.String())
}

// FailCharge is a payment of a charge that fails: charge/failed is sent. The charge
// may still be paid later.
func (s *Server) FailCharge(charge uuid.UUID) error {
	return s.platform.FailCharge(s.store, charge.String())
}
