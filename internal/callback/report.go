package callback

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
)

// Reporter receives failures. It is OnFailure, or else the log.
type Reporter[F any] struct {
	Report func(ctx context.Context, f F)
	Logger *slog.Logger
}

// Notify reports a failure, even when ctx has ended, because that may be the failure. Message, level and name are those
// of a line in the log, and more are further attributes of it.
func (r Reporter[F]) Notify(ctx context.Context, f F, level slog.Level, message, name string, more ...slog.Attr) {
	ctx = context.WithoutCancel(ctx)
	if r.Report != nil {
		if !Panics(func() { r.Report(ctx, f) }) {
			return
		}
		more = append(more, slog.String("hook", "OnFailure panicked"))
	}
	// A log that panics must not end the process.
	Panics(func() { r.Log().LogAttrs(ctx, level, message, append([]slog.Attr{slog.Any(name, f)}, more...)...) })
}

// Log is the logger.
func (r Reporter[F]) Log() *slog.Logger { return cmp.Or(r.Logger, slog.Default()) }

// Stack is that of the panic that err wraps, or nil.
func Stack(err error) []byte {
	if p, ok := errors.AsType[*Panic](err); ok {
		return p.Stack
	}
	return nil
}

// LogValue shows a failure: the members that say whose it is, the error, the stack of a panic.
func LogValue(err error, stack []byte, whose ...slog.Attr) slog.Value {
	attrs := append(whose, slog.String("error", Reason(err)))
	if stack != nil {
		attrs = append(attrs, slog.String("stack", string(stack)))
	}
	return slog.GroupValue(attrs...)
}
