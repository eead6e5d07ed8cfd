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

// Sender is where recorded calls are sent. Either Handler or URL must be set, and Key. It waits for
// payments.AnswerTime, as the platform does. It is a value and safe for concurrent use.
type Sender struct {
	// Handler gets the calls without a network: a mux that has all handlers of the app, for a recording of all.
	Handler http.Handler
	// URL is the address that the recorded paths are added to, if Handler is nil.
	URL string
	// Client sends to URL. If nil, http.DefaultClient is used.
	Client *http.Client
	// Key signs. Its public half must be one of the keys of the handlers.
	Key *rsa.PrivateKey
	// Origin is that of payments.Callback. "" means https and the recorded host.
	Origin string
	// Map has ids that differ between the recorded app and this one: what was recorded, and what is sent and expected
	// instead. Segments of paths and values of the query count too.
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
