package webhook

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Mount mounts the handler for POST at four paths, and returns the error of [Handler.Check]:
//
//	/hooks                         for registered webhooks
//	/hooks/store/redact            for privacy requests, in the app's settings; these bodies name no event
//	/hooks/customers/redact
//	/hooks/customers/data_request
//
// Path is the first of them. It must begin with a slash, must not end with one, and must have no wildcard. Event must
// be empty. Mount panics, like http.ServeMux.Handle, if one of the paths is already registered.
func (h *Handler) Mount(mux *http.ServeMux, path string) error {
	var wrong callback.Check
	wrong.Refuse(!strings.HasPrefix(path, "/") || strings.HasSuffix(path, "/") || strings.ContainsAny(path, "{} "),
		"path %q: must begin with a slash, not end with one, and have no wildcard", path)
	wrong.Refuse(h.Event != "", "Event is %q: must be empty, because Mount sets the event of each path", h.Event)
	if err := wrong.Err("webhook"); err != nil {
		return err
	}
	mux.Handle("POST "+path, h)
	for _, event := range []Name{StoreRedactRequested.Name, CustomerRedactRequested.Name, CustomerDataRequested.Name} {
		mux.Handle("POST "+path+"/"+string(event), addressed{h, event})
	}
	return h.Check()
}

// addressed is a handler at the address of one event.
type addressed struct {
	to    *Handler
	event Name
}

type addressKey struct{}

func (a addressed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.to.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), addressKey{}, a.event)))
}

// readAt returns a function that reads a body. If the body names no event, the message gets the event of its address.
func readAt(usual reader) func(r *http.Request, raw []byte, at time.Time) message {
	return func(r *http.Request, raw []byte, at time.Time) message {
		here := usual
		if event, ok := r.Context().Value(addressKey{}).(Name); ok {
			here.fallback = event
		}
		return here.read(raw, at)
	}
}
