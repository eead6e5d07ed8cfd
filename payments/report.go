package payments

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Errors of Failure and Answer.
var (
	// ErrLate: the answer was due before the function returned. It goes on, and its outcome is reported when it ends.
	ErrLate = errors.New("the function was late")
	// ErrEndedLate: the function succeeded after its answer was due. The platform was answered 503.
	ErrEndedLate = errors.New("the function succeeded after its answer was due")
	// ErrBusy: Callback.MaxRuns functions were in progress.
	ErrBusy = errors.New("too many functions in progress")
	// ErrMalformed: the call was verified, and is not as the contract has it. The error names the members.
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
	CallReview  Call = "review"  // a ReviewHandler's
)

// Failure is a call that was answered 400 or 503, the outcome of a function that ended after its answer was due, a
// mistake in the configuration, or that there are too many answers to keep.
type Failure struct {
	Call  Call // the kind of the call; empty for a mistake in the configuration
	About      // whose payment it was
	// Status is what the call was answered. If Late is true, it is what the outcome would have been answered: 201, 202
	// or 200 if the function succeeded, 422 if it returned a RefundRefusal, 503 if it failed.
	Status int
	// Late: the function ended after its answer was due, so the platform was answered 503 and does not know the
	// outcome. Err is the outcome: ErrEndedLate if the function succeeded, or its error. To each failure with ErrLate
	// belongs one with the outcome, unless the function never ends.
	Late bool
	// Err is what the function returned, a value that says it panicked, what is wrong with
	// the configuration, that answers are forgotten, or wraps ErrLate, ErrEndedLate, ErrBusy or ErrMalformed.
	Err   error
	Stack []byte // of a panic, else nil
}

// Error names the call and what failed, in one line without control characters.
func (f *Failure) Error() string {
	if f.Call == "" {
		return callback.Reason(f.Err)
	}
	text := fmt.Sprintf("payments: %s call", f.Call)
	if about := f.About.String(); about != "" {
		text += ", " + about
	}
	if f.Late && !errors.Is(f.Err, ErrEndedLate) {
		text += ": the function failed after its answer was due"
	}
	return text + ": " + callback.Reason(f.Err)
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// LogValue shows the members as a group.
func (f *Failure) LogValue() slog.Value {
	attrs := append([]slog.Attr{slog.String("call", string(f.Call))}, f.attributes()...)
	if f.Status != 0 {
		attrs = append(attrs, slog.Int("status", f.Status))
	}
	if f.Late {
		attrs = append(attrs, slog.Bool("late", true))
	}
	return callback.LogValue(f.Err, f.Stack, attrs...)
}

// fail reports a failure.
func (c *Callback) fail(ctx context.Context, f Failure) {
	f.Stack = callback.Stack(f.Err)
	c.heard().Tell(ctx, &f, slog.LevelError, "payments: call failed", "failure")
}

func (c *Callback) logger() *slog.Logger { return c.heard().Log() }

func (c *Callback) heard() callback.Reporter[*Failure] {
	return callback.Reporter[*Failure]{Report: c.OnFailure, Logger: c.Logger}
}

// Answer is what a call was answered.
type Answer struct {
	Call  Call // the kind of the call
	About      // whose payment it was
	// Status is the HTTP status: 201, 200, 202 or 422 from the function, 400 or 503 otherwise, or that of a refusal;
	// also 401 for a refresh. It is 0 if a panic ended the call without an answer.
	Status int
	// Took is the time from the arrival of the call.
	Took time.Duration
	// Repeated: the answer is that of an equal call. The function was not called again.
	Repeated bool
	// Joined: the call is Repeated, and the function was still in progress for the equal call. If it was not, the
	// answer was replayed from memory.
	Joined bool
	// Ran: the function was called for this call.
	Ran bool
	// Refused: the call was rejected before a function was called, and OnRefused was called.
	Refused bool
	// Err is why the answer is not that of the function, as in Failure and Refused, or the function's refusal. Nil if
	// the function succeeded.
	Err error
}
