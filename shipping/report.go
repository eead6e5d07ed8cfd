package shipping

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/commerceplatform/commerce-go/client"
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
		return "shipping: " + reason(f.Err)
	}
	return fmt.Sprintf("shipping: carrier %s of store %d: %s", printable(string(f.CarrierID), mostShown), f.StoreID, reason(f.Err))
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// LogValue shows the members as a group.
func (f *Failure) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.Int64("store_id", int64(f.StoreID)),
		slog.String("carrier_id", printable(string(f.CarrierID), mostShown)),
		slog.String("error", reason(f.Err)),
	}
	if f.Stack != nil {
		attrs = append(attrs, slog.String("stack", string(f.Stack)))
	}
	return slog.GroupValue(attrs...)
}

// panicError is a panic of the app's code as an error.
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
		r.log().LogAttrs(ctx, slog.LevelError, "shipping: not as planned", slog.Any("failure", f))
	})
}

func (r reporter) log() *slog.Logger { return cmp.Or(r.logger, slog.Default()) }

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// reason is the text of an error, or of why there is none.
func reason(err error) (text string) {
	if err == nil {
		return ""
	}
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("an error of type %T that cannot be printed", err)
		}
	}()
	return printable(err.Error(), mostReason)
}
