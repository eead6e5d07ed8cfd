package shipping

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// row returns a row of the kernel with the fields that rates and labels have in common.
func row[C any](name string, limits callback.Limits, access *Access) callback.Kind[C] {
	guard := callback.NewGuard(limits.Budget / 20)
	return callback.Kind[C]{
		Name: name, Method: http.MethodPost, Limits: limits,
		Misconfigured: http.StatusServiceUnavailable, Malformed: http.StatusBadRequest,
		Full:   http.StatusTooManyRequests, // does not count as a failure of the carrier
		Unread: unread,
		Text:   func(status int) []byte { return errorBody(http.StatusText(status)) },
		Admit: func(_ *C, r *http.Request) *client.Refused {
			if refused := access.refuses(r, guard); refused != nil {
				return refused
			}
			if !isJSON(r.Header) {
				return wrongType(r)
			}
			return nil
		},
	}
}

// unread returns the status for a body that did not arrive. A compressed body is a refusal.
func unread(err error) int {
	switch status := callback.Status(err); status {
	case http.StatusUnsupportedMediaType:
		return 0
	case http.StatusRequestEntityTooLarge:
		return status
	}
	return http.StatusBadRequest
}

// statusOf returns the status for a call without the result of its function.
func statusOf(err error) int {
	if _, ok := errors.AsType[*callback.Panic](err); ok {
		return http.StatusInternalServerError
	}
	if errors.Is(err, ErrBusy) {
		return http.StatusTooManyRequests
	}
	return http.StatusServiceUnavailable
}

func wrongType(r *http.Request) *client.Refused {
	const header = "Content-Type"
	return &client.Refused{
		Reason: client.RefusedContentType, Status: http.StatusUnsupportedMediaType, Header: header,
		Err: fmt.Errorf("the %s %q must be application/json", header, callback.Printable(r.Header.Get(header), callback.MostShown)),
	}
}

// isJSON reports whether the headers declare JSON, or declare nothing.
func isJSON(h http.Header) bool {
	kind := h.Get("Content-Type")
	if kind == "" || kind == "application/json" {
		return true
	}
	media, _, err := mime.ParseMediaType(kind)
	return err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
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
