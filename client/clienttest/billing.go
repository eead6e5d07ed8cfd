package clienttest

import "github.com/google/uuid"

// PayCharge pays a charge that the app made in the store, as the merchant does. The platform sends charge/paid.
// PayCharge fails if the charge does not exist or is already paid.
func (s *Server) PayCharge(charge uuid.UUID) error {
	return s.platform.PayCharge(s.store, charge.String())
}

// FailCharge makes the payment of a charge fail. The platform sends charge/failed. The charge may still be paid later.
func (s *Server) FailCharge(charge uuid.UUID) error {
	return s.platform.FailCharge(s.store, charge.String())
}
