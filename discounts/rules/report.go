package rules

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// What a function is reported with whose answer is not used.
var (
	// ErrLate: the answer was due before the function returned, or the platform hung up.
	ErrLate = errors.New("function was late")
	// ErrBusy: Handler.MaxRuns were in progress, or the store's share of them, or the processors were busy with
	// functions.
	ErrBusy = errors.New("too many functions in progress")
)

// Failure is a request that was answered without its rule, or a mistake in the configuration.
type Failure struct {
	StoreID client.ID   // 0 if it is not known
	CartID  client.Code // "" if it is not known
	Domain  Domain      // "" if it is not known
	// Err is what the function returned, a value that says it panicked, or wraps ErrLate, ErrBusy, ErrMalformed or
	// ErrInvalid.
	Err   error
	Stack []byte // of a panic, else nil
}

// Error says what failed and for whom, in one line without control characters.
func (f *Failure) Error() string {
	if f.StoreID == 0 {
		return "rules: " + callback.Reason(f.Err)
	}
	return fmt.Sprintf("rules: %s of cart %s of store %d: %s",
		f.Domain, callback.Printable(string(f.CartID), callback.MostShown), f.StoreID, callback.Reason(f.Err))
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// LogValue shows the members as a group.
func (f *Failure) LogValue() slog.Value {
	return callback.LogValue(f.Err, f.Stack,
		slog.Int64("store_id", int64(f.StoreID)),
		slog.String("cart_id", callback.Printable(string(f.CartID), callback.MostShown)),
		slog.String("domain", callback.Printable(string(f.Domain), callback.MostShown)),
	)
}

// fail reports a failure of a request.
func (h *Handler) fail(ctx context.Context, r *Request, err error) {
	f := &Failure{StoreID: r.StoreID, CartID: r.CartID, Err: err, Stack: callback.Stack(err)}
	if r.StoreID != 0 {
		f.Domain = r.Domain()
	}
	h.reporter().Tell(ctx, f, slog.LevelError, "rules: answered without the rule", "failure")
}

func (h *Handler) reporter() callback.Reporter[*Failure] {
	return callback.Reporter[*Failure]{Report: h.OnFailure, Logger: h.Logger}
}
