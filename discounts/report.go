package discounts

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Failure is a cart that was not answered as the app would have it, a load of
// promotions that failed, or a mistake in the configuration.
type Failure struct {
	StoreID client.ID   // 0 if it is not known
	CartID  client.Code // "" if it is not about a cart
	Tier    Tier        // "" if it is not about a cart
	// Err is what the plan returned, a value that says it panicked, or wraps ErrLate,
	// ErrBusy, ErrMalformed, ErrInvalid, ErrDropped, ErrNotApplied or ErrNoPromotions.
	Err   error
	Stack []byte // of a panic, else nil
}

// Error says what failed and for whom, in one line without control characters.
func (f *Failure) Error() string {
	switch {
	case f.CartID != "":
		return fmt.Sprintf("discounts: cart %s of store %d: %s", callback.Printable(string(f.CartID), callback.MostShown), f.StoreID, callback.Reason(f.Err))
	case f.StoreID != 0:
		return fmt.Sprintf("discounts: store %d: %s", f.StoreID, callback.Reason(f.Err))
	}
	return "discounts: " + callback.Reason(f.Err)
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// LogValue shows the members as a group.
func (f *Failure) LogValue() slog.Value {
	return callback.LogValue(f.Err, f.Stack,
		slog.Int64("store_id", int64(f.StoreID)),
		slog.String("cart_id", callback.Printable(string(f.CartID), callback.MostShown)),
		slog.String("tier", callback.Printable(string(f.Tier), callback.MostShown)),
	)
}

// reporter is who hears of failures.
type reporter callback.Reporter[*Failure]

func (r reporter) tell(ctx context.Context, f *Failure) {
	f.Stack = callback.Stack(f.Err)
	callback.Reporter[*Failure](r).Tell(ctx, f, slog.LevelError, "discounts: not as planned", "failure")
}

func (r reporter) log() *slog.Logger { return callback.Reporter[*Failure](r).Log() }
