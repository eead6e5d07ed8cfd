package callback

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestLinger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		parent, leave := context.WithTimeout(context.WithValue(t.Context(), key{}, "value"), time.Second)
		defer leave()
		due := time.Now().Add(2 * time.Second)
		ctx := withLinger(parent, due, 3*time.Second)
		defer ctx.End()
		time.Sleep(4 * time.Second)
		end, _ := ctx.Deadline()
		at, ok := AnswerBy(ctx)
		if ctx.Err() != nil || !end.Equal(due.Add(3*time.Second)) || !ok || !at.Equal(due) || ctx.Value(key{}) != "value" {
			t.Errorf("after the answer: %v, ends at %v, due at %v, value %v", ctx.Err(), end, at, ctx.Value(key{}))
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if ctx.Err() != context.DeadlineExceeded {
			t.Errorf("at the end: %v", ctx.Err())
		}
		if _, ok := AnswerBy(parent); ok {
			t.Error("the parent knows of an answer")
		}
	})
}
