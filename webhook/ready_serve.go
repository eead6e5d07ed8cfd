package webhook

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
)

// Serve serves on l and works until ctx ends. Then it shuts down in an order that rejects no request and loses no work:
//
//  1. Shutdown: the probe fails, the server accepts for Wait and then answers the requests in progress.
//  2. The contexts of work end, and Serve returns when all of them have returned.
//
// So ctx may be one that SIGTERM ends. Each work is a function such as Worker.Run or Sweep.Run, which returns when its
// context has ended. A work that returns nil earlier is finished. If a work or the server fails, the others are shut
// down too. Serve returns the failures, nil if there are none.
//
// The requests take up to Wait and the server's WriteTimeout ([AnswerTime] if that is 0). Then Serve takes as long as
// the slowest work: Worker.Grace and a second for a Worker. The process manager must wait longer than that before it
// kills the process. The context of work has the values of ctx.
func (y *Ready) Serve(ctx context.Context, l net.Listener, s *http.Server, work ...func(ctx context.Context) error) error {
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	left := 1 + len(work)
	ended := make(chan error, left)
	go func() {
		err := s.Serve(l)
		if errors.Is(err, http.ErrServerClosed) {
			err = nil
		}
		ended <- err
	}()
	for _, do := range work {
		go func() { ended <- do(working) }()
	}
	var failed error
	for failed == nil && left > 0 && ctx.Err() == nil {
		select {
		case failed = <-ended:
			left--
		case <-ctx.Done():
		}
	}
	answering := cmp.Or(max(0, s.WriteTimeout), AnswerTime)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), max(0, cmp.Or(y.Wait, DefaultWait))+answering)
	defer cancel()
	failed = errors.Join(failed, y.Shutdown(grace, s))
	stop()
	for ; left > 0; left-- {
		failed = errors.Join(failed, <-ended)
	}
	return failed
}
