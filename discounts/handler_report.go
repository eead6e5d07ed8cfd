package discounts

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Errors of carts that are answered without a plan.
var (
	// ErrLate means that the plan did not return in time, or that the platform disconnected.
	ErrLate = callback.ErrLate
	// ErrBusy means that Handler.MaxRuns plans were in progress, or the store's share of them, or that the processors
	// were busy with plans.
	ErrBusy = callback.ErrBusy
	// ErrMalformed means that a cart is not strict JSON, or lacks a required member; or that a member on which no
	// discount depends could not be read. In the last case the cart is answered.
	ErrMalformed = callback.ErrMalformed
)

// Failure describes a cart that was not answered as intended, a failed load of promotions, or an error in the
// configuration.
type Failure struct {
	StoreID client.ID       // 0 if unknown
	CartID  client.Code     // empty if it does not concern a cart
	Tier    promotions.Tier // empty if it does not concern a cart
	// Err is the error that the plan returned, or a value that describes its panic. Otherwise it wraps ErrLate,
	// ErrBusy, ErrMalformed, ErrInvalid, ErrDropped, ErrNotApplied or ErrNoPromotions.
	Err   error
	Stack []byte // of a panic; otherwise nil
}

// Error describes the failure and its store, in one line without control characters.
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

// LogValue returns the members as a group.
func (f *Failure) LogValue() slog.Value {
	return callback.LogValue(f.Err, f.Stack,
		slog.Int64("store_id", int64(f.StoreID)),
		slog.String("cart_id", callback.Printable(string(f.CartID), callback.MostShown)),
		slog.String("tier", callback.Printable(string(f.Tier), callback.MostShown)),
	)
}

// reporter reports failures to the hook or the log.
type reporter callback.Reporter[*Failure]

// notify reports a failure. Since is how many failures were not logged since the last one.
func (r reporter) notify(ctx context.Context, f *Failure, since int) {
	f.Stack = callback.Stack(f.Err)
	callback.Reporter[*Failure](r).Notify(ctx, f, slog.LevelError, "discounts: cart failed", "failure", slog.Int("not_logged", since))
}
