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
	StoreID   client.ID   // 0 if it is not known
	CarrierID client.Code // "" if it is not known, and for labels
	// Err is what the app's function returned, a value that says that it panicked, or wraps ErrLate, ErrBusy,
	// ErrMalformed, ErrInvalid, ErrDropped, ErrVolatile or ErrUpstream.
	Err   error
	Stack []byte // of a panic, else nil
}

// Error says what failed and for whom, in one line without control characters.
func (f *Failure) Error() string {
	if f.StoreID == 0 {
		return "shipping: " + callback.Reason(f.Err)
	}
	return fmt.Sprintf("shipping: carrier %s of store %d: %s", callback.Printable(string(f.CarrierID), callback.MostShown), f.StoreID, callback.Reason(f.Err))
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// LogValue shows the members as a group.
func (f *Failure) LogValue() slog.Value {
	return callback.LogValue(f.Err, f.Stack,
		slog.Int64("store_id", int64(f.StoreID)),
		slog.String("carrier_id", callback.Printable(string(f.CarrierID), callback.MostShown)),
	)
}

// reporter is who hears of failures.
type reporter callback.Reporter[*Failure]

func (r reporter) tell(ctx context.Context, f *Failure) {
	f.Stack = callback.Stack(f.Err)
	callback.Reporter[*Failure](r).Tell(ctx, f, slog.LevelError, "shipping: not as planned", "failure")
}

func (r reporter) log() *slog.Logger { return callback.Reporter[*Failure](r).Log() }
