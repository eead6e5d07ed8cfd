package discountstest

import (
	"cmp"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/internal/recording"
)

// Sender is the destination of replayed carts. Either Handler or URL must be set. Its timeout is
// discounts.AnswerTime, as on the platform. It is a value and safe for concurrent use.
type Sender struct {
	// Handler receives the carts without a network.
	Handler http.Handler
	// URL is the prefix of the recorded paths. It is used if Handler is nil.
	URL string
	// Client sends the requests to URL. If nil, http.DefaultClient is used.
	Client *http.Client
	// Secret signs the carts. If empty, carts are not signed.
	Secret client.Secret
	// HeaderName is the name of the signature header. If empty, it is discounts.SignatureHeader.
	HeaderName string
	// Map maps recorded ids to the ids of this app, such as ids of promotions, for requests and expected answers.
	// Segments of paths count too.
	Map map[string]string
}

func (s Sender) sender() recording.Sender {
	out := recording.Sender{Handler: s.Handler, URL: s.URL, Client: s.Client, Map: s.Map, Timeout: discounts.AnswerTime}
	if s.Secret != "" {
		out.Sign = func(_ recording.Record, h http.Header, body []byte) error {
			h.Set(cmp.Or(s.HeaderName, discounts.SignatureHeader), discounts.Sign(s.Secret, body))
			return nil
		}
	}
	return out
}
