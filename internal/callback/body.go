package callback

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// ErrEncoded is what Body returns for a body with a Content-Encoding: what is signed and
// bounded is the body as it is.
var ErrEncoded = errors.New("the body is compressed")

// Open begins with a request: it must have arrived whole by the deadline, and is to be refused
// with 405 if Open reports that its method is another one. One that came in chunks is the last on
// its connection.
func Open(w http.ResponseWriter, r *http.Request, method string, deadline time.Time) bool {
	// Not every writer can do this; the server's own limits hold then. The deadline stays
	// unless the body is read whole, so that a refused sender cannot drip on.
	_ = http.NewResponseController(w).SetReadDeadline(deadline)
	// The platform sends a length. A request with a length and chunks has lost the first when it gets here, and a proxy
	// that went by it has another idea of where this body ends and the next request begins.
	if len(r.TransferEncoding) > 0 {
		w.Header().Set("Connection", "close")
	}
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
	body, err := readAll(http.MaxBytesReader(w, r.Body, most), int(min(max(r.ContentLength, 0), likely)))
	if err != nil {
		return nil, err
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the server would take its end for a lost connection
	return body, nil
}

// readAll is io.ReadAll with a guess at the size.
func readAll(from io.Reader, likely int) ([]byte, error) {
	all := make([]byte, 0, likely+1) // the end is met in the last byte
	for {
		n, err := from.Read(all[len(all):cap(all)])
		all = all[:len(all)+n]
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if len(all) == cap(all) {
			all = append(all, 0)[:len(all)]
		}
	}
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
	for _, encoding := range h["Content-Encoding"] {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return false
		}
	}
	return true
}
