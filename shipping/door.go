package shipping

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// door checks a callback before its body is read.
type door struct {
	handler  string // name of the handler in refusals
	maxBody  int64
	readTime time.Duration
	bodies   *callback.Bodies
	refusals callback.Refusals
}

func newDoor(handler string, maxBody, maxReceiving int64, readTime time.Duration) *door {
	room := callback.Room(maxReceiving, DefaultMaxReceiving, maxBody)
	return &door{handler: handler, maxBody: maxBody, readTime: readTime, bodies: callback.NewBodies(room)}
}

// receive returns the whole body of an accepted request, or an error with the reason why there is none. If the
// request is rejected unread, it returns the refusal.
func (d *door) receive(w http.ResponseWriter, r *http.Request, a *Access, arrived time.Time) (raw []byte, refused *client.Refused, err error) {
	if !callback.Open(w, r, http.MethodPost, arrived.Add(d.readTime)) {
		return nil, callback.RefusedMethod(r, http.MethodPost), nil
	}
	if refused := a.refuses(r); refused != nil {
		return nil, refused, nil
	}
	if !isJSON(r.Header) {
		return nil, wrongType(r), nil
	}
	if raw, err = d.bodies.Read(w, r, d.maxBody); err == nil {
		d.bodies.Done(raw)
		return raw, nil, nil
	}
	switch {
	case errors.Is(err, callback.ErrEncoded):
		return nil, callback.RefusedBody(err), nil
	case errors.Is(err, callback.ErrFull):
		refused := callback.RefusedBody(err)
		refused.Status = http.StatusTooManyRequests // does not count as a failure of the carrier
		return nil, refused, nil
	}
	return nil, nil, fmt.Errorf("%w: the body did not arrive: %w", ErrMalformed, err)
}

// note logs a refusal and calls the hook with it.
func (d *door) note(r *http.Request, refused *client.Refused, hook func(context.Context, client.Refused), logger *slog.Logger) {
	refused.Handler = d.handler
	d.refusals.Notify(r, refused, hook, logger)
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

// write answers with a JSON body.
func write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error means that the client has disconnected
}

// writeStatus answers with a status and a generic body.
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
