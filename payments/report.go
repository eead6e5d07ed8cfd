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
	// ErrLate means that the function did not return in time. It continues, and its outcome is reported when it ends.
	ErrLate = callback.ErrLate
	// ErrEndedLate means that the function succeeded after its answer was due. The platform was answered 503.
	ErrEndedLate = errors.New("the function succeeded after its answer was due")
	// ErrBusy means that Callback.MaxRuns functions were in progress.
	ErrBusy = callback.ErrBusy
	// ErrMalformed means that the call was verified, but violates the contract. The error names the members. The
	// handlers quote no value. A function of the app that returns it is answered 400.
	ErrMalformed = callback.ErrMalformed
)

// Call is a kind of call that the platform makes.
type Call string

// The values of Call.
const (
	CallProcess Call = "process" // for a ProcessHandler
	CallCancel  Call = "cancel"  // for a CancelHandler
	CallStatus  Call = "status"  // for a StatusHandler
	CallRefund  Call = "refund"  // for a RefundHandler
	CallRefresh Call = "refresh" // for a RefreshHandler
	CallReview  Call = "review"  // for a ReviewHandler
)

// Failure describes a call that was answered 400 or 503, or the outcome of a function that ended after its answer was
// due. It also describes an error in the configuration, or that there are too many answers to store.
type Failure struct {
	Call  Call // the kind of the call; empty for an error in the configuration
	About      // the payment
	// Status is the status of the answer. If Late is true, it is the status that the outcome would have had. That is
	// 201, 202 or 200 if the function succeeded, 422 for a RefundRefusal, 400 for ErrMalformed, and otherwise 503. It
	// is 0 if the failure does not decide the answer.
	Status int
	// Late means that the function ended after its answer was due. The platform was answered 503 and does not know
	// the outcome. Err is the outcome: ErrEndedLate if the function succeeded, or its error. Each failure with
	// ErrLate is followed by one with the outcome, unless the function never ends.
	Late bool
	// Err is the error that the function returned, a value that describes its panic, an error in the configuration,
	// or that answers were dropped. Otherwise it wraps ErrLate, ErrEndedLate, ErrBusy or ErrMalformed.
	Err   error
	Stack []byte // of a panic; otherwise nil
}

// Error describes the call and the failure, in one line without control characters.
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

// LogValue returns the members as a group.
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
func (c *Callback) fail(ctx context.Context, in *received, failed callback.Failed) {
	f := Failure{
		Call: in.kind, About: in.about, Status: failed.Status, Late: failed.Late, Err: failed.Err,
		Stack: callback.Stack(failed.Err),
	}
	level, message := slog.LevelError, "payments: call failed"
	switch {
	case errors.Is(f.Err, ErrEndedLate):
		level, message = slog.LevelWarn, "payments: call was answered 503 before its function ended"
	}
	to := callback.Reporter[*Failure]{Report: c.OnFailure, Logger: c.Logger}
	to.Notify(ctx, &f, level, message, "failure")
}

// Answer describes the answer to a call.
type Answer struct {
	Call  Call // the kind of the call
	About      // the payment
	// Status is the HTTP status: 201, 200, 202 or 422 from the function, 400 or 503 otherwise, or the status of a
	// refusal; also 401 for a refresh. It is 0 if a panic ended the call without an answer.
	Status int
	// Took is the time from the arrival of the call.
	Took time.Duration
	// Repeated means that the answer is from an equal call. The function was not called again.
	Repeated bool
	// Joined means that the call is Repeated, and the function was still in progress for the equal call. Otherwise
	// the answer was replayed from memory.
	Joined bool
	// Ran means that the function was called for this call.
	Ran bool
	// Refused means that the call was rejected before a function was called, so that OnRefused was called.
	Refused bool
	// Err is the reason why the answer is not from the function, as in Failure and Refused, or the function's
	// refusal. Nil if the function succeeded.
	Err error
}

// answered describes the answer to a call of this kind.
func (k Call) answered(in *received, a callback.Answer) Answer {
	return Answer{
		Call: k, About: in.about, Status: a.Status, Took: a.Took, Err: a.Err, Refused: a.Refused,
		Ran: in.by == ran, Joined: in.by == joined, Repeated: in.by == joined || in.by == replayed,
	}
}
