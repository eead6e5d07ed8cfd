package refserver

import "github.com/commerceplatform/commerce-go/internal/refserver/payment"

// Payments is the side of the platform that calls payment apps. It ends with the server.
func (s *Server) Payments() *payment.Platform { return s.payer }
