package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Failure is a delivery that was not handled, or a mistake in the configuration.
type Failure struct {
	StoreID value.ID // 0 if the body names none
	Event   Name     // "" if neither the body nor Handler.Event names one
	// Key is that of the entry, as in DeadLetters. It is empty if there is no entry, or if it was not accepted.
	Key string
	// Err is the error of the handler or a hook, or reports its panic, or wraps ErrLate, ErrBusy or one of the reasons
	// of Unknown.
	Err   error
	Stack []byte // of a panic, else nil
	// Attempt is the number of the failed attempt, from 1. It is 0 if the failure is not of a worker's run.
	Attempt int
	// Dead is true if the entry is not tried again; see DeadLetters.
	Dead bool
}

// Error describes the event, the store and the error in one line without control characters.
func (f *Failure) Error() string {
	if f.Event == "" && f.StoreID == 0 {
		return "webhook: " + callback.Reason(f.Err)
	}
	return fmt.Sprintf("webhook: %s of store %d: %s", quoted(f.Event), f.StoreID, callback.Reason(f.Err))
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// LogValue shows the fields as a group.
func (f *Failure) LogValue() slog.Value {
	whose := []slog.Attr{
		slog.String("event", callback.Printable(string(f.Event), callback.MostShown)),
		slog.Int64("store_id", int64(f.StoreID)),
	}
	if f.Key != "" {
		whose = append(whose, slog.String("key", f.Key))
	}
	if f.Attempt > 0 {
		whose = append(whose, slog.Int("attempt", f.Attempt))
	}
	if f.Attempt > 0 || f.Dead {
		whose = append(whose, slog.Bool("dead", f.Dead))
	}
	return callback.LogValue(f.Err, f.Stack, whose...)
}

// reporter reports failures.
type reporter callback.Reporter[*Failure]

func (r reporter) tell(ctx context.Context, f *Failure) {
	f.Stack = callback.Stack(f.Err)
	level := slog.LevelError
	if isReason(f.Err) {
		level = slog.LevelWarn
	}
	callback.Reporter[*Failure](r).Notify(ctx, f, level, "webhook: not handled", "delivery")
}

func (r reporter) log() *slog.Logger { return callback.Reporter[*Failure](r).Log() }

// isReason reports whether err is a reason why a delivery reached no handler.
func isReason(err error) bool {
	for _, reason := range []error{ErrUnknownEvent, ErrUnhandled, ErrMalformed, ErrUnknownStore, ErrStale, ErrGone} {
		if errors.Is(err, reason) {
			return true
		}
	}
	return false
}
