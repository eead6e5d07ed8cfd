package discounts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/commerceplatform/commerce-go/client"
)

// Failure is a cart that was not answered as the app would have it, a load of
// promotions that failed, or a mistake in the configuration.
type Failure struct {
	StoreID client.ID   // 0 if it is not known
	CartID  client.Code // "" if it is not about a cart
	Tier    Tier        // "" if it is not about a cart
	// Err is what the plan returned, a value that says it panicked, or wraps ErrLate,
	// ErrBusy, ErrMalformed, ErrInvalid, ErrDropped or ErrNoPromotions.
	Err   error
	Stack []byte // of a panic, else nil
}

// Error says what failed and for whom, in one line without control characters.
func (f *Failure) Error() string {
	switch {
	case f.CartID != "":
		return fmt.Sprintf("discounts: cart %s of store %d: %s", printable(string(f.CartID), mostRunes), f.StoreID, errorText(f.Err))
	case f.StoreID != 0:
		return fmt.Sprintf("discounts: store %d: %s", f.StoreID, errorText(f.Err))
	}
	return "discounts: " + errorText(f.Err)
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// LogValue shows the members as a group.
func (f *Failure) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.Int64("store_id", int64(f.StoreID)),
		slog.String("cart_id", printable(string(f.CartID), mostRunes)),
		slog.String("tier", printable(string(f.Tier), mostRunes)),
		slog.String("error", errorText(f.Err)),
	}
	if f.Stack != nil {
		attrs = append(attrs, slog.String("stack", string(f.Stack)))
	}
	return slog.GroupValue(attrs...)
}

// panicError is a panic of the user's code as an error.
type panicError struct {
	value any
	stack []byte
}

func (p *panicError) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func (p *panicError) Unwrap() error {
	err, _ := p.value.(error)
	return err
}

// reporter is who hears of failures: report, or else the log.
type reporter struct {
	report func(ctx context.Context, f *Failure)
	logger *slog.Logger
}

func (r reporter) tell(ctx context.Context, f *Failure) {
	if p, ok := errors.AsType[*panicError](f.Err); ok {
		f.Stack = p.stack
	}
	if r.report != nil && !panics(func() { r.report(ctx, f) }) {
		return
	}
	// A log that panics leaves nobody to tell, and must not take the process along.
	panics(func() {
		r.log().LogAttrs(ctx, slog.LevelError, "discounts: not as planned", slog.Any("failure", f))
	})
}

func (r reporter) log() *slog.Logger { return cmp.Or(r.logger, slog.Default()) }

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return printable(err.Error(), mostErrorRunes)
}
