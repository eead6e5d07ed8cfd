package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
)

// Failure is a delivery that was not handled, or a mistake in the configuration.
type Failure struct {
	StoreID client.ID // 0 if the body does not say
	Event   Name      // "" if the body does not say
	// Err is what the handler or a hook returned, a value that says it panicked, or
	// wraps ErrLate, ErrBusy or one of the reasons of Unknown.
	Err   error
	Stack []byte // of a panic, else nil
	// Attempt is the number of the attempt that failed, from 1; 0 if the failure is
	// not of a worker's run.
	Attempt int
	// Dead: the entry is not tried any more; see DeadLetters.
	Dead bool
}

// Error says what failed and for whom, in one line without control characters.
func (f *Failure) Error() string {
	if f.Event == "" && f.StoreID == 0 {
		return "webhook: " + errorText(f.Err)
	}
	return fmt.Sprintf("webhook: %s of store %d: %s", quoted(f.Event), f.StoreID, errorText(f.Err))
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// LogValue shows the members as a group.
func (f *Failure) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.String("event", printable(string(f.Event), mostRunes)),
		slog.Int64("store_id", int64(f.StoreID)),
		slog.String("error", errorText(f.Err)),
	}
	if f.Attempt > 0 {
		attrs = append(attrs, slog.Int("attempt", f.Attempt), slog.Bool("dead", f.Dead))
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
	level := slog.LevelError
	if isReason(f.Err) {
		level = slog.LevelWarn
	}
	// A log that panics leaves nobody to tell, and must not take the process along.
	panics(func() { r.log().LogAttrs(ctx, level, "webhook: not handled", slog.Any("delivery", f)) })
}

func (r reporter) log() *slog.Logger { return cmp.Or(r.logger, slog.Default()) }

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// isReason reports whether err says why a delivery reached no handler.
func isReason(err error) bool {
	for _, reason := range []error{ErrUnknownEvent, ErrUnhandled, ErrMalformed, ErrUnknownStore, ErrStale} {
		if errors.Is(err, reason) {
			return true
		}
	}
	return false
}

// How much of a text from outside is shown.
const (
	mostRunes      = 64
	mostErrorRunes = 512
)

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return printable(err.Error(), mostErrorRunes)
}

// printable cuts s and escapes the runes that do not print, those that turn the
// direction of writing among them.
func printable(s string, most int) string {
	var b strings.Builder
	for _, r := range s {
		if most--; most < 0 {
			b.WriteString("…")
			break
		}
		if strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		escaped := strconv.QuoteRuneToASCII(r)
		b.WriteString(escaped[1 : len(escaped)-1])
	}
	return b.String()
}
