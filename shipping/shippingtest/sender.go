package shippingtest

import (
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/recording"
	"github.com/commerceplatform/commerce-go/shipping"
)

// Sender is where recorded calls are sent. Either Handler or URL must be set. It waits for shipping.AnswerTime, as the
// platform does. It is a value and safe for concurrent use.
type Sender struct {
	// Handler gets the calls without a network: a mux that has the handlers of rates and of labels, for a recording of
	// both.
	Handler http.Handler
	// URL is the address that the recorded paths are added to, if Handler is nil.
	URL string
	// Client sends to URL. If nil, http.DefaultClient is used.
	Client *http.Client
	// Map has ids that differ between the recorded app and this one: what was recorded, and what is sent and expected
	// instead. Segments of paths count too. A recording has no token of shipping.Access: map what stands in its place
	// to a token of this handler.
	Map map[string]string
}

func (s Sender) sender() recording.Sender {
	return recording.Sender{Handler: s.Handler, URL: s.URL, Client: s.Client, Map: s.Map, Timeout: shipping.AnswerTime}
}
