package webhook

import (
	"log/slog"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
)

// Delivery is one event as it is passed to a handler.
type Delivery[P any] struct {
	StoreID    value.ID  // from the verified body; above 0 in every delivery to a handler
	Event      Name      // such as order/paid
	Payload    P         // the content of the event
	Raw        []byte    // the verified body as it was signed; the handler may keep or change it
	ReceivedAt time.Time // by the clock of this process
}

// LogValue shows the event, the store and the time of arrival. Payload and body are omitted, because they may contain
// personal data.
func (d Delivery[P]) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Any("event", d.Event),
		slog.Int64("store_id", int64(d.StoreID)),
		slog.Time("received_at", d.ReceivedAt),
	)
}

// Unknown is the payload of a verified delivery that reached no handler.
type Unknown struct {
	// Reason is or wraps ErrUnknownEvent, ErrUnhandled, ErrMalformed, ErrUnknownStore,
	// ErrStale or ErrGone. It quotes nothing of the body.
	Reason error
}
