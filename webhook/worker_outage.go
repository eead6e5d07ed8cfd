package webhook

import (
	"context"
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/condition"
)

// ErrUnavailable is wrapped by the error of a Failure that reports a system that is down (see client.Unavailable). The
// entries whose handlers need it wait, and do not become dead before Worker.MaxAge. An engine whose database does not
// answer or cannot write now returns it from Open, because a later Open can succeed. Other errors of Open require a
// change of the app or of the database.
var ErrUnavailable = errors.New("another system is down")

// outage reports whether a run failed because another system is down. A handler that reached Worker.Timeout may be slow
// itself.
func (a *attempt) outage(err error) bool {
	cause := context.Cause(a.hold.ctx)
	return !errors.Is(cause, ErrTimeout) && !panicked(err) && condition.Unavailable(err)
}

// reportOutage reports at most once a minute that entries wait, because each single wait is not reported.
func (a *attempt) reportOutage(err error) {
	others, due := a.seldom.Due("outage")
	if !due {
		return
	}
	a.fail(a.ctx, a.m, &Failure{
		Key: a.lease.Key, Attempt: a.lease.Attempt,
		Err: fmt.Errorf("%w: the entry waits, as %d runs did since the last report: %w", ErrUnavailable, others, err),
	})
}
