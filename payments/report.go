package payments

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// What a call is reported with that was not answered as the app would have it.
var (
	// ErrLate: the answer was due before the function returned.
	ErrLate = errors.New("the function was late")
	// ErrBusy: Callback.MaxRuns functions were in progress.
	ErrBusy = errors.New("too many functions in progress")
	// ErrMalformed: the call is the platform's, and not as the contract has it.
	ErrMalformed = errors.New("malformed call")
)

// Call is a kind of call that the platform makes.
type Call string

// The values of Call.
const (
	CallProcess Call = "process" // a ProcessHandler's
	CallCancel  Call = "cancel"  // a CancelHandler's
	CallStatus  Call = "status"  // a StatusHandler's
	CallRefund  Call = "refund"  // a RefundHandler's
	CallRefresh Call = "refresh" // a RefreshHandler's
)

// Failure is a call that was answered 400 or 503, a mistake in the configuration, or that
// there are too many answers to keep.
type Failure struct {
	Call Call // what the platform wanted; empty for a mistake in the configuration
	// Err is what the function returned, a value that says it panicked, what is wrong with
	// the configuration, that answers are forgotten, or wraps ErrLate, ErrBusy or ErrMalformed.
	Err   error
	Stack []byte // of a panic, else nil
}

// Error says what failed, in one line without control characters.
func (f *Failure) Error() string {
	if f.Call == "" {
		return callback.Reason(f.Err)
	}
	return fmt.Sprintf("payments: %s call: %s", f.Call, callback.Reason(f.Err))
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// LogValue shows the members as a group.
func (f *Failure) LogValue() slog.Value {
	return callback.LogValue(f.Err, f.Stack, slog.String("call", string(f.Call)))
}

// reporter returns who hears of failures of a kind of call.
func (c *Callback) reporter(call Call) func(context.Context, error) {
	return func(ctx context.Context, err error) {
		f := &Failure{Call: call, Err: err, Stack: callback.Stack(err)}
		c.heard().Tell(ctx, f, slog.LevelError, "payments: call failed", "failure")
	}
}

func (c *Callback) logger() *slog.Logger { return c.heard().Log() }

func (c *Callback) heard() callback.Reporter[*Failure] {
	return callback.Reporter[*Failure]{Report: c.Report, Logger: c.Logger}
}
