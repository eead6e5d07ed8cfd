package callback

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"

	"github.com/commerceplatform/commerce-go/client/access"
)

// Refusals logs the requests that a handler rejects, and passes them to its hook. For each reason it logs the first,
// and then at most one a minute with the number of those since. The zero value is ready.
type Refusals struct{ seldom Seldom }

// Notify logs a rejected request at level warn, and calls the hook, which may be nil. It adds the address of the
// connection.
func (n *Refusals) Notify(req *http.Request, refused *access.Refused, hook func(context.Context, access.Refused), logger *slog.Logger) {
	ctx, r := context.WithoutCancel(req.Context()), *refused
	if at, err := netip.ParseAddrPort(req.RemoteAddr); err == nil {
		r.Remote = at.Addr().Unmap().WithZone("")
	}
	if hook != nil {
		Panics(func() { hook(ctx, r) })
	}
	since, due := n.seldom.Due(string(r.Reason))
	if !due {
		return
	}
	Panics(func() {
		logger.LogAttrs(ctx, slog.LevelWarn, r.Handler+": request refused", slog.Any("refused", r), slog.Int("not_logged", since))
	})
}

// RefusedMethod is the refusal of a request with another method.
func RefusedMethod(r *http.Request, method string) *access.Refused {
	return &access.Refused{
		Reason: access.RefusedMethod, Status: http.StatusMethodNotAllowed,
		Err: fmt.Errorf("the method %s must be %s", Printable(r.Method, MostShown), method),
	}
}

// RefusedBody is the refusal for an error of Bodies.Read, with the status of Status.
func RefusedBody(err error) *access.Refused {
	r := &access.Refused{Status: Status(err), Err: err}
	switch r.Status {
	case http.StatusRequestEntityTooLarge:
		r.Reason = access.RefusedSize
		if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
			r.Err = fmt.Errorf("the body is larger than MaxBody, which is %d bytes: %w", large.Limit, err)
		}
	case http.StatusUnsupportedMediaType:
		r.Reason, r.Header = access.RefusedEncoding, "Content-Encoding"
	case http.StatusServiceUnavailable:
		r.Reason = access.RefusedFull
	default:
		r.Reason = access.RefusedTransfer
	}
	return r
}

// Unlisted is the refusal of a request whose address sources do not allow. It is nil for other requests, and if sources
// are nil.
func Unlisted(sources *access.Sources, r *http.Request) *access.Refused {
	if sources == nil || sources.Allows(r) {
		return nil
	}
	refused, _ := sources.Refuses(r)
	refused.Status = http.StatusForbidden
	return &refused
}

// Unsigned is the refusal for the values of a header that is not exactly one of a form.
func Unsigned(header string, values []string, form string, status int) *access.Refused {
	r := &access.Refused{Reason: access.RefusedUnsigned, Status: status, Header: header}
	switch {
	case len(values) == 0:
		r.Err = fmt.Errorf("the request has no header %s: proxies must pass it on, and the name must be the platform's", header)
	case len(values) > 1:
		r.Err = fmt.Errorf("the request has %d headers %s: must be one", len(values), header)
	default:
		r.Err = fmt.Errorf("the header %s has %d characters: must be %s", header, len(values[0]), form)
	}
	return r
}

// BadSignature is the refusal for a signature that none of the secrets in force has made. If there is no secret, which
// is a mistake of this side, the status is 503.
func BadSignature(header string, secrets, status int) *access.Refused {
	r := &access.Refused{Reason: access.RefusedSignature, Status: status, Header: header}
	r.Err = fmt.Errorf("the signature in %s is not one of the secrets in force (%d), or a proxy has changed the body", header, secrets)
	if secrets == 0 {
		r.Status, r.Err = http.StatusServiceUnavailable, errors.New("SecretSet is empty: call Set with the secret in force")
	}
	return r
}
