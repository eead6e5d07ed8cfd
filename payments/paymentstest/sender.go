package paymentstest

import (
	"cmp"
	"crypto/rsa"
	"errors"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/recording"
	"github.com/commerceplatform/commerce-go/payments"
)

// Sender is the destination of replayed calls. Key and either Handler or URL must be set. Its timeout is
// payments.AnswerTime, as on the platform. It is a value and safe for concurrent use.
type Sender struct {
	// Handler receives the calls without a network. For a recording of all calls, it is a mux with all handlers of
	// the app.
	Handler http.Handler
	// URL is the prefix of the recorded paths. It is used if Handler is nil.
	URL string
	// Client sends the requests to URL. If nil, http.DefaultClient is used.
	Client *http.Client
	// Key signs the calls. Its public key must be one of the handlers' keys.
	Key *rsa.PrivateKey
	// Origin is the Origin of payments.Callback. If empty, it is https and the recorded host.
	Origin string
	// Map maps recorded ids to the ids of this app, for requests and expected answers. Segments of paths and query
	// values count too.
	Map map[string]string
}

func (s Sender) sender() recording.Sender {
	return recording.Sender{
		Handler: s.Handler, URL: s.URL, Client: s.Client, Map: s.Map, Timeout: payments.AnswerTime,
		Sign: func(r recording.Record, h http.Header, body []byte) error {
			if s.Key == nil {
				return errors.New("Sender.Key must be set, because the platform signs these calls")
			}
			return Sign(h, s.Key, cmp.Or(s.Origin, "https://"+r.Host)+r.Target, body, time.Now())
		},
	}
}
