package webhook

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Mount mounts the handler for POST at four paths, and returns what [Handler.Check] does:
//
//	/hooks                         the address of registered webhooks
//	/hooks/store/redact            the addresses of data protection in the app's settings, whose bodies name no event
//	/hooks/customers/redact
//	/hooks/customers/data_request
//
// Path is the first of them. It must begin with a slash, must not end with one, and must have no wildcard. Event must
// be empty. Mount panics, as http.ServeMux.Handle does, if one of the paths is taken.
func (h *Handler) Mount(mux *http.ServeMux, path string) error {
	var wrong callback.Check
	wrong.Refuse(!strings.HasPrefix(path, "/") || strings.HasSuffix(path, "/") || strings.ContainsAny(path, "{} "),
		"path %q: must begin with a slash, not end with one, and have no wildcard", path)
	wrong.Refuse(h.Event != "", "Event %q: must be empty for Mount, which knows the event of each path", h.Event)
	if err := wrong.Err("webhook"); err != nil {
		return err
	}
	mux.Handle("POST "+path, h)
	for _, event := range []Name{StoreRedactRequested.Name, CustomerRedactRequested.Name, CustomerDataRequested.Name} {
		mux.Handle("POST "+path+"/"+string(event), addressed{h, event})
	}
	return h.Check()
}

// addressed is a handler at an address for one event.
type addressed struct {
	to    *Handler
	event Name
}

type addressKey struct{}

func (a addressed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.to.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), addressKey{}, a.event)))
}

// readAt returns what reads a body, with the event of the address that it was sent to if it names none.
func readAt(usual reader) func(r *http.Request, raw []byte, at time.Time) message {
	return func(r *http.Request, raw []byte, at time.Time) message {
		here := usual
		if event, ok := r.Context().Value(addressKey{}).(Name); ok {
			here.fallback = event
		}
		return here.read(raw, at)
	}
}
