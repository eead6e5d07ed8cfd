package discountstest

import (
	"cmp"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/internal/recording"
)

// Sender is where recorded carts are sent. Either Handler or URL must be set. It waits for discounts.AnswerTime, as
// the platform does. It is a value and safe for concurrent use.
type Sender struct {
	// Handler gets the carts without a network.
	Handler http.Handler
	// URL is the address that the recorded paths are added to, if Handler is nil.
	URL string
	// Client sends to URL. If nil, http.DefaultClient is used.
	Client *http.Client
	// Secret signs. If empty, carts are not signed.
	Secret client.Secret
	// HeaderName of the signature. "" means discounts.SignatureHeader.
	HeaderName string
	// Map has ids that differ between the recorded app and this one, such as those of promotions: the recorded id, and
	// the one that is sent and expected instead. Segments of paths count too.
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
