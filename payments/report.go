package payments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
)

// What a call is reported with that was not answered as the app would have it.
var (
	// ErrLate: the answer was due before the function returned.
	ErrLate = errors.New("the function was late")
	// ErrBusy: Callback.MaxRuns functions were in progress.
	ErrBusy = errors.New("too many functions in progress")
	// ErrMalformed: the call is the platform's, and not as the contract has it.
	ErrMalformed = errors.New("malformed call")

	errExit = errors.New("ended its goroutine (runtime.Goexit)")
)

// Call is a kind of call that the platform makes.
type Call string

// The values of Call.
const (
	CallProcess Call = "process"
	CallCancel  Call = "cancel"
	CallStatus  Call = "status"
	CallRefund  Call = "refund"
	CallRefresh Call = "refresh"
)

// Failure is a call that was answered 400 or 503, or a mistake in the configuration.
type Failure struct {
	Call Call
	// Err is what the function returned, a value that says it panicked, what is wrong with
	// the configuration, or wraps ErrLate, ErrBusy or ErrMalformed.
	Err   error
	Stack []byte // of a panic, else nil
}

// Error says what failed, in one line without control characters.
func (f *Failure) Error() string {
	return fmt.Sprintf("payments: %s call: %s", f.Call, printable(f.Err))
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// LogValue shows the members as a group.
func (f *Failure) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("call", string(f.Call)), slog.String("error", printable(f.Err))}
	if f.Stack != nil {
		attrs = append(attrs, slog.String("stack", string(f.Stack)))
	}
	return slog.GroupValue(attrs...)
}

// panicError is a panic of the app's function as an error.
type panicError struct {
	value any
	stack []byte
}

func (p *panicError) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func (p *panicError) Unwrap() error {
	err, _ := p.value.(error)
	return err
}

// reporter returns who hears of failures of a kind of call: Report, or else the log.
func (c *Callback) reporter(call Call) func(context.Context, error) {
	return func(ctx context.Context, err error) {
		ctx = context.WithoutCancel(ctx)
		f := &Failure{Call: call, Err: err}
		if p, ok := errors.AsType[*panicError](err); ok {
			f.Stack = p.stack
		}
		if c.Report != nil && !panics(func() { c.Report(ctx, f) }) {
			return
		}
		// A log that panics leaves nobody to tell, and must not take the process along.
		panics(func() {
			c.logger().LogAttrs(ctx, slog.LevelError, "payments: call failed", slog.Any("failure", f))
		})
	}
}

func (c *Callback) logger() *slog.Logger { return cmp.Or(c.Logger, slog.Default()) }

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// maxPrinted is how much of an error is shown.
const maxPrinted = 512

// printable returns the text of an error, cut, with blanks for what does not print.
func printable(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	if len(text) > maxPrinted {
		text = text[:maxPrinted] + "…"
	}
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}
