package callback

import (
	"context"
	"errors"
	"testing"
)

func TestEndsOfContexts(t *testing.T) {
	left := errors.New("the caller left")
	caused, cancel := context.WithCancelCause(t.Context())
	cancel(left)
	plain, stop := context.WithCancel(t.Context())
	stop()
	if err := Ended(caused); !errors.Is(err, context.Canceled) || !errors.Is(err, left) || err.Error() != "context canceled: the caller left" {
		t.Errorf("got %v, want the end and its cause", err)
	}
	if err := Ended(plain); err != context.Canceled {
		t.Errorf("got %v, want %v alone", err, context.Canceled)
	}
}
