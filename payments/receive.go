package payments

import (
	"cmp"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// receive returns the body of a call. The status is 200, or that of the refusal.
func (c *Callback) receive(w http.ResponseWriter, r *http.Request, method string, deadline time.Time) ([]byte, int) {
	if !callback.Open(w, r, method, deadline) {
		return nil, http.StatusMethodNotAllowed
	}
	raw, err := callback.Body(w, r, cmp.Or(c.MaxBody, DefaultMaxBody))
	if err != nil {
		return nil, callback.Status(err)
	}
	return raw, http.StatusOK
}
