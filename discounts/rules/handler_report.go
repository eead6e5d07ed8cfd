package rules

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Errors for functions whose result is not used.
var (
	// ErrLate means that the function did not return in time, or that the platform disconnected.
	ErrLate = callback.ErrLate
	// ErrBusy means that Handler.MaxRuns functions were in progress, or the store's share of them, or that the
	// processors were busy with functions.
	ErrBusy = callback.ErrBusy
	// ErrMalformed means that a request is not strict JSON, or lacks a required member.
	ErrMalformed = callback.ErrMalformed
)

// Failure describes a request that was answered without its rule, or an error in the configuration.
type Failure struct {
	StoreID client.ID         // 0 if unknown
	CartID  client.Code       // empty if unknown
	Domain  client.RuleDomain // empty if unknown
	// Err is the error that the function returned, or a value that describes its panic. Otherwise it wraps ErrLate,
	// ErrBusy, ErrMalformed or ErrInvalid.
	Err   error
	Stack []byte // of a panic; otherwise nil
}

// Error describes the failure and its store, in one line without control characters.
func (f *Failure) Error() string {
	if f.StoreID == 0 {
		return "rules: " + callback.Reason(f.Err)
	}
	return fmt.Sprintf("rules: %s of cart %s of store %d: %s",
		f.Domain, callback.Printable(string(f.CartID), callback.MostShown), f.StoreID, callback.Reason(f.Err))
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// LogValue returns the members as a group.
func (f *Failure) LogValue() slog.Value {
	return callback.LogValue(f.Err, f.Stack,
		slog.Int64("store_id", int64(f.StoreID)),
		slog.String("cart_id", callback.Printable(string(f.CartID), callback.MostShown)),
		slog.String("domain", callback.Printable(string(f.Domain), callback.MostShown)),
	)
}

// fail reports a failure of a request.
func (h *Handler) fail(ctx context.Context, in *received, f callback.Failed) {
	a := in.answer
	failure := &Failure{StoreID: a.StoreID, CartID: a.CartID, Domain: a.Domain, Err: f.Err, Stack: callback.Stack(f.Err)}
	callback.Reporter[*Failure]{Report: h.OnFailure, Logger: h.Logger}.Notify(
		ctx, failure, slog.LevelError, "rules: answered without the rule", "failure", slog.Int("not_logged", f.Since))
}
