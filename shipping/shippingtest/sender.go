package shippingtest

import (
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/recording"
	"github.com/commerceplatform/commerce-go/shipping"
)

// Sender is the destination of replayed calls. Either Handler or URL must be set. Its timeout is shipping.AnswerTime,
// as on the platform. It is a value and safe for concurrent use.
type Sender struct {
	// Handler receives the calls without a network. For a recording of rates and labels, it is a mux with both
	// handlers.
	Handler http.Handler
	// URL is the prefix of the recorded paths. It is used if Handler is nil.
	URL string
	// Client sends the requests to URL. If nil, http.DefaultClient is used.
	Client *http.Client
	// Map maps recorded ids to the ids of this app, for requests and expected answers. Segments of paths count too. A
	// recording contains no token of shipping.Access, so map its replacement to a token of this handler.
	Map map[string]string
}

func (s Sender) sender() recording.Sender {
	return recording.Sender{Handler: s.Handler, URL: s.URL, Client: s.Client, Map: s.Map, Timeout: shipping.AnswerTime}
}
