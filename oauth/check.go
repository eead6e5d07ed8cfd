package oauth

import (
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Check returns an error that describes an invalid configuration, or nil. Call it when the program starts: a
// misconfigured Handler answers browsers with an error page and installs nothing.
func (h *Handler) Check() error {
	var wrong callback.Check
	if _, err := h.App.AuthorizeURL(""); err != nil {
		wrong = append(wrong, err)
	}
	if h.Tokens == nil {
		wrong = append(wrong, errNoTokens)
	}
	if _, err := cookiesFor(h.PublicURL); err != nil {
		wrong = append(wrong, err)
	}
	if h.ReturnTo != "" {
		if err := checkTarget(h.ReturnTo); err != nil {
			wrong = append(wrong, fmt.Errorf("Handler.ReturnTo: %w", err))
		}
	}
	wrong.Refuse(h.States != nil && h.Verify == nil, "Handler.States without Verify: two installations may end at the same time on two replicas, "+
		"and the dead token of the first could be stored: set Verify to AliveBy")
	return errors.Join(wrong...)
}
