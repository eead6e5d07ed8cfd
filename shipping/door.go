package shipping

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// door is what a callback must pass before it is read.
type door struct {
	maxBody  int64
	readTime time.Duration
}

// receive returns the body of a request that may be answered: whole, or an error that says why it is
// not. The status is 0, or that of a request that is refused unread.
func (d *door) receive(w http.ResponseWriter, r *http.Request, a *Access, arrived time.Time) (raw []byte, status int, err error) {
	if !callback.Open(w, r, http.MethodPost, arrived.Add(d.readTime)) {
		return nil, http.StatusMethodNotAllowed, nil
	}
	if !a.admits(r) {
		return nil, http.StatusForbidden, nil
	}
	if !isJSON(r.Header) {
		return nil, http.StatusUnsupportedMediaType, nil
	}
	if raw, err = callback.Body(w, r, d.maxBody); err != nil {
		if errors.Is(err, callback.ErrEncoded) {
			return nil, callback.Status(err), nil
		}
		return nil, 0, fmt.Errorf("%w: the body did not arrive: %w", ErrMalformed, err)
	}
	return raw, 0, nil
}

// isJSON reports whether the headers say that the body is JSON, or say nothing.
func isJSON(h http.Header) bool {
	kind := h.Get("Content-Type")
	if kind == "" || kind == "application/json" {
		return true
	}
	media, _, err := mime.ParseMediaType(kind)
	return err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}

// write answers with JSON.
func write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // who does not hear it has gone
}

// writeStatus answers with nothing but the status.
func writeStatus(w http.ResponseWriter, status int) {
	write(w, status, errorBody(http.StatusText(status)))
}

// errorBody is the body of an answer without rates.
func errorBody(reason string) []byte {
	body, err := wire.Marshal(struct {
		Error string `json:"error"`
	}{strings.ToValidUTF8(reason, "")})
	if err != nil {
		return []byte(`{}`)
	}
	return body
}
