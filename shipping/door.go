package shipping

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"

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
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return nil, http.StatusMethodNotAllowed, nil
	}
	if !a.admits(r) {
		return nil, http.StatusForbidden, nil
	}
	if !isJSON(r.Header) {
		return nil, http.StatusUnsupportedMediaType, nil
	}
	// Not every writer can do this; the server's own limits hold then. The deadline stays
	// unless the body was read whole, so that a sender cannot drip on.
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(arrived.Add(d.readTime))
	const most = 64 << 10 // a length is easily claimed
	var body bytes.Buffer
	body.Grow(int(min(max(r.ContentLength, 0), most)) + bytes.MinRead)
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, d.maxBody)); err != nil {
		return nil, 0, fmt.Errorf("%w: the body did not arrive: %w", ErrMalformed, err)
	}
	_ = control.SetReadDeadline(time.Time{}) // the server would take its end for a lost connection
	return body.Bytes(), 0, nil
}

// isJSON reports whether the headers say that the body is JSON as it is, or say nothing.
func isJSON(h http.Header) bool {
	for _, encoding := range h.Values("Content-Encoding") {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return false
		}
	}
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
