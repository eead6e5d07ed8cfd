package refserver

import (
	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/label"
)

// Carriers is the side of the platform that asks shipping carriers for rates.
func (s *Server) Carriers() *carrier.Platform { return s.shipper }

// Labels is the side of the platform that asks shipping carriers for labels. It ends
// with the server.
func (s *Server) Labels() *label.Platform { return s.labels }
