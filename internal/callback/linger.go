package callback

import (
	"context"
	"time"
)

// withLinger returns the context of a function whose answer is due at a time. It ends that much later, so that the
// function can complete what is kept for the next request, and not with ctx, whose values it has.
func withLinger(ctx context.Context, due time.Time, linger time.Duration) *Deadline {
	return WithDeadline(lingering{context.WithoutCancel(ctx), due}, due.Add(linger))
}

// lingering is a context that knows when an answer is due.
type lingering struct {
	context.Context
	due time.Time
}

type dueKey struct{}

// Value implements context.Context.
func (l lingering) Value(key any) any {
	if key == (dueKey{}) {
		return l.due
	}
	return l.Context.Value(key)
}

// AnswerBy returns when the answer is due that the function of ctx makes, or false if there is none.
func AnswerBy(ctx context.Context) (due time.Time, ok bool) {
	due, ok = ctx.Value(dueKey{}).(time.Time)
	return due, ok
}
