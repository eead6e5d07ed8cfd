package callback

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"strings"
	"time"
)

// ErrEncoded is what Body returns for a body with a Content-Encoding: what is signed and
// bounded is the body as it is.
var ErrEncoded = errors.New("the body is compressed")

// Open begins with a request: it must have arrived whole by the deadline, and is to be refused
// with 405 if Open reports that its method is another one.
func Open(w http.ResponseWriter, r *http.Request, method string, deadline time.Time) bool {
	// Not every writer can do this; the server's own limits hold then. The deadline stays
	// unless the body is read whole, so that a refused sender cannot drip on.
	_ = http.NewResponseController(w).SetReadDeadline(deadline)
	if r.Method != method {
		w.Header().Set("Allow", method)
		return false
	}
	return true
}

// Body returns the body of an opened request whole, or says why it cannot: see Status.
func Body(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	if !isPlain(r.Header) {
		return nil, ErrEncoded
	}
	if r.ContentLength > most {
		return nil, &http.MaxBytesError{Limit: most}
	}
	const likely = 64 << 10 // a length is easily claimed
	var body bytes.Buffer
	body.Grow(int(min(max(r.ContentLength, 0), likely)) + bytes.MinRead)
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, most)); err != nil {
		return nil, err
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the server would take its end for a lost connection
	return body.Bytes(), nil
}

// Status is what an error of Body is answered: 415, 413, 408 or 400.
func Status(err error) int {
	if errors.Is(err, ErrEncoded) {
		return http.StatusUnsupportedMediaType
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}

// isPlain reports whether no encoding but identity was applied to the body.
func isPlain(h http.Header) bool {
	for _, encoding := range h.Values("Content-Encoding") {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return false
		}
	}
	return true
}
