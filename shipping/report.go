package shipping

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Failure is a callback that was not answered as the app would have it, or a mistake in the
// configuration.
type Failure struct {
	StoreID   client.ID   // 0 if it is not known; for labels see LabelHandler.StoreOf
	CarrierID client.Code // "" if it is not known, and for labels
	Action    string      // what is to be done about labels, such as generate; "" for rates
	Labels    []LabelRef  // whom it is about; nil for rates, and if the request could not be read
	// Err is what the app's function returned, a value that says that it panicked, or wraps ErrLate, ErrBusy,
	// ErrMalformed, ErrInvalid, ErrDropped, ErrVolatile, ErrShared or ErrUpstream.
	Err   error
	Stack []byte // of a panic, else nil
}

// Error says what failed and for whom, in one line without control characters.
func (f *Failure) Error() string {
	switch {
	case f.Action != "":
		return fmt.Sprintf("shipping: %s: %s", f.whose(), callback.Reason(f.Err))
	case f.StoreID == 0:
		return "shipping: " + callback.Reason(f.Err)
	}
	return fmt.Sprintf("shipping: carrier %s of store %d: %s", callback.Printable(string(f.CarrierID), callback.MostShown), f.StoreID, callback.Reason(f.Err))
}

// whose describes the labels that the failure is about.
func (f *Failure) whose() string {
	text := callback.Printable(f.Action, callback.MostShown)
	if len(f.Labels) > 0 {
		text += fmt.Sprintf(" label %s of fulfillment order %s", f.Labels[0].LabelID, f.Labels[0].FulfillmentOrderID)
		if more := len(f.Labels) - 1; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
	}
	if f.StoreID != 0 {
		text += fmt.Sprintf(" of store %d", f.StoreID)
	}
	return text
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// LogValue shows the members as a group.
func (f *Failure) LogValue() slog.Value {
	attrs := []slog.Attr{slog.Int64("store_id", int64(f.StoreID))}
	if f.Action == "" {
		attrs = append(attrs, slog.String("carrier_id", callback.Printable(string(f.CarrierID), callback.MostShown)))
	} else {
		attrs = append(attrs, slog.String("labels", f.whose()))
	}
	return callback.LogValue(f.Err, f.Stack, attrs...)
}

// reporter is who hears of failures.
type reporter callback.Reporter[*Failure]

func (r reporter) tell(ctx context.Context, f *Failure) {
	f.Stack = callback.Stack(f.Err)
	callback.Reporter[*Failure](r).Tell(ctx, f, slog.LevelError, "shipping: not as planned", "failure")
}

func (r reporter) log() *slog.Logger { return callback.Reporter[*Failure](r).Log() }
