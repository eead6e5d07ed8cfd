package shipping

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Failure describes a callback that was not answered as intended, or an error in the configuration.
type Failure struct {
	StoreID   client.ID   // 0 if unknown; for labels, see LabelHandler.StoreOf
	CarrierID client.Code // empty if unknown, and for labels
	Action    string      // for labels, such as generate; empty for rates
	Labels    []LabelRef  // the labels; nil for rates, and if the request could not be read
	// Err is the error that the app's function returned, a value that describes its panic, or an error that names a
	// hook that hangs or panics. Otherwise it wraps ErrLate, ErrBusy, ErrMalformed, ErrInvalid, ErrDropped,
	// ErrVolatile, ErrShared or ErrUpstream.
	Err   error
	Stack []byte // of a panic; otherwise nil
}

// Error describes the failure and its store, in one line without control characters.
func (f *Failure) Error() string {
	switch {
	case f.Action != "":
		return fmt.Sprintf("shipping: %s: %s", f.whose(), callback.Reason(f.Err))
	case f.StoreID == 0:
		return "shipping: " + callback.Reason(f.Err)
	}
	return fmt.Sprintf("shipping: carrier %s of store %d: %s", callback.Printable(string(f.CarrierID), callback.MostShown), f.StoreID, callback.Reason(f.Err))
}

// whose describes the labels of the failure.
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

// LogValue returns the members as a group.
func (f *Failure) LogValue() slog.Value {
	attrs := []slog.Attr{slog.Int64("store_id", int64(f.StoreID))}
	if f.Action == "" {
		attrs = append(attrs, slog.String("carrier_id", callback.Printable(string(f.CarrierID), callback.MostShown)))
	} else {
		attrs = append(attrs, slog.String("labels", f.whose()))
	}
	return callback.LogValue(f.Err, f.Stack, attrs...)
}

// report passes a failure to the hook or the log. The number of failures that were not logged before it is since.
func report(ctx context.Context, hook func(context.Context, *Failure), logger *slog.Logger, f *Failure, since int) {
	f.Stack = callback.Stack(f.Err)
	callback.Reporter[*Failure]{Report: hook, Logger: logger}.Notify(
		ctx, f, slog.LevelError, "shipping: callback failed", "failure", slog.Int("not_logged", since))
}
