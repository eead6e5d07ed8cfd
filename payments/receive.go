package payments

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"os"
	"strings"
	"time"
)

// receive returns the body of a call. The status is 200, or that of the refusal.
func (c *Callback) receive(w http.ResponseWriter, r *http.Request, method string, deadline time.Time) ([]byte, int) {
	// Not every writer can do this; the server's own limits hold then. The deadline stays
	// unless the body was read whole, so that a refused sender cannot drip on.
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(deadline)

	if r.Method != method {
		w.Header().Set("Allow", method)
		return nil, http.StatusMethodNotAllowed
	}
	for _, encoding := range r.Header.Values("Content-Encoding") {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return nil, http.StatusUnsupportedMediaType
		}
	}
	limit := cmp.Or(c.MaxBody, DefaultMaxBody)
	if r.ContentLength > limit {
		return nil, http.StatusRequestEntityTooLarge
	}
	var body bytes.Buffer
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, limit)); err != nil {
		return nil, statusOf(err)
	}
	_ = control.SetReadDeadline(time.Time{}) // the server would take its end for a lost connection
	return body.Bytes(), http.StatusOK
}

func statusOf(err error) int {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}
