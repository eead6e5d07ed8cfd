package webhook

import (
	"log/slog"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// Delivery is one event as it reached a handler.
type Delivery[P any] struct {
	StoreID    client.ID // from the verified body; above 0 in every delivery to a handler
	Event      Name      // such as order/paid
	Payload    P         // what the event says
	Raw        []byte    // the verified body as it was signed; it is yours
	ReceivedAt time.Time // by the clock of this process
}

// LogValue shows which event of which store arrived and when. Payload and body may
// hold personal data and are left out.
func (d Delivery[P]) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Any("event", d.Event),
		slog.Int64("store_id", int64(d.StoreID)),
		slog.Time("received_at", d.ReceivedAt),
	)
}

// Unknown is the payload of what was verified and reached no handler.
type Unknown struct {
	// Reason is or wraps ErrUnknownEvent, ErrUnhandled, ErrMalformed, ErrUnknownStore,
	// ErrStale or ErrGone. It quotes nothing of the body.
	Reason error
}
