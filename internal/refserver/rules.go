package refserver

import "github.com/commerceplatform/commerce-go/internal/refserver/rules"

// Rules is the side of the platform that asks apps about purchases.
func (s *Server) Rules() *rules.Platform { return s.ruler }
